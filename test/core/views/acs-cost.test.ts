import { Amount, GENESIS_TIME, openEngine, PartyId, type LedgerState } from '@coinlab/core';
import { eachInAcs, type AcsFilter } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';

const alice = PartyId.of('alice');
const dso = PartyId.of('DSO');
const FEW = 5_000;
const MANY = 100_000;
const READS = 200;

/** A state with ten coins of alice among coins of 1,000 other parties. */
function stateWith(others: number): LedgerState {
  const engine = openEngine();
  const tap = (receiver: PartyId): void => {
    const amount = Amount.of('1');
    const answer = engine.submit({ type: 'Tap', receiver, amount }, { now: GENESIS_TIME, actAs: [receiver] });
    if (!answer.ok) throw new Error(answer.error.code);
  };
  const parties = Array.from({ length: 1_000 }, (_, i) => PartyId.of(`other-${i}`));
  for (let i = 0; i < others; i++) {
    if (i % (others / 10) === 0) tap(alice);
    tap(parties[i % parties.length] ?? alice);
  }
  return engine.snapshot();
}

/**
 * Milliseconds of the fastest of five series of reads of each state. Processor time, because other programs may interrupt every series; the
 * states in turns, because a machine may be slow for a while.
 */
function timesOf(
  states: readonly LedgerState[],
  read: (state: LedgerState) => number,
  expected: number,
): readonly number[] {
  const series = Array.from({ length: 5 }, () =>
    states.map((state) => {
      const before = process.cpuUsage();
      for (let i = 0; i < READS; i++) if (read(state) !== expected) throw new Error('the read found other contracts');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
  return states.map((_, i) => Math.min(...series.map((times) => times[i] ?? Infinity)));
}

function first(count: number, state: LedgerState, party: PartyId | null, filter: AcsFilter = {}): number {
  let found = 0;
  for (const _ of eachInAcs(state, party, filter)) if (++found === count) break;
  return found;
}

describe('a query of active contracts', () => {
  const [small, large] = [stateWith(FEW), stateWith(MANY)];

  it.each([
    ['all contracts of a party', (state: LedgerState) => first(1_000, state, alice), 10],
    ['the first 20 contracts of the DSO', (state: LedgerState) => first(20, state, dso), 20],
    ['the first 20 contracts of all parties', (state: LedgerState) => first(20, state, null), 20],
    [
      'contracts of a rare template of the DSO',
      (state: LedgerState) => first(20, state, dso, { templates: ['AmuletRules'] }),
      1,
    ],
    [
      'the last contracts of a list',
      (state: LedgerState) => {
        const all = state.nextContract;
        // Cast: the id of the fifth newest contract.
        const after = (all - 6) as NonNullable<AcsFilter['after']>;
        return first(20, state, null, { after });
      },
      5,
    ],
  ])(`for %s costs the same among ${FEW} as among ${MANY} coins of other parties`, (_, read, expected) => {
    // A scan takes 20 times as long.
    const [few = 0, many = 0] = timesOf([small, large], read, expected);
    expect(many).toBeLessThan(5 * few + 5);
  });
});
