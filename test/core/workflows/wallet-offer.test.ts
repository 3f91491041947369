import { Amount, contractsOf, type Command, type ContractId, type LedgerOptions, type PartyId } from '@coinlab/core';
import { contractsByKey, dueBy, trackingOf } from '@coinlab/core/views';
import { offersBetweenKey, type TrackingRecord } from '@coinlab/core/contracts';
import { outOfFundsReason, WITHDRAWN_BY_SENDER } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

const deadline = second(100);
const nowhere = 999_999 as ContractId;

function offerOf(fields: Partial<CommandOf<'CreateWalletOffer'>> = {}): CommandOf<'CreateWalletOffer'> {
  return {
    type: 'CreateWalletOffer',
    sender: alice,
    receiver: bob,
    amount: amount('30'),
    unit: 'coin',
    description: 'rent',
    expiresAt: deadline,
    trackingId: 'rent-1',
    ...fields,
  };
}

const accept = (offer: ContractId): Command => ({ type: 'AcceptWalletOffer', offer });
const reject = (offer: ContractId): Command => ({ type: 'RejectWalletOffer', offer });
const withdraw = (offer: ContractId): Command => ({ type: 'WithdrawWalletOffer', offer, reason: WITHDRAWN_BY_SENDER });
const expire = (offer: ContractId): Command => ({ type: 'ExpireWalletOffer', offer });
const abort = (accepted: ContractId, reason = 'no'): Command => ({ type: 'AbortWalletOffer', accepted, reason });
const withdrawAccepted = (accepted: ContractId): Command => ({
  type: 'WithdrawAcceptedWalletOffer',
  accepted,
  reason: 'changed my mind',
});
const complete = (accepted: ContractId, inputs: readonly ContractId[], walletProvider: PartyId = alice): Command => ({
  type: 'CompleteWalletOffer',
  accepted,
  walletProvider,
  inputs,
});

/** A world in which alice, who has a coin of 100, has offered bob 30 through her wallet. */
function offered(options: LedgerOptions = {}, fields: Partial<CommandOf<'CreateWalletOffer'>> = {}) {
  const world = worldOf(options);
  const coin = world.fund(alice, '100');
  const { detail } = world.accepted('WalletOfferCreated', offerOf(fields), alice);
  return { world, coin, offer: detail.offer };
}

/** The same after bob has accepted. */
function agreed(options: LedgerOptions = {}, fields: Partial<CommandOf<'CreateWalletOffer'>> = {}) {
  const { world, coin, offer } = offered(options, fields);
  const { detail } = world.accepted('WalletOfferAccepted', accept(offer), bob);
  return { world, coin, offer, accepted: detail.accepted };
}

/** Status, failure, reason and contract of a tracking id in a wallet. */
function statusOf(world: World, wallet: PartyId, trackingId = 'rent-1') {
  const found = trackingOf(world.state, wallet, 'transfer', trackingId);
  return (
    found && (({ status, failure, reason, contract }: TrackingRecord) => [status, failure, reason, contract])(found)
  );
}

describe('a wallet offer', () => {
  it('locks no coin, and is visible to sender and receiver', () => {
    const { world, coin, offer } = offered();
    expect(world.holdings(alice).map(({ id }) => id)).toEqual([coin]);
    for (const party of [alice, bob]) {
      expect([...contractsOf(world.state, 'TransferOffer', party)]).toMatchObject([
        { id: offer, sender: alice, receiver: bob, amount: amount('30'), unit: 'coin', description: 'rent' },
      ]);
      expect(statusOf(world, party)).toEqual(['created', null, null, offer]);
    }
  });

  it('can exceed its sender’s funds, and can have a deadline in the past', () => {
    const world = worldOf();
    world.submit(offerOf({ amount: amount('1000000'), expiresAt: second(-1) }), alice);
  });

  it('can name its sender as the receiver', () => {
    const { world, coin, offer } = offered({}, { receiver: alice });
    const { detail } = world.accepted('WalletOfferAccepted', accept(offer), alice);
    world.submit(complete(detail.accepted, [coin]), alice);
    expect(world.coinsOf(alice)).toEqual(['30.0', '70.0']);
    expect(statusOf(world, alice)?.[0]).toBe('completed');
  });

  precedence(
    { actor: alice, amount: '30', description: 'x'.repeat(279), trackingId: 'fresh' },
    [
      ['NOT_AUTHORISED', { actor: bob }],
      ['NON_POSITIVE_AMOUNT', { amount: '0' }],
      ['INVALID_ARGUMENT', { description: '💰'.repeat(280) }, 'description'],
      ['INVALID_ARGUMENT', { trackingId: 'x'.repeat(280) }, 'tracking id'],
      ['DUPLICATE_TRACKING_ID', { trackingId: 'rent-1' }],
    ],
    (code, { actor, amount: value, ...fields }) => {
      offered().world.refused(code, offerOf({ amount: amount(value), ...fields }), actor);
    },
  );

  it('is refused with an amount of more than 38 digits, which the log could not store', () => {
    const most = offerOf({ amount: Amount.max });
    offered().world.accepted('WalletOfferCreated', { ...most, trackingId: 'most' }, alice);
    const beyond = (Amount.max + 1n) as Amount;
    offered().world.refused('INVALID_DECIMAL', { ...most, amount: beyond, trackingId: 'beyond' }, alice);
  });

  it('has a limit on the characters of its texts, not on their bytes', () => {
    offered({}, { description: '💰'.repeat(279), trackingId: '€'.repeat(279) });
    const long = offerOf({ description: 'x'.repeat(280) });
    expect(worldOf().refused('INVALID_ARGUMENT', long, alice).field).toBe('description');
  });
});

describe('an offered wallet offer', () => {
  it('is accepted by its receiver until it expires, and loses its description', () => {
    const { world, offer, accepted } = agreed();
    world.refused('CONTRACT_NOT_FOUND', accept(offer), bob);
    const [agreement] = contractsOf(world.state, 'AcceptedTransferOffer', bob);
    expect(agreement).toEqual({
      id: accepted,
      template: 'AcceptedTransferOffer',
      sender: alice,
      receiver: bob,
      amount: amount('30'),
      unit: 'coin',
      expiresAt: deadline,
      trackingId: 'rent-1',
    });
    expect(statusOf(world, alice)).toEqual(['accepted', null, null, accepted]);
  });

  it('can be accepted until just before its deadline', () => {
    const { world, offer } = offered();
    world.at(deadline).refused('DEADLINE_PASSED', accept(offer), bob);
    world.at(tickOf(deadline, -1)).submit(accept(offer), bob);
  });

  it.each([0, 200])('is rejected by its receiver, %d s after it was made', (seconds) => {
    const { world, offer } = offered();
    const { detail } = world.at(second(seconds)).accepted('WalletOfferRejected', reject(offer), bob);
    expect(detail).toMatchObject({ offer, wasAccepted: false, reason: null, trackingId: 'rent-1' });
    expect(statusOf(world, bob)).toEqual(['failed', 'rejected', null, null]);
  });

  it.each([0, 200])('is withdrawn by its sender with a reason, %d s after it was made', (seconds) => {
    const { world, offer } = offered();
    world.at(second(seconds)).accepted('WalletOfferWithdrawn', withdraw(offer), alice);
    expect(statusOf(world, alice)).toEqual(['failed', 'withdrawn', 'Withdrawn by sender', null]);
  });

  it.each([alice, bob])('is expired by sender or receiver from its deadline on', (side) => {
    const { world, offer } = offered();
    expect([...dueBy(world.state, tickOf(deadline, -1))]).toEqual([]);
    expect([...dueBy(world.state, deadline)]).toMatchObject([{ id: offer }]);
    world.at(tickOf(deadline, -1)).refused('DEADLINE_NOT_REACHED', expire(offer), side);
    world.at(deadline).accepted('WalletOfferExpired', expire(offer), side);
    expect(statusOf(world, alice)).toEqual(['failed', 'expired', null, null]);
  });

  it('can be changed only by the party that has the right to the change', () => {
    const { world, offer } = offered();
    for (const stranger of [alice, carol, dso]) {
      world.refused('NOT_AUTHORISED', accept(offer), stranger);
      world.refused('NOT_AUTHORISED', reject(offer), stranger);
    }
    for (const stranger of [bob, carol, dso]) world.refused('NOT_AUTHORISED', withdraw(offer), stranger);
    for (const stranger of [carol, dso]) world.refused('NOT_AUTHORISED', expire(offer), stranger);
    world.refused('CONTRACT_NOT_FOUND', complete(offer, []), alice);
    world.refused('CONTRACT_NOT_FOUND', abort(offer), alice);
  });

  it('accepts no command after its end', () => {
    for (const [end, actor] of [
      [reject, bob],
      [withdraw, alice],
    ] as const) {
      const { world, offer } = offered();
      world.submit(end(offer), actor);
      world.at(deadline);
      for (const command of [accept, reject, withdraw, expire]) {
        world.refused('CONTRACT_NOT_FOUND', command(offer), alice, bob);
      }
    }
  });
});

describe('an accepted wallet offer', () => {
  it('is completed with its sender’s coins', () => {
    const { world, coin, accepted } = agreed();
    const { detail } = world.accepted('WalletOfferCompleted', complete(accepted, [coin], provider), alice, provider);
    expect(detail).toMatchObject({
      sender: alice,
      receiver: bob,
      amount: amount('30'),
      inputs: 1,
      walletProvider: provider,
      trackingId: 'rent-1',
      accepted,
      minted: 0n,
      burned: 0n,
    });
    expect([world.coinsOf(alice), world.coinsOf(bob)]).toEqual([['70.0'], ['30.0']]);
    expect(statusOf(world, bob)).toEqual(['completed', null, null, world.holdings(bob)[0]?.id]);
    world.refused('CONTRACT_NOT_FOUND', complete(accepted, [coin]), alice);
  });

  it('in USD is converted at the price of the paying round', () => {
    const { world, coin, accepted } = agreed({ amuletPrice: amount('0.15') }, { unit: 'usd', amount: amount('1') });
    const { detail } = world.accepted('WalletOfferCompleted', complete(accepted, [coin]), alice);
    expect(detail.amount).toBe(amount('6.6666666667'));
    expect(world.coinsOf(bob)).toEqual(['6.6666666667']);
  });

  it('in USD cannot be completed when its amount rounds to zero coin or exceeds 38 digits', () => {
    const cheap = agreed({ amuletPrice: amount('3') }, { unit: 'usd', amount: Amount.unit });
    cheap.world.refused('NON_POSITIVE_AMOUNT', complete(cheap.accepted, [cheap.coin]), alice);
    const huge = agreed({ amuletPrice: amount('0.1') }, { unit: 'usd', amount: Amount.max });
    huge.world.refused('INVALID_DECIMAL', complete(huge.accepted, [huge.coin]), alice);
  });

  it('in the profile with fees charges the sender, and gives the receiver the full amount', () => {
    const { world, coin, accepted } = agreed({ profile: 'legacy-fees', amuletPrice: amount('0.15') });
    const paid = world.accepted('WalletOfferCompleted', complete(accepted, [coin], provider), alice, provider);
    // 0.03 USD for each coin that is made, and 1 % of the first 100 USD.
    expect(paid.detail.fees).toEqual({ holdingFees: 0n, outputFees: [amount('0.5')], changeFee: amount('0.2') });
    expect([world.coinsOf(alice), world.coinsOf(bob)]).toEqual([['69.3'], ['30.0']]);
    expect(paid.created.filter(({ template }) => template.endsWith('RewardCoupon'))).toMatchObject([
      { template: 'ValidatorRewardCoupon', user: alice, amount: amount('0.5') },
      { template: 'AppRewardCoupon', provider, featured: false, amount: amount('0.5') },
    ]);
  });

  it('is refused with the missing amount, and is then aborted with a reason', () => {
    const { world, coin, accepted } = agreed({}, { amount: amount('101.5') });
    const { missing } = world.refused('INSUFFICIENT_FUNDS', complete(accepted, [coin]), alice);
    const reason = outOfFundsReason(missing);
    expect(reason).toBe('out of funds (missing 1.5 CC)');
    const { detail } = world.accepted('WalletOfferAborted', abort(accepted, reason), alice);
    expect(detail).toMatchObject({ offer: accepted, wasAccepted: true, reason });
    expect(statusOf(world, bob)).toEqual(['failed', 'withdrawn', reason, null]);
  });

  it('is withdrawn by its receiver, which counts as a rejection', () => {
    const { world, accepted } = agreed();
    const { detail } = world.accepted('WalletOfferRejected', withdrawAccepted(accepted), bob);
    expect(detail).toMatchObject({ wasAccepted: true, reason: 'changed my mind' });
    expect(statusOf(world, alice)).toEqual(['failed', 'rejected', 'changed my mind', null]);
  });

  it.each([alice, bob])('is expired by sender or receiver from its deadline on', (side) => {
    const { world, accepted } = agreed();
    world.at(tickOf(deadline, -1)).refused('DEADLINE_NOT_REACHED', expire(accepted), side);
    const { detail } = world.at(deadline).accepted('WalletOfferExpired', expire(accepted), side);
    expect(detail.wasAccepted).toBe(true);
    expect(statusOf(world, bob)).toEqual(['failed', 'expired', null, null]);
  });

  it('can be aborted or withdrawn after its deadline too', () => {
    for (const [end, actor] of [
      [abort, alice],
      [withdrawAccepted, bob],
    ] as const) {
      const { world, accepted } = agreed();
      world.at(deadline).submit(end(accepted), actor);
    }
  });

  it('accepts 100 coins and refuses 101', () => {
    const { world, accepted } = agreed();
    const coins = world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '1'),
    );
    expect(world.refused('MAX_INPUTS_EXCEEDED', complete(accepted, coins), alice)).toMatchObject({ limit: 100 });
    world.submit(complete(accepted, coins.slice(1)), alice);
  });

  it('can be changed only by the party that has the right to the change', () => {
    const { world, coin, accepted } = agreed();
    world.refused('NOT_AUTHORISED', complete(accepted, [coin], provider), alice);
    world.refused('NOT_AUTHORISED', complete(accepted, [coin], provider), bob, provider);
    for (const stranger of [bob, carol]) world.refused('NOT_AUTHORISED', abort(accepted), stranger);
    for (const stranger of [alice, carol]) world.refused('NOT_AUTHORISED', withdrawAccepted(accepted), stranger);
    world.refused('NOT_AUTHORISED', expire(accepted), carol);
    for (const command of [accept, reject, withdraw])
      world.refused('CONTRACT_NOT_FOUND', command(accepted), alice, bob);
  });

  precedence(
    { accepted: true, actor: alice, at: 0, inputs: 'coin' as 'coin' | 'other' | 'few' },
    [
      ['CONTRACT_NOT_FOUND', { accepted: false }],
      ['NOT_AUTHORISED', { actor: bob }],
      ['DEADLINE_PASSED', { at: 100 }],
      ['GROUP_MISMATCH', { inputs: 'other' }],
      ['INSUFFICIENT_FUNDS', { inputs: 'few' }],
    ],
    (code, { accepted: known, actor, at, inputs }) => {
      const { world, coin, accepted } = agreed();
      const named = { coin: [coin], other: [world.fund(carol, '1')], few: [world.fund(alice, '1')] }[inputs];
      world.at(second(at)).refused(code, complete(known ? accepted : nowhere, named), actor);
    },
  );
});

describe('a tracking id', () => {
  it('is used up in its wallet, whatever the outcome of its offer', () => {
    const { world, offer } = offered();
    world.submit(reject(offer), bob);
    expect(world.refused('DUPLICATE_TRACKING_ID', offerOf(), alice)).toEqual({
      code: 'DUPLICATE_TRACKING_ID',
      trackingId: 'rent-1',
    });
  });

  it('can be used again after its offer was refused', () => {
    const world = worldOf();
    world.refused('NON_POSITIVE_AMOUNT', offerOf({ amount: amount('-1') }), alice);
    world.submit(offerOf(), alice);
  });

  it("is separate for each wallet, and a lookup prefers the wallet's own offer", () => {
    const { world, offer } = offered();
    const { detail } = world.accepted('WalletOfferCreated', offerOf({ sender: bob, receiver: alice }), bob);
    expect(statusOf(world, alice)?.[3]).toBe(offer);
    expect(statusOf(world, bob)?.[3]).toBe(detail.offer);
    expect(statusOf(world, carol)).toBeNull();
  });

  it('of several incoming offers finds the latest', () => {
    const { world, offer } = offered();
    const other = world.accepted('WalletOfferCreated', offerOf({ sender: carol }), carol).detail.offer;
    expect(statusOf(world, bob)).toEqual(['created', null, null, other]);
    world.submit(reject(offer), bob);
    expect(statusOf(world, bob)).toEqual(['failed', 'rejected', null, null]);
  });
});

describe('the offers between two wallets', () => {
  it("are found without a scan of other wallets' offers", () => {
    const { world, offer } = offered();
    world.submit(offerOf({ sender: carol, trackingId: 'x' }), carol);
    const { accepted } = world.accepted('WalletOfferAccepted', accept(offer), bob).detail;
    world.submit(offerOf({ trackingId: 'rent-2' }), alice);
    const key = offersBetweenKey(alice, bob);
    expect([...contractsByKey(world.state, 'TransferOffer', key)]).toMatchObject([{ trackingId: 'rent-2' }]);
    expect([...contractsByKey(world.state, 'AcceptedTransferOffer', key)]).toMatchObject([{ id: accepted }]);
    expect([...contractsByKey(world.state, 'TransferOffer', offersBetweenKey(bob, alice))]).toEqual([]);
  });
});
