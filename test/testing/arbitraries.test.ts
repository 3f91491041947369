import { allOf, dustExpiringAt, openRoundsOf } from '@coinlab/core/views';
import {
  Amount,
  countOf,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  PROFILE_NAMES,
  Round,
  settingsOf,
  type CommandType,
  type Ledger,
} from '@coinlab/core';
import { dustRoundOf } from '@coinlab/core/rules';
import {
  amountArb,
  amountFromArb,
  busyNetwork,
  cast,
  Coverage,
  ledgerArb,
  networkScenarioArb,
  partyArb,
  playScenario,
  resolve,
  sequences,
  submissionArb,
  timeAroundArb,
  type Drawn,
} from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const SAMPLES = 2_000;
/** Returns how many of a thousand values satisfy a claim. */
function perMille<Value>(arbitrary: fc.Arbitrary<Value>, claim: (value: Value) => boolean): number {
  const values = fc.sample(arbitrary, { numRuns: SAMPLES, seed: 7 });
  return (values.filter(claim).length * 1_000) / values.length;
}

describe('arbitrary amounts', () => {
  const fee = Amount.of('0.0038051750');

  it('are positive decimals within their range', () => {
    const [least, most] = [Amount.of('0.5'), Amount.of('2')];
    fc.assert(
      fc.property(amountArb(), amountArb({ least, most }), (any, within) => {
        expect(any > 0n && any <= Amount.max).toBe(true);
        expect(within >= least && within <= most).toBe(true);
      }),
    );
  });

  it.each([
    ['10⁻¹⁰', (amount: Amount) => amount === 1n],
    ['an exact multiple of the holding fee', (amount: Amount) => amount % fee === 0n && amount / fee <= 200n],
    ['one unit more than a multiple of the holding fee', (amount: Amount) => (amount + 1n) % fee === 0n],
    ['above what a double holds exactly', (amount: Amount) => amount > 2n ** 53n && amount < 2n ** 70n],
    ['the largest', (amount: Amount) => amount === Amount.max],
  ])('are %s in more than 1.5 % of the draws', (_, claim) => {
    expect(perMille(amountArb({ holdingFee: fee }), claim)).toBeGreaterThan(15);
  });

  it('drawn from a total are often the total, the total plus one unit, or one unit', () => {
    const available = Amount.of('12.5');
    for (const edge of [available, available + 1n, available - 1n, 1n])
      expect(perMille(amountFromArb(available), (amount) => amount === edge)).toBeGreaterThan(50);
    expect(fc.sample(amountFromArb(Amount.zero), 20).every((amount) => amount === 1n)).toBe(true);
  });

  it('shrink to the smallest failing amount', () => {
    const limit = Amount.of('42.0000000001');
    const failing = fc.check(
      fc.property(amountArb(), (amount) => amount < limit),
      { seed: 7 },
    );
    expect(failing.counterexample).toEqual([limit]);
  });
});

describe('arbitrary parties and times', () => {
  it('include users in most draws, founders in some, and unknown parties in few', () => {
    expect(perMille(partyArb, (party) => cast.people.includes(party))).toBeGreaterThan(500);
    expect(perMille(partyArb, (party) => cast.founders.includes(party))).toBeGreaterThan(30);
    expect(perMille(partyArb, (party) => party === cast.stranger)).toBeGreaterThan(10);
  });

  it('include times before, at and after a deadline, and one microsecond away from it', () => {
    const times = timeAroundArb(GENESIS_TIME);
    for (const offset of [-1n, 0n, 1n])
      expect(perMille(times, (time) => time - GENESIS_TIME === offset)).toBeGreaterThan(120);
    expect(perMille(times, (time) => time < GENESIS_TIME - 1n)).toBeGreaterThan(120);
    expect(perMille(times, (time) => time > GENESIS_TIME + 1n)).toBeGreaterThan(120);
  });
});

describe('arbitrary ledgers', () => {
  it.each(PROFILE_NAMES)(
    'have 99 to 102 holdings, dust that is about to expire, and offers at their deadline, in the profile %s',
    (profile) => {
      const shape = { profile, dustAboutToExpire: [0, 3], offersAtDeadline: [0, 2] } as const;
      fc.assert(
        fc.property(ledgerArb(shape), ({ ledger: { state }, owner, dust, offers, deadline, now }) => {
          expect(countOf(state, owner)).toBeGreaterThanOrEqual(99);
          expect(countOf(state, owner)).toBeLessThanOrEqual(102);
          expect([...allOf(state, 'TransferInstruction')].map(({ id }) => id)).toEqual(offers);
          expect([...allOf(state, 'TransferInstruction')].every((one) => one.transfer.executeBefore === deadline)).toBe(
            true,
          );
          expect(now).toBeGreaterThanOrEqual(state.time);
          const judged = dustRoundOf(state) ?? 0;
          const dustBy = (round: number): readonly number[] =>
            [...dustExpiringAt(state, Round.of(round))].map(({ id }) => id).filter((id) => dust.includes(id));
          expect(dustBy(judged)).toEqual([]);
          if (!settingsOf(state).profile.usesConfigStates) expect(dustBy(judged + 1)).toEqual(dust);
        }),
        { numRuns: runs(12) },
      );
    },
  );

  it('reach the deadline and the limit of inputs together in many draws', () => {
    const arbitrary = ledgerArb({ profile: 'feeless', holdings: [99, 102], offersAtDeadline: 1 });
    const worlds = fc.sample(arbitrary, { numRuns: 60, seed: 7 });
    const count = (claim: (world: (typeof worlds)[number]) => boolean): number => worlds.filter(claim).length;
    for (const holdings of [99, 100, 101, 102])
      expect(count(({ ledger, owner }) => countOf(ledger.state, owner) === holdings)).toBeGreaterThan(3);
    for (const offset of [-1n, 0n, 1n])
      expect(count(({ now, deadline }) => now - deadline === offset)).toBeGreaterThan(3);
  });

  it('shrink to the smallest failing ledger', () => {
    const failing = fc.check(
      fc.property(ledgerArb({ holdings: [0, 20], offersAtDeadline: [0, 3] }), ({ ledger, owner, offers }) => {
        return countOf(ledger.state, owner) < 5 || offers.length === 0;
      }),
      { seed: 7 },
    );
    const world = failing.counterexample?.[0];
    expect(world && countOf(world.ledger.state, world.owner)).toBe(5);
    expect(world?.offers).toHaveLength(1);
    expect(
      world && [...holdingsOf(world.ledger.state, world.owner, 'oldest')].every(({ amount }) => amount === 1n),
    ).toBe(true);
  });
});

describe('arbitrary commands', () => {
  it('are accepted in most cases, for each type', () => {
    const { state } = busyNetwork('feeless');
    const types: readonly CommandType[] = ['Tap', 'SelfTransfer', 'CreateOffer', 'DirectTransfer', 'MergeHoldings'];
    const accepted = perMille(submissionArb(state, types), ({ command, context }) => {
      return busyNetwork('feeless').check(command, context) === null;
    });
    expect(accepted).toBeGreaterThan(500);
  });

  it.each([7, 8, 9, 10])(
    'shrink to the few necessary commands, which still refer to existing contracts (seed %i)',
    (seed) => {
      const failing = fc.check(
        fc.property(sequences(40), (steps) => !kindsOf(steps).includes('TransferAccepted')),
        { seed, numRuns: 500 },
      );
      const [steps = []] = failing.counterexample ?? [];
      expect(failing.failed).toBe(true);
      expect(steps.length).toBeLessThanOrEqual(3);
      // Every remaining step has an effect on a later one, and the last step fails.
      expect(kindsOf(steps)).toHaveLength(steps.length);
      // If any step is removed, nothing fails.
      for (const step of steps)
        expect(kindsOf(steps.filter((other) => other !== step))).not.toContain('TransferAccepted');
      expect(kindsOf(steps).at(-1)).toBe('TransferAccepted');
    },
  );

  it('shrink a given sequence in the same way as a random one', () => {
    const given = ['Tap', 'Mint', 'Tap', 'Tap'].map((type) => ({ type: type as CommandType, rolls: [0, 3, 4] }));
    const failing = fc.check(
      fc.property(sequences(10), (steps) => !kindsOf(steps).includes('Minted')),
      { examples: [[given]], numRuns: 1 },
    );
    expect(failing.counterexample).toEqual([[{ type: 'Mint', rolls: [] }]]);
  });
});

function kindsOf(steps: readonly Drawn[]): readonly string[] {
  let ledger: Ledger = busyNetwork('legacy-fees');
  const kinds: string[] = [];
  for (const step of steps) {
    const { command, context } = resolve(step, ledger.state);
    const result = ledger.submit(command, context);
    if (!result.ok) continue;
    ledger = result.value.ledger;
    kinds.push(result.value.update.kind);
  }
  return kinds;
}

describe('arbitrary network scenarios', () => {
  it.each(PROFILE_NAMES)('run for several rounds without a broken law in the profile %s', (profile) => {
    fc.assert(
      fc.property(networkScenarioArb({ profile }), (scenario) => {
        const { state } = playScenario(scenario);
        expect(openRoundsOf(state)[0]?.round).toBeGreaterThanOrEqual(1);
        expect(state.time).toBeGreaterThan(Instant.plus(GENESIS_TIME, 600_000_000n as never));
      }),
      { numRuns: runs(20) },
    );
  });

  it('contain an accepted command for every action of a wallet', () => {
    const coverage = new Coverage();
    for (const scenario of fc.sample(networkScenarioArb(), { numRuns: 40, seed: 7 })) playScenario(scenario, coverage);
    for (const type of ['Tap', 'DirectTransfer', 'CreateOffer', 'AcceptOffer', 'AcceptWalletOffer'] as const)
      expect(coverage.accepted.get(type) ?? 0, type).toBeGreaterThan(0);
  });
});
