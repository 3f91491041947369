import {
  Amount,
  Duration,
  emptyLedger,
  genesis,
  genesisConfig,
  Instant,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import type { TransferConfig } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type CreateOffer = Extract<Command, { type: 'CreateOffer' }>;

const deadline = second(100);
const nowhere = 999_999 as ContractId;

function offerOf(inputs: readonly ContractId[], fields: Partial<CreateOffer> = {}): CreateOffer {
  return {
    type: 'CreateOffer',
    sender: alice,
    receiver: bob,
    amount: amount('30'),
    executeBefore: deadline,
    inputs,
    ...fields,
  };
}

/** A world in which alice, who had one coin of 100, has offered bob 30. */
function offered(options: LedgerOptions = {}) {
  const world = worldOf(options);
  const coin = world.fund(alice, '100');
  const { detail } = world.accepted('TransferOffered', offerOf([coin], { meta: { reason: 'rent' } }), alice);
  return { world, coin, ...detail };
}

const accept = (instruction: ContractId): Command => ({ type: 'AcceptOffer', instruction });
const reject = (instruction: ContractId): Command => ({ type: 'RejectOffer', instruction });
const withdraw = (instruction: ContractId): Command => ({ type: 'WithdrawOffer', instruction });
const expire = (instruction: ContractId): Command => ({ type: 'ExpireOffer', instruction });

/** The configuration with other limits or fees of a transfer. */
function limits(transfer: Partial<TransferConfig>): LedgerOptions {
  const config = genesisConfig('feeless').transferConfigUsd;
  return { config: { transferConfigUsd: { ...config, ...transfer } } };
}

describe('an offer', () => {
  it('locks its amount until the deadline, with the DSO as lock holder, and returns the change at once', () => {
    const { world, coin, instruction, lockedHolding, change } = offered();
    expect(world.coinsOf(alice)).toEqual(['70.0']);
    expect(world.holdings(alice)[0]?.id).toBe(change);
    expect(world.locked(alice)).toMatchObject([
      {
        id: lockedHolding,
        owner: alice,
        amount: amount('30'),
        createdAt: 1,
        ratePerRound: amount('0.00380518'),
        lock: { holders: [dso], expiresAt: deadline, context: `transfer to '${bob}'` },
      },
    ]);
    const { created, archived, detail } = world.ledger.updates(world.state.offset - 1)[0]!; // the offer, just made
    expect(archived).toEqual([coin]);
    expect(created.map(({ template }) => template)).toEqual(['Holding', 'Holding', 'TransferInstruction']);
    expect(created.at(-1)).toMatchObject({
      id: instruction,
      lockedHolding,
      transfer: {
        sender: alice,
        receiver: bob,
        amount: amount('30'),
        requestedAt: world.now,
        executeBefore: deadline,
        meta: { reason: 'rent' },
      },
    });
    expect(detail).toMatchObject({ inputs: 1, fees: null, rewards: null, minted: 0n, burned: 0n, holdings: [] });
  });

  it('creates no change when it takes its inputs exactly', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['10', '20']);
    const { detail } = world.accepted('TransferOffered', offerOf(coins), alice);
    expect(detail.change).toBeNull();
    expect(world.coinsOf(alice)).toEqual([]);
    expect(world.lockedCoinsOf(alice)).toEqual(['30.0']);
  });

  it('consumes every named input, including inputs that it does not need', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['30', '1', '2']);
    world.submit(offerOf(coins), alice);
    expect(world.coinsOf(alice)).toEqual(['3.0']);
  });

  it('can spend a locked coin whose lock has ended', () => {
    const { world, lockedHolding, instruction } = offered();
    world.at(deadline);
    const { detail } = world.accepted(
      'TransferOffered',
      offerOf([lockedHolding], { receiver: carol, amount: amount('5'), executeBefore: second(200) }),
      alice,
    );
    expect(world.coinsOf(alice)).toEqual(['70.0', '25.0']);
    world.submit(accept(detail.instruction), carol);
    expect(world.coinsOf(carol)).toEqual(['5.0']);
    // The first instruction stays behind without coin.
    world.refused('DEADLINE_PASSED', accept(instruction), bob);
    expect(world.accepted('TransferRejected', reject(instruction), bob).detail.holding).toBeNull();
  });

  it('has no lock holder when the DSO is the sender, because an owner is never a holder', () => {
    const world = worldOf(limits({ maxNumLockHolders: 0 }));
    const coins = [world.fund(dso, '30'), world.fund(alice, '30')] as const;
    world.submit(offerOf([coins[0]], { sender: dso }), dso);
    expect(world.locked(dso)[0]?.lock?.holders).toEqual([]);
    expect(world.refused('TOO_MANY_LOCK_HOLDERS', offerOf([coins[1]]), alice)).toMatchObject({ holders: 1, limit: 0 });
  });

  it('accepts 100 inputs, and refuses 101 before checking the funds', () => {
    const world = worldOf();
    const coins = world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '1'),
    );
    const attempt = (inputs: number, value: string): Command =>
      offerOf(coins.slice(0, inputs), { amount: amount(value) });
    expect(world.refused('MAX_INPUTS_EXCEEDED', attempt(101, '1'), alice)).toEqual({
      code: 'MAX_INPUTS_EXCEEDED',
      inputs: 101,
      limit: 100,
    });
    world.refused('MAX_INPUTS_EXCEEDED', attempt(101, '102'), alice);
    expect(world.refused('INSUFFICIENT_FUNDS', attempt(100, '100.5'), alice).missing).toBe(amount('0.5'));
    world.submit(attempt(100, '100'), alice);
  });

  it('succeeds once a coin of the missing amount is added', () => {
    const world = worldOf();
    const coin = world.fund(alice, '29.9999999999');
    const { missing } = world.refused('INSUFFICIENT_FUNDS', offerOf([coin]), alice);
    expect(missing).toBe(Amount.unit);
    const rest = world.fund(alice, Amount.format(missing));
    world.submit(offerOf([coin, rest]), alice);
    expect(world.coinsOf(alice)).toEqual([]);
  });

  describe.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)('in the profile %s', (profile) => {
    interface Plan {
      readonly options: LedgerOptions;
      readonly funds: readonly string[];
      readonly fields: Partial<CreateOffer>;
      readonly receiver: PartyId;
      readonly value: string;
      readonly executeBefore: Instant;
      readonly requestedAt: Instant;
      readonly admin: PartyId;
      readonly instrument: { readonly admin: PartyId; readonly id: string };
      readonly actAs: readonly PartyId[];
      readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
    }

    const lockedCoin = (world: World): ContractId =>
      world.put({
        template: 'Holding',
        owner: alice,
        amount: amount('1000'),
        createdAt: world.holdings(alice)[0]!.createdAt, // funded before
        ratePerRound: Amount.unit,
        lock: { holders: [dso], expiresAt: second(61), context: null },
      });
    const good: Plan = {
      options: {},
      funds: ['1000', '1000', '1000'],
      fields: {},
      receiver: bob,
      value: '30',
      executeBefore: deadline,
      requestedAt: second(60),
      admin: dso,
      instrument: { admin: dso, id: 'Amulet' },
      actAs: [alice],
      inputs: (_, funded) => funded,
    };
    const submit = (plan: Plan, act: (world: World, command: Command, actAs: readonly PartyId[]) => void): void => {
      const world = worldOf({ profile, ...plan.options });
      const funded = world.fundEach(alice, plan.funds);
      world.at(second(60));
      const { receiver, executeBefore, requestedAt, admin: expectedAdmin, instrument, fields } = plan;
      const command = offerOf(plan.inputs(world, funded), {
        receiver,
        amount: amount(plan.value),
        executeBefore,
        requestedAt,
        expectedAdmin,
        instrument,
        ...fields,
      });
      act(world, command, plan.actAs);
    };
    const tight = (transfer: Partial<TransferConfig>): LedgerOptions => ({
      config: { transferConfigUsd: { ...genesisConfig(profile).transferConfigUsd, ...transfer } },
    });

    it('is accepted when every check passes', () => {
      submit(good, (world, command, actAs) => world.submit(command, ...actAs));
    });

    precedence<Plan>(
      good,
      [
        ['NOT_AUTHORISED', { actAs: [bob, dso] }],
        ['ADMIN_MISMATCH', { admin: carol }],
        ['WRONG_INSTRUMENT', { instrument: { admin: dso, id: 'Gold' } }, 'another name'],
        ['WRONG_INSTRUMENT', { instrument: { admin: bob, id: 'Amulet' } }, 'another admin'],
        ['NON_POSITIVE_AMOUNT', { value: '0' }, 'zero'],
        ['NON_POSITIVE_AMOUNT', { value: '-30' }, 'negative'],
        ['REQUESTED_IN_FUTURE', { requestedAt: tickOf(second(60), 1) }],
        ['DEADLINE_PASSED', { executeBefore: second(60) }],
        ['NO_INPUTS', { inputs: () => [] }],
        ['INVALID_ARGUMENT', { receiver: alice }, 'to oneself'],
        ['DUPLICATE_INPUT', { inputs: (_, [a, b, c]) => [a, b, a, nowhere, c] as ContractId[] }],
        ['CONTRACT_NOT_FOUND', { inputs: (_, [a, b, c]) => [a, nowhere, b, c] as ContractId[] }],
        ['GROUP_MISMATCH', { inputs: (world, [a, b]) => [a!, world.fund(carol, '5'), lockedCoin(world), b!] }, 'owner'],
        [
          'GROUP_MISMATCH',
          { inputs: (world, [a, b]) => [a!, world.put({ template: 'FeaturedAppRight', provider: alice }), b!] },
          'no coin',
        ],
        ['LOCK_NOT_EXPIRED', { inputs: (world, [a, b, c]) => [a!, lockedCoin(world), b!, c!] }],
        ['TOO_MANY_LOCK_HOLDERS', { options: tight({ maxNumLockHolders: 0, maxNumInputs: 2 }) }],
        ['MAX_INPUTS_EXCEEDED', { options: tight({ maxNumInputs: 2 }) }],
        ['INSUFFICIENT_FUNDS', { value: '3000.0000000001' }],
      ],
      (code, plan) => submit(plan, (world, command, actAs) => world.refused(code, command, ...actAs)),
    );
  });

  it('is refused with a mintable grant as an input', () => {
    const world = worldOf();
    const grant = world.put({
      template: 'UnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('50'),
      reason: 'activity',
      expiresAt: second(86_400),
    });
    const refused = world.refused('GROUP_MISMATCH', offerOf([world.fund(alice, '100'), grant]), alice);
    expect(refused).toMatchObject({ contract: grant, field: 'owner' });
  });

  it('is refused while no round is open, before any input is checked', () => {
    const [open] = genesis({});
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    const context = { now: open!.context.now, actAs: [alice] };
    expect(opened.value.ledger.check(offerOf([nowhere]), context)).toEqual({
      code: 'ROUND_NOT_OPEN',
      opensAt: null,
      at: context.now,
    });
  });
});

describe('an offer whose deadline is checked against the dust of its coin', () => {
  // One round's fee at the genesis price: by default the coin is dust two rounds after its own, at equality one round after.
  const rate = amount('0.00380518');
  const attempt = (options: LedgerOptions, executeBefore: Instant): [World, CreateOffer] => {
    const world = worldOf({ ...options, rules: { checksLockVersusDust: true, feeReserveFactor: 0, ...options.rules } });
    const coin = world.fund(alice, '1');
    return [world, offerOf([coin], { amount: rate, executeBefore })];
  };

  it.each([
    ['by default', false, second(1800)],
    ['with dust at equality', true, second(1200)],
  ])("must end before the coin's dust can be expired, two rounds later, %s", (_, dustAtEquality, dustAt) => {
    const rules = { dustAtEquality };
    const [late, refused] = attempt({ rules }, dustAt);
    expect(late.refused('LOCK_OUTLIVES_AMULET', refused, alice)).toMatchObject({ lockExpiresAt: dustAt, dustAt });
    const [world, command] = attempt({ rules }, tickOf(dustAt, -1));
    world.submit(command, alice);
  });

  it('is accepted without the check, and with the check if the coin becomes dust only after the latest possible time', () => {
    const world = worldOf();
    const coin = world.fund(alice, '1');
    world.submit(offerOf([coin], { amount: Amount.unit, executeBefore: Instant.latest }), alice);
    const checked = worldOf({ rules: { checksLockVersusDust: true } });
    const large = checked.fund(alice, '9000000000000000');
    checked.submit(offerOf([large], { amount: amount('9000000000000000'), executeBefore: Instant.latest }), alice);
  });

  it('is refused when its coin would already be dust at its creation', () => {
    // Registry coins of the 24-hour profile carry an old round, so that they can be born as dust.
    const world = worldOf({ profile: 'feeless-24h', rules: { checksLockVersusDust: true } });
    world.advanceRounds(5);
    const coin = world.fund(alice, '1');
    const { opensAt: dustAt } = newestUsableRound(world.state, world.now)!; // rounds are open
    const executeBefore = tickOf(world.now, 1);
    // Made in round 0 as the sixth is used: of one unit it is dust long since, of four rounds' fees just now.
    for (const value of [Amount.unit, Amount.times(rate, 4)]) {
      const tiny = offerOf([coin], { amount: value, executeBefore });
      expect(world.refused('LOCK_OUTLIVES_AMULET', tiny, alice).dustAt).toBe(dustAt);
    }
  });

  it('is refused for missing funds first', () => {
    const [world, command] = attempt({}, second(1800));
    world.refused('INSUFFICIENT_FUNDS', { ...command, amount: amount('2') }, alice);
  });
});

describe('accepting an offer', () => {
  it.each([['feeless'], ['feeless-24h']] as const)('gives the receiver exactly the amount (%s)', (profile) => {
    const { world, instruction, lockedHolding } = offered({ profile });
    const supply = world.state.minted - world.state.burned;
    const { archived, created, detail } = world.accepted('TransferAccepted', accept(instruction), bob);
    expect(archived).toEqual([lockedHolding, instruction]);
    expect(created).toMatchObject([{ template: 'Holding', owner: bob, amount: amount('30'), lock: null }]);
    expect(detail).toMatchObject({
      sender: alice,
      receiver: bob,
      amount: amount('30'),
      inputs: 1,
      holdings: [created[0]?.id],
      change: null,
      fees: null,
      rewards: null,
      meta: { reason: 'rent' },
    });
    expect(world.coinsOf(bob)).toEqual(['30.0']);
    expect(world.lockedCoinsOf(alice)).toEqual([]);
    expect(world.state.minted - world.state.burned).toBe(supply);
  });

  it('earns no reward, also when the sender is featured', () => {
    const { world, instruction } = offered();
    world.put({ template: 'FeaturedAppRight', provider: alice });
    world.put({ template: 'FeaturedAppRight', provider: bob });
    const { created } = world.accepted('TransferAccepted', accept(instruction), bob);
    expect(created.map(({ template }) => template)).toEqual(['Holding']);
  });

  it('is possible until one microsecond before the deadline', () => {
    const { world, instruction } = offered();
    const late = world.fork().at(deadline);
    expect(late.refused('DEADLINE_PASSED', accept(instruction), bob)).toEqual({
      code: 'DEADLINE_PASSED',
      deadline,
      at: deadline,
    });
    world.at(tickOf(deadline, -1)).submit(accept(instruction), bob);
  });

  it('stamps the coin with the round of the acceptance', () => {
    const { world } = offered();
    const coin = world.fund(alice, '7');
    const { detail } = world.accepted(
      'TransferOffered',
      offerOf([coin], { amount: amount('7'), executeBefore: second(10_000) }),
      alice,
    );
    world.advanceRounds(2);
    world.submit(accept(detail.instruction), bob);
    expect(world.holdings(bob)[0]?.createdAt).toBe(3);
  });

  interface Plan {
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly ended: boolean;
    readonly coinGone: boolean;
  }
  precedence<Plan>(
    { at: second(1), actAs: [bob], ended: false, coinGone: false },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['CONTRACT_NOT_FOUND', { ended: true }, 'the instruction has ended'],
      ['NOT_AUTHORISED', { actAs: [alice, dso] }],
      ['DEADLINE_PASSED', { at: deadline }],
      ['CONTRACT_NOT_FOUND', { coinGone: true }, 'the coin is gone'],
    ],
    (code, { at, actAs, ended, coinGone }) => {
      const { world, instruction, lockedHolding } = offered();
      if (coinGone) world.submit({ type: 'Unlock', holding: lockedHolding }, alice, dso);
      if (ended) world.take(instruction);
      world.at(at).refused(code, accept(instruction), ...actAs);
    },
  );
});

describe('rejecting or withdrawing an offer', () => {
  const endings = [
    ['rejecting', reject, bob, 'TransferRejected'],
    ['withdrawing', withdraw, alice, 'TransferWithdrawn'],
  ] as const;

  describe.each(endings)('%s', (_, command, actor, kind) => {
    it.each([
      ['long before the deadline', second(1)],
      ['at the deadline', deadline],
      ['a year later', second(31_536_000)],
    ])('returns the coin unchanged, %s', (_when, at) => {
      const { world, instruction, lockedHolding } = offered();
      const [locked] = world.locked(alice);
      world.at(at);
      const { archived, created, detail } = world.accepted(kind, command(instruction), actor);
      expect(archived).toEqual([lockedHolding, instruction]);
      const { id: _id, ...coin } = locked!; // the offer locked it
      expect(created).toEqual([{ ...coin, id: detail.holding, lock: null }]);
      expect(detail).toMatchObject({ instruction, sender: alice, receiver: bob, amount: amount('30') });
      expect(world.coinsOf(alice)).toEqual(['70.0', '30.0']);
      expect(world.lockedCoinsOf(alice)).toEqual([]);
    });

    it('is refused until the deadline when the locked coin is archived', () => {
      const { world, instruction, lockedHolding } = offered();
      world.submit({ type: 'Unlock', holding: lockedHolding }, alice, dso);
      world.at(tickOf(deadline, -1)).refused('DEADLINE_NOT_REACHED', command(instruction), actor);
      world.at(deadline);
      const { archived, created, detail } = world.accepted(kind, command(instruction), actor);
      expect([archived, created, detail.holding]).toEqual([[instruction], [], null]);
    });

    it.each([
      [
        'the owner freed it',
        (world: World, holding: ContractId) => world.submit({ type: 'OwnerExpireLock', holding }, alice),
      ],
      [
        'the owner spent it',
        (world: World, holding: ContractId) =>
          world.submit({ type: 'SelfTransfer', sender: alice, amount: amount('30'), inputs: [holding] }, alice),
      ],
    ])('succeeds after the deadline when %s', (_how, lose) => {
      const { world, instruction, lockedHolding } = offered();
      world.at(deadline);
      lose(world, lockedHolding);
      const before = world.coinsOf(alice);
      expect(world.accepted(kind, command(instruction), actor).detail.holding).toBeNull();
      expect(world.coinsOf(alice)).toEqual(before);
    });

    interface Plan {
      readonly at: Instant;
      readonly actAs: readonly PartyId[];
      readonly ended: boolean;
      readonly coinGone: boolean;
    }
    precedence<Plan>(
      { at: second(1), actAs: [actor], ended: false, coinGone: false },
      [
        ['TIME_IN_PAST', { at: second(-1) }],
        ['CONTRACT_NOT_FOUND', { ended: true }],
        ['NOT_AUTHORISED', { actAs: [actor === bob ? alice : bob, dso, carol] }],
        ['DEADLINE_NOT_REACHED', { coinGone: true }],
      ],
      (code, { at, actAs, ended, coinGone }) => {
        const { world, instruction, lockedHolding } = offered();
        if (coinGone) world.submit({ type: 'Unlock', holding: lockedHolding }, alice, dso);
        if (ended) world.take(instruction);
        world.at(at).refused(code, command(instruction), ...actAs);
      },
    );
  });
});

describe('expiring an offer', () => {
  it.each([['feeless'], ['feeless-24h']] as const)('returns the coin from the deadline on (%s)', (profile) => {
    const { world, instruction } = offered({ profile });
    world.at(tickOf(deadline, -1)).refused('DEADLINE_NOT_REACHED', expire(instruction), dso);
    world.at(deadline);
    const { detail } = world.accepted('TransferExpired', expire(instruction), dso);
    expect(world.coinsOf(alice)).toEqual(['70.0', '30.0']);
    expect(world.holdings(alice)[1]?.id).toBe(detail.holding);
  });

  it('ends an instruction that lost its coin', () => {
    const { world, instruction, lockedHolding } = offered();
    world.at(deadline).submit({ type: 'OwnerExpireLock', holding: lockedHolding }, alice);
    expect(world.accepted('TransferExpired', expire(instruction), dso).detail.holding).toBeNull();
    expect(world.coinsOf(alice)).toEqual(['70.0', '30.0']);
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly ended: boolean;
  }
  precedence<Plan>(
    { options: {}, at: deadline, actAs: [dso], ended: false },
    [
      ['CONTRACT_NOT_FOUND', { ended: true }],
      ['NOT_AUTHORISED', { actAs: [alice, bob] }],
      ['INVALID_ARGUMENT', { options: { rules: { dsoExpiresInstructions: false } } }, 'a profile without'],
      ['DEADLINE_NOT_REACHED', { at: tickOf(deadline, -1) }],
    ],
    (code, { options, at, actAs, ended }) => {
      const { world, instruction } = offered(options);
      if (ended) world.take(instruction);
      world.at(at).refused(code, expire(instruction), ...actAs);
    },
  );

  it('is refused to the DSO of the legacy profile', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    const coin = world.fund(alice, '100');
    const { detail } = world.accepted('TransferOffered', offerOf([coin]), alice);
    world.at(deadline).refused('INVALID_ARGUMENT', expire(detail.instruction), dso);
    world.submit(withdraw(detail.instruction), alice);
  });
});

describe('an ended offer', () => {
  const ends: readonly (readonly [string, (id: ContractId) => Command, PartyId, Instant])[] = [
    ['accepted', accept, bob, second(1)],
    ['rejected', reject, bob, second(1)],
    ['withdrawn', withdraw, alice, second(1)],
    ['expired', expire, dso, deadline],
  ];
  it.each(ends)('accepts no command once %s', (_, command, actor, at) => {
    const { world, instruction } = offered();
    world.at(at).submit(command(instruction), actor);
    for (const [, again, who] of ends) {
      expect(world.refused('CONTRACT_NOT_FOUND', again(instruction), who).contract).toBe(instruction);
    }
  });
});

describe('an offer in the legacy profile', () => {
  const price = amount('0.15');
  const day = Duration.days(1);

  it('reserves four times its fees in addition to the amount, as in the worked example of the specification', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price });
    const coin = world.fund(alice, '1000');
    const executeBefore = Instant.plus(world.now, day);
    const { detail, created } = world.accepted(
      'TransferOffered',
      offerOf([coin], { amount: amount('100'), executeBefore }),
      alice,
    );
    expect(created).toMatchObject([
      { template: 'ValidatorRewardCoupon', user: alice, amount: amount('0.2333333333') },
      { template: 'AppRewardCoupon', provider: alice, featured: false, amount: amount('0.2333333333') },
      { template: 'Holding' },
      { template: 'Holding' },
      { template: 'TransferInstruction' },
    ]);
    expect(world.lockedCoinsOf(alice)).toEqual(['104.873059456']);
    // Creating the locked coin costs its create fee and one lock holder, the change another create fee.
    expect(detail.fees).toEqual({
      holdingFees: 0n,
      outputFees: [amount('0.2333333333')],
      changeFee: amount('0.2'),
    });
    expect(world.coinsOf(alice)).toEqual(['894.6936072107']);
    expect(detail.burned).toBe(amount('0.4333333333'));

    const accepted = world.accepted('TransferAccepted', accept(detail.instruction), bob);
    expect(world.coinsOf(bob)).toEqual(['100.0']);
    expect(accepted.detail.fees).toEqual({ holdingFees: 0n, outputFees: [amount('1.2')], changeFee: amount('0.2') });
    // What the reserve has left is back with the sender.
    expect(world.coinsOf(alice)).toEqual(['894.6936072107', '3.473059456']);
    expect(accepted.created.map(({ template }) => template)).toEqual([
      'ValidatorRewardCoupon',
      'AppRewardCoupon',
      'Holding',
      'Holding',
    ]);
  });

  it('reserves holding fees for the time from request to deadline, not for the remaining time', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price });
    const [one, other] = world.fundEach(alice, ['1000', '1000']);
    const requestedAt = world.now;
    world.at(Instant.plus(world.now, day));
    const executeBefore = tickOf(world.now, 1);
    const terms = { amount: amount('100'), executeBefore };
    world.submit(offerOf([one!], { ...terms, requestedAt }), alice);
    world.submit(offerOf([other!], terms), alice);
    // Four times 1.2 and a day's holding fee of 0.018264864; of a microsecond's nothing is left.
    expect(world.lockedCoinsOf(alice)).toEqual(['104.873059456', '104.8']);
  });

  it('stays open when its reserve does not cover the fees of the acceptance', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price, rules: { feeReserveFactor: 0 } });
    const coin = world.fund(alice, '1000');
    const { detail } = world.accepted('TransferOffered', offerOf([coin], { amount: amount('100') }), alice);
    expect(world.refused('INSUFFICIENT_FUNDS', accept(detail.instruction), bob).missing).toBe(amount('1.2'));
    world.submit(reject(detail.instruction), bob);
  });

  it('returns its reserve in full when it is withdrawn', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price });
    const coin = world.fund(alice, '1000');
    const { detail } = world.accepted('TransferOffered', offerOf([coin], { amount: amount('100') }), alice);
    const [change] = world.coinsOf(alice);
    const [locked] = world.lockedCoinsOf(alice);
    expect(world.submit(withdraw(detail.instruction), alice).detail).toMatchObject({ minted: 0n, burned: 0n });
    expect(world.coinsOf(alice)).toEqual([change, locked]);
  });

  it('counts its fee reserve towards the missing funds', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price });
    const coin = world.fund(alice, '105');
    const command = offerOf([coin], { amount: amount('100'), executeBefore: Instant.plus(world.now, day) });
    // 104.873059456 locked and 0.2333333333 for locking it.
    expect(world.refused('INSUFFICIENT_FUNDS', command, alice).missing).toBe(amount('0.1063927893'));
    const rest = world.fund(alice, '0.1063927893');
    world.submit({ ...command, inputs: [coin, rest] }, alice);
    expect(world.coinsOf(alice)).toEqual([]);
  });
});
