import {
  codec,
  PROFILE_NAMES,
  type Contract,
  type ContractId,
  type Ledger,
  type Update,
  type Submission,
} from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { busyNetwork, cast, drawn, play, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { dso } = cast;

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('commands on disjoint contracts and parties give the same state in either order (invariant 58)', () => {
    let compared = 0;
    fc.assert(
      fc.property(sequences(10), fc.array(drawn, { minLength: 2, maxLength: 16 }), (steps, tried) => {
        const ledger = play(busyNetwork(profile), steps);
        const done = tried.flatMap((one) => {
          const submission = resolve(one, ledger.state);
          // At one time, so that only their order differs.
          const now = ledger.state.time;
          const at = { ...submission, context: { ...submission.context, now } };
          const result = ledger.submit(at.command, at.context);
          return result.ok ? [{ at, touched: touchedBy(result.value.update, ledger) }] : [];
        });
        for (const [i, one] of done.entries()) {
          for (const other of done.slice(i + 1)) {
            if (!one.touched || !other.touched || !areDisjoint(one.touched, other.touched)) continue;
            compared += 1;
            const hashes = [
              [one.at, other.at],
              [other.at, one.at],
            ].map((order) => order.reduce(submitted, ledger).hash());
            expect(hashes[0]).toBe(hashes[1]);
          }
        }
      }),
      { numRuns: runs(20) },
    );
    expect(compared).toBeGreaterThan(runs(20));
  });
});

function submitted(ledger: Ledger, { command, context }: Submission): Ledger {
  const result = ledger.submit(command, context);
  expect(result.ok, `${command.type} is accepted in either order`).toBe(true);
  return result.ok ? result.value.ledger : ledger;
}

function areDisjoint(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((touched) => !other.has(touched));
}

/**
 * The parties and contracts that an update involves, or null when it touches what everybody shares: a contract of the DSO alone
 * (rounds, rules, pools), or a name.
 */
function touchedBy(update: Update, { state }: Ledger): ReadonlySet<string> | null {
  const touched = new Set<string>();
  const involve = (contract: Contract): boolean => {
    const parties = stakeholdersOf(contract, dso).filter((party) => party !== dso);
    for (const party of parties) touched.add(party);
    touched.add(`contract ${contract.id}`);
    return parties.length > 0 && !contract.template.startsWith('Ans') && !contract.template.startsWith('Subscription');
  };
  const archived = update.archived.flatMap((id) => findAny(state, id) ?? []);
  if (![...archived, ...update.created].every(involve)) return null;
  for (const id of numbersIn(update.detail)) {
    const named = findAny(state, id as ContractId);
    if (named) involve(named);
  }
  for (const [party] of codec.encode(update).matchAll(/[\w.-]+::1220[0-9a-f]{64}/g))
    if (party !== dso) touched.add(party);
  // A created contract gets its number from the order, so it is nothing that two commands could share.
  for (const { id } of update.created) touched.delete(`contract ${id}`);
  return touched;
}

/** Every number in a value: among them the ids of the contracts that it names. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
