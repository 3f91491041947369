import {
  Amount,
  emptyLedger,
  genesis,
  genesisConfig,
  Round,
  type Command,
  type ContractId,
  type Holding,
  type Instant,
  type LedgerOptions,
  type PartyId,
  type ProfileName,
} from '@coinlab/core';
import { dustExpiringAt } from '@coinlab/core/views';
import { dustRoundOf, isDust } from '@coinlab/core/rules';
import { expiryRoundOf } from '@coinlab/core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const expire = (...holdings: readonly ContractId[]): Command => ({ type: 'ExpireDust', holdings });

/** Puts a coin of alice's: amount, round, rate. */
function coin(world: World, value: string, createdAt: number, rate: string, lock: Holding['lock'] = null): ContractId {
  return world.put({
    template: 'Holding',
    owner: alice,
    amount: amount(value),
    createdAt: Round.of(createdAt),
    ratePerRound: amount(rate),
    lock,
  });
}

const table = [
  // amount, rate, created, E by default, E with dustAtEquality
  ['1', '0.0038051800', 10, 273, 273],
  ['0.01', '0.0001268393', 100, 179, 179],
  ['5', '0.0000190259', 0, 262_800, 262_800],
  ['0.0000190259', '0.0000190259', 7, 9, 8],
  ['0.0000190260', '0.0000190259', 7, 9, 9],
] as const;

/** The oldest round of the network, by which dust is judged, is the one named. */
const judgedAt = (round: number, options: LedgerOptions = {}): World =>
  worldOf({ ...options, initialRound: Round.of(round) });

describe('the round in which a coin becomes dust', () => {
  it.each(table)(
    'for amount %s and fee rate %s, created in round %i, is %i, or %i if a fee equal to the amount suffices',
    (value, rate, created, byDefault, equality) => {
      const holding = { amount: amount(value), createdAt: created, ratePerRound: amount(rate) } as Holding;
      expect(expiryRoundOf(holding, false)).toBe(byDefault);
      expect(expiryRoundOf(holding, true)).toBe(equality);
      expect(isDust(holding, Round.of(byDefault - 1), false)).toBe(false);
      expect(isDust(holding, Round.of(byDefault), false)).toBe(true);
    },
  );

  it('is null for a coin without a fee, and for a coin that outlives the largest round number', () => {
    const holding = (value: Amount, rate: Amount) => ({ amount: value, createdAt: 0, ratePerRound: rate }) as Holding;
    for (const equality of [false, true]) {
      expect(expiryRoundOf(holding(Amount.unit, Amount.zero), equality)).toBeNull();
      expect(expiryRoundOf(holding(Amount.max, Amount.unit), equality)).toBeNull();
      expect(isDust(holding(Amount.max, Amount.unit), Round.of(Number.MAX_SAFE_INTEGER), equality)).toBe(false);
    }
  });

  const coins = fc.record({
    amount: fc.bigInt({ min: 1n, max: 10n ** 14n }).map((units) => Amount.ofUnits(units)),
    createdAt: fc.integer({ min: 0, max: 1000 }).map(Round.of),
    ratePerRound: fc.bigInt({ min: 1n, max: 10n ** 8n }).map((units) => Amount.ofUnits(units)),
  }) as fc.Arbitrary<Holding>;

  it('is the first in which the fee exceeds the amount', () => {
    fc.assert(
      fc.property(coins, (holding) => {
        const fee = (round: number): bigint => holding.ratePerRound * BigInt(round - holding.createdAt);
        const strict = expiryRoundOf(holding, false)!; // these coins all become dust
        expect(fee(strict) > holding.amount && fee(strict - 1) <= holding.amount).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is no earlier for a coin of a larger amount with the same round and rate', () => {
    fc.assert(
      fc.property(coins, fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.boolean(), (holding, more, equality) => {
        const larger = { ...holding, amount: Amount.ofUnits(holding.amount + more) };
        expect(expiryRoundOf(larger, equality)).toBeGreaterThanOrEqual(expiryRoundOf(holding, equality) ?? 0);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('dust', () => {
  describe.each([
    ['feeless', 3],
    ['legacy-fees', 4],
  ] as const)('in the profile %s', (profile, column) => {
    it.each(table.filter(([, , , ...rounds]) => rounds[0] < 1000))(
      'of amount %s and fee rate %s, created in round %i, expires once its dust round is the oldest round',
      (...row) => {
        const [value, rate, created] = row;
        const expiresIn = row[column];
        const world = judgedAt(expiresIn - 1, { profile });
        const holding = coin(world, value, created, rate);
        expect(world.refused('NOT_DUST', expire(holding), dso)).toMatchObject({
          contract: holding,
          expiresInRound: expiresIn,
          oldestRound: expiresIn - 1,
        });
        expect([...dustExpiringAt(world.state, Round.of(expiresIn - 1))]).toEqual([]);
        world.advanceRounds();
        expect(dustRoundOf(world.state)).toBe(expiresIn);
        expect([...dustExpiringAt(world.state, Round.of(expiresIn))].map(({ id }) => id)).toEqual([holding]);
        world.submit(expire(holding), dso);
      },
    );
  });

  it.each(table.filter(([, , , , equality]) => equality < 1000))(
    'of amount %s and fee rate %s, created in round %i, expires in the 24-hour profile once both config states reach its dust round',
    (value, rate, created, _, expiresIn) => {
      const world = judgedAt(expiresIn - 1, { profile: 'feeless-24h' });
      const holding = coin(world, value, created, rate);
      world.advanceRounds();
      world.refused('NOT_DUST', expire(holding), dso);
      world.at(second(86_400)).submit({ type: 'AdvanceConfigStates' }, dso);
      expect(dustRoundOf(world.state)).toBe(expiresIn - 1);
      world.refused('NOT_DUST', expire(holding), dso);
      world.at(second(172_800)).submit({ type: 'AdvanceConfigStates' }, dso);
      expect(dustRoundOf(world.state)).toBe(expiresIn);
      world.submit(expire(holding), dso);
    },
  );

  it('is judged at the oldest round by default, and at a newer round with dustRoundsBehindNewest 1', () => {
    const world = judgedAt(271, { rules: { dustRoundsBehindNewest: 1 } });
    const holding = coin(world, '1', 10, '0.0038051800');
    expect(dustRoundOf(world.state)).toBe(272);
    world.refused('NOT_DUST', expire(holding), dso);
    world.advanceRounds();
    world.submit(expire(holding), dso);
  });

  it('is archived in full without its owner’s consent, and earns no coupon', () => {
    const world = judgedAt(1000);
    const holdings = [coin(world, '1', 10, '0.0038051800'), coin(world, '0.5', 20, '0.0038051800')];
    const rest = coin(world, '7', 990, '0.0038051800');
    const { archived, created, detail } = world.accepted('DustExpired', expire(...holdings), dso);
    expect([archived, created]).toEqual([holdings, []]);
    expect(detail).toEqual({
      minted: 0n,
      burned: amount('1.5'),
      judgedAt: 1000,
      expired: [
        { holding: holdings[0], owner: alice, amount: amount('1'), wasLocked: false },
        { holding: holdings[1], owner: alice, amount: amount('0.5'), wasLocked: false },
      ],
    });
    expect(world.holdings(alice).map(({ id }) => id)).toEqual([rest]);
  });

  it('is kept while it is locked', () => {
    const world = judgedAt(1000);
    const expiresAt = second(100);
    const holding = coin(world, '1', 10, '0.0038051800', { holders: [bob], expiresAt, context: null });
    world.at(tickOf(expiresAt, -1)).refused('LOCK_NOT_EXPIRED', expire(holding), dso);
    const { detail } = world.at(expiresAt).accepted('DustExpired', expire(holding), dso);
    expect(detail.expired).toMatchObject([{ wasLocked: true }]);
    expect(world.locked(alice)).toEqual([]);
  });

  it('is expired despite its lock in the 24-hour profile', () => {
    const world = judgedAt(1000, { profile: 'feeless-24h' });
    const holding = coin(world, '1', 10, '0.0038051800', {
      holders: [bob],
      expiresAt: second(100),
      context: null,
    });
    expect(world.accepted('DustExpired', expire(holding), dso).detail.expired).toMatchObject([{ wasLocked: true }]);
  });

  it.each([
    ['feeless', second(86_400 * 2), second(86_400 * 2)],
    ['feeless-24h', second(86_400 * 3), second(86_400 * 2)],
  ] as const)(
    'in an offer can expire, and the instruction of the offer stays active (%s)',
    (profile, executeBefore, dustBy) => {
      const world = worldOf({ profile });
      const funds = world.fund(alice, '1');
      const { instruction, lockedHolding } = world.accepted(
        'TransferOffered',
        { type: 'CreateOffer', sender: alice, receiver: bob, amount: Amount.unit, inputs: [funds], executeBefore },
        alice,
      ).detail;
      world.advanceRounds(10);
      if (profile === 'feeless-24h') {
        for (const at of [86_400, 172_800]) world.at(second(at)).submit({ type: 'AdvanceConfigStates' }, dso);
      }
      world.at(dustBy).submit(expire(lockedHolding), dso);
      expect(world.lockedCoinsOf(alice)).toEqual([]);
      const accept = { type: 'AcceptOffer', instruction } as const;
      if (dustBy < executeBefore) {
        expect(world.refused('CONTRACT_NOT_FOUND', accept, bob).contract).toBe(lockedHolding);
        world.refused('DEADLINE_NOT_REACHED', { type: 'WithdrawOffer', instruction }, alice);
      }
      world.at(executeBefore).refused('DEADLINE_PASSED', accept, bob);
      const { detail } = world.accepted('TransferExpired', { type: 'ExpireOffer', instruction }, dso);
      expect(detail.holding).toBeNull();
    },
  );

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly coins: (world: World, dust: readonly ContractId[]) => readonly ContractId[];
  }
  const lockedDust = (world: World): ContractId =>
    coin(world, '1', 10, '0.0038051800', { holders: [], expiresAt: second(61), context: null });
  const lockedCoin = (world: World): ContractId =>
    coin(world, '1000', 10, '0.0038051800', { holders: [carol], expiresAt: second(61), context: null });
  const nowhere = 999_999 as ContractId;
  precedence<Plan>(
    { options: {}, at: second(60), actAs: [dso], coins: (_, dust) => dust },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [alice, bob] }],
      ['NO_INPUTS', { coins: () => [] }],
      ['DUPLICATE_INPUT', { coins: (world, [a]) => [a!, a!, nowhere, lockedDust(world)] }],
      ['CONTRACT_NOT_FOUND', { coins: (world, [a]) => [a!, nowhere, lockedDust(world)] }, 'no contract'],
      [
        'CONTRACT_NOT_FOUND',
        { coins: (world, [a]) => [a!, world.put({ template: 'FeaturedAppRight', provider: alice })] },
        'no coin',
      ],
      ['LOCK_NOT_EXPIRED', { coins: (world, [a]) => [a!, lockedCoin(world)] }, 'and not dust either'],
      ['NOT_DUST', { coins: (world, [a]) => [a!, world.fund(alice, '100')] }],
    ],
    (code, plan) => {
      const world = judgedAt(1000, plan.options);
      const holdings = plan.coins(world, [coin(world, '1', 10, '0.0038051800')]);
      world.at(plan.at).refused(code, expire(...holdings), ...plan.actAs);
    },
  );

  it('cannot be expired before the network has rounds', () => {
    const [open] = genesis({});
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    expect(dustRoundOf(opened.value.ledger.state)).toBeNull();
    expect(opened.value.ledger.check(expire(), open!.context)?.code).toBe('NOT_BOOTSTRAPPED'); // as above
  });

  it('excludes every coin without a holding fee, at any age', () => {
    const world = judgedAt(1000);
    const coins = [coin(world, '0.0000000001', 0, '0')];
    expect(world.refused('NOT_DUST', expire(...coins), dso).expiresInRound).toBeNull();
  });

  it('is kept when the same command names a coin that is not dust', () => {
    const world = judgedAt(1000);
    const dust = coin(world, '1', 10, '0.0038051800');
    world.refused('NOT_DUST', expire(dust, world.fund(alice, '100')), dso);
    expect(world.holdings(alice).map(({ id }) => id)).toContain(dust);
  });

  it('worth more than 38 digits in total is expired in several commands', () => {
    const config = genesisConfig('feeless');
    const transferConfigUsd = { ...config.transferConfigUsd, holdingFee: Amount.max };
    const world = worldOf({ amuletPrice: Amount.one, config: { transferConfigUsd } });
    const coins = [0, 1].map(() => world.fund(alice, Amount.format(Amount.max)));
    world.advanceRounds(5);
    world.refused('INVALID_DECIMAL', expire(...coins), dso);
    for (const one of coins) world.submit(expire(one), dso);
    expect(world.state.burned).toBe(2n * Amount.max);
  });
});

describe('the fee rate of a coin', () => {
  it.each<[string, string, string, ProfileName]>([
    ['0.005', '0.00380518', '0.004', 'feeless'],
    ['0.1', '0.000190259', '0.0002', 'feeless'],
    ['0.15', '0.0001268393', '0.0001333333', 'legacy-fees'],
    ['1', '0.0000190259', '0.00002', 'feeless-24h'],
    ['2.5', '0.0000076104', '0.000008', 'feeless'],
  ])('at a price of %s USD is %s per round, with a fee of 0.00002 USD %s (%s)', (price, usual, round, profile) => {
    const rateOf = (options: LedgerOptions): string => {
      const world = worldOf({ ...options, profile, amuletPrice: amount(price) });
      world.fund(alice, '1');
      return Amount.short(world.holdings(alice)[0]!.ratePerRound); // funded before
    };
    expect(rateOf({})).toBe(usual);
    const { transferConfigUsd } = genesisConfig(profile);
    expect(rateOf({ config: { transferConfigUsd: { ...transferConfigUsd, holdingFee: amount('0.00002') } } })).toBe(
      round,
    );
  });

  it('does not change when the price changes', () => {
    const world = worldOf({ amuletPrice: amount('0.1') });
    world.fund(alice, '1');
    world.advanceRounds(5, '1');
    expect(world.holdings(alice)[0]?.ratePerRound).toBe(amount('0.000190259'));
  });
});
