import {
  holdingsOf,
  Amount,
  Duration,
  Instant,
  LAWS,
  Round,
  PartyId,
  type Contract,
  type ContractId,
  type ProfileName,
  type Step,
} from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import { newestUsableRound } from '@coinlab/core/rules';
import { cast } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, one, Scene, but, leading, remade, without, walletOffer } from './laws-scene.ts';

const { dso, external, provider } = cast;

/** Of each law a step that keeps it, and what makes the step break it. */
const BROKEN: Readonly<
  Record<string, readonly [(scene: Scene) => Step, (step: Step, scene: Scene) => Step, ProfileName?]>
> = {
  'the controllers of every choice act': [(s) => s.tap(), (step) => but(step, { actAs: [bob] })],
  'every exercised contract is active': [
    (s) => s.settled('RejectOffer'),
    (step) => but(step, { archived: step.update.archived.slice(0, 1) }),
  ],
  'the signatories of a created contract have agreed to it': [
    (s) => s.tap(),
    (step) => but(step, { created: remade(step, 'Holding', () => ({ owner: carol })) }),
  ],
  'every archived contract is archived by its own choice or by all its signatories': [
    (s) => s.self(),
    (step, s) => but(step, { archived: [...step.update.archived, s.first('FeaturedAppRight').id, s.coin(bob)] }),
  ],
  'no coin except dust is consumed without its owner': [
    (s) => s.self(),
    (step, s) => but(step, { archived: [s.coin(bob)] }),
  ],
  'the inputs of a transfer belong to its sender': [
    (s) => s.self(),
    (step, s) => but(step, { actAs: [alice, bob], archived: [s.coin(bob)] }),
  ],
  'the registry takes coins and no coupons': [
    (s) => s.direct(),
    (step, s) => but(step, { archived: [s.first('SvRewardCoupon').id] }),
  ],
  'only the receiver accepts or rejects, only the sender withdraws': [
    (s) => s.settled('AcceptOffer'),
    (step) => but(step, { actAs: [bob] }),
  ],
  'each nonce of a sender takes effect once, in order': [
    (s) => s.step({ type: 'CreateTransferCommandCounter', sender: carol }, [dso]),
    (step) => but(step, { created: remade(step, 'TransferCommandCounter', () => ({ nextNonce: 1 })) }),
  ],
  'a tracking id belongs to one offer or request of its wallet, and its outcome is final': [
    (s) => s.step(walletOffer(s, 'first'), [bob]),
    (step) => but(step, { created: remade(step, 'TrackingRecord', () => ({ status: 'completed', trackingId: 'x' })) }),
  ],
  'the bought traffic of a member equals the sum of its contracts, which only purchases increase': [
    (s) => s.buy(),
    (step) => leading(step, { created: remade(step, 'MemberTraffic', () => ({ totalPurchasedBytes: 1 })) }),
  ],
  'a member never uses more extra traffic than it bought': [
    (s) => s.buy(),
    (step) =>
      but(step, {
        created: remade(step, 'MemberTrafficBalance', ({ purchasedBytes }) => ({ consumedBytes: purchasedBytes + 1 })),
      }),
  ],
  'each purchase of a top-up loop is later than the one before': [
    (s) => s.topUp(),
    (step) =>
      but(step, { created: remade(step, 'ValidatorTopUpState', () => ({ lastPurchasedAt: Instant.ofMicros(-1n) })) }),
  ],
  'an external party acts by signed transactions only': [
    (s) => s.signed(),
    (step) => but(step, { created: without(step, 'ExecutedTransaction') }),
  ],
  'a prepared transaction takes effect once, before it expires': [
    (s) => s.signed(),
    (step) =>
      but(step, { created: remade(step, 'ExecutedTransaction', () => ({ expiresAt: step.update.recordTime })) }),
  ],
  'the key of an external party has the fingerprint in its id': [
    (s) => s.registered(),
    (step) => but(step, { created: remade(step, 'ExternalPartyKey', () => ({ publicKey: external.publicKey })) }),
  ],
  'no transfer has more inputs than allowed': [(s) => s.self(), (step) => but(step, { detail: { inputs: 101 } })],
  'no transfer has more outputs than allowed': [
    (s) => s.self(),
    (step) => but(step, { created: Array.from({ length: 102 }, () => step.update.created[0]) }),
  ],
  'no coin has more lock holders than allowed': [
    (s) => s.offer(),
    (step) => {
      const holders = Array.from({ length: 51 }, (_, i) => PartyId.of(`holder${i}`));
      return but(step, {
        created: remade(step, 'Holding', ({ lock }) => ({ lock: lock && { ...lock, holders } })),
      });
    },
  ],
  'only the operator merges, only the delegate mints': [(s) => s.merge(), (step) => but(step, { actAs: [bob] })],
  'a delegated merge keeps the total of its owner, plus the extra transfer': [(s) => s.merge(), aUnitLost],
  'a delegated mint adds all minted coin to the beneficiary and takes none': [(s) => s.mint(), aUnitLost],
  'accepting a minting delegation replaces the one it names': [
    (s) => {
      const expiresAt = Instant.plus(s.now, Duration.days(1));
      const terms = { beneficiary: bob, delegate: provider, expiresAt, amuletMergeLimit: 3 };
      s.step({ type: 'ProposeMintingDelegation', ...terms }, [bob]);
      const proposal = s.first('MintingDelegationProposal').id;
      return s.step({ type: 'AcceptMintingDelegation', proposal }, [provider]);
    },
    (step, s) => but(step, { detail: { replaced: s.first('MintingDelegation').id } }),
  ],
  'a delegated merge leaves fewer coins than it takes': [
    (s) => s.merge(),
    (step) => but(step, { detail: { calls: [{ inputs: 1, holdings: [1], owner: bob, extra: 0n }] } }),
  ],
  'a minting delegation merges no further than its limit': [
    (s) => s.mint(),
    (step, s) => {
      const coins = [...holdingsOf(step.before, carol, 'largest')];
      const burned = Amount.sum(coins.map(({ amount }) => amount));
      expect(s.coins(carol).length).toBeGreaterThan(0);
      return leading(step, { archived: coins.map(({ id }) => id), created: [], detail: { minted: 0n, burned } });
    },
  ],
  'a coupon is minted while its own round is issuing, a grant before it expires': [
    (s) => s.collected(),
    (step, s) => {
      const open = newestUsableRound(s.ledger.state, s.now)?.round;
      const waiting = s.direct().update.created.find(({ template }) => template === 'AppRewardCoupon');
      expect(waiting).toMatchObject({ round: open });
      return but({ ...step, before: s.ledger.state }, { archived: [waiting?.id] });
    },
  ],
  'a coupon expires with its round, at the worth of its payout': [
    (s) => s.claimed(),
    (step) => but(step, { detail: { unclaimed: 1n } }),
  ],
  'a round pays no more than it issues': [
    (s) => s.issued(),
    (step) =>
      but(step, {
        created: remade(step, 'IssuingMiningRound', ({ perSvRewardCoupon }) => ({
          perSvRewardCoupon: Amount.times(perSvRewardCoupon, 2),
        })),
      }),
  ],
  'the payouts and the unclaimed coin of a round equal its issuance': [
    (s) => s.issued(),
    (step) => but(step, { created: remade(step, 'UnclaimedReward', () => ({ amount: one })) }),
  ],
  'the pools of unclaimed rewards lose nothing': [
    (s) => s.issued(),
    (step) =>
      but(step, { created: remade(step, 'UnclaimedReward', ({ amount }) => ({ amount: Amount.sub(amount, one) })) }),
  ],
  'featured apps earn at least as much as other apps, and no app more than the cap': [
    (s) => s.issued(),
    (step) =>
      but(step, {
        created: remade(step, 'IssuingMiningRound', () => ({ perFeaturedAppRewardCoupon: Amount.of('0.1') })),
      }),
  ],
  'without fees a preapproved transfer earns its provider one featured reward, or none': [
    (s) => s.direct(),
    (step) => but(step, { created: without(step, 'AppRewardCoupon') }),
  ],
  'without fees only featured apps are rewarded': [
    (s) => s.direct(),
    (step) => but(step, { created: remade(step, 'AppRewardCoupon', () => ({ featured: false })) }),
  ],
  'the shares of a reward sum to the whole': [
    (s) => s.collectedBySv(),
    (step) => but(step, { created: remade(step, 'SvRewardCoupon', ({ weight }) => ({ weight: weight - 1 })) }),
  ],
  'a validator is live once per round, and a super validator collects once': [
    (s) => s.lively(),
    (step) => {
      const [record] = step.update.created.filter(({ template }) => template === 'ValidatorLivenessActivityRecord');
      const again = { ...record, id: (step.after.nextContract + 1) as ContractId } as Contract;
      return leading(step, { created: [...step.update.created, again] });
    },
  ],
  'three consecutive rounds are open': [
    (s) => s.advanced(),
    (step) => leading(step, { created: without(step, 'OpenMiningRound') }),
  ],
  'a round is in one phase, and its phases follow each other': [
    (s) => s.advanced(),
    (step) => but(step, { created: remade(step, 'SummarizingMiningRound', () => ({ round: Round.of(99) })) }),
  ],
  'a round stays open, and issuing, until its target close': [
    (s) => s.advanced(),
    (step) => but(step, { recordTime: step.before.time }),
  ],
  'a round keeps its price and its figures': [
    (s) => s.advanced(),
    (step) => but(step, { created: remade(step, 'SummarizingMiningRound', () => ({ amuletPrice: one })) }),
  ],
  'later rounds open and close later': [
    (s) => s.advanced(),
    (step) => leading(step, { created: remade(step, 'OpenMiningRound', () => ({ opensAt: Instant.ofMicros(0n) })) }),
  ],
  'an archived contract was active before, is named once, and is not active afterwards': [
    (s) => s.self(),
    (step) => but(step, { archived: [...step.update.archived, ...step.update.archived] }),
  ],
  'ids ascend and are never used again': [
    (s) => s.tap(),
    (step) => but(step, { created: remade(step, 'Holding', () => ({ id: 1 as ContractId })) }),
  ],
  'a transfer consumes each of its inputs, each once': [
    (s) => s.self(),
    (step) => but(step, { detail: { inputs: 2 } }),
  ],
  'a coupon is only minted in a transfer or expired': [
    (s) => s.tap(),
    (step, s) => but(step, { archived: [s.first('SvRewardCoupon').id] }),
  ],
  'an instruction or a payment locks one coin of its own, until its deadline': [
    (s) => s.offer(),
    (step) =>
      but(step, {
        created: remade(step, 'Holding', ({ lock }) => ({
          lock: lock && { ...lock, expiresAt: Instant.plus(lock.expiresAt, Duration.seconds(1)) },
        })),
      }),
  ],
  'an ended contract is archived and cannot be named again': [
    (s) => s.settled('RejectOffer'),
    (step) => but(step, { archived: step.update.archived.slice(0, 1) }),
  ],
  'an instruction ends once: accepted, rejected, withdrawn or expired': [
    (s) => s.settled('RejectOffer'),
    (step) => but(step, { detail: { instruction: 1 } }),
  ],
  'a running lock is ended only by its instruction, or by owner and holders': [
    (s) => {
      s.offer();
      return s.self();
    },
    (step) => but(step, { archived: [...lockedHoldingsOf(step.before, bob)].map(({ id }) => id) }),
  ],
  'ledger time never decreases': [(s) => s.tap(), (step) => but(step, { recordTime: Instant.ofMicros(0n) })],
  'an offer is accepted before its deadline and expired after it': [
    (s) => s.settled('AcceptOffer'),
    (step) => but(step, { recordTime: Instant.plus(step.update.recordTime, Duration.hours(1)) }),
  ],
  'a coin is expired as dust only once it is dust': [
    (s) => s.dust(),
    (step, s) => but(step, { archived: [s.coin(alice)] }),
  ],
  'a locked coin is not expired as dust before its lock ends': [
    (s) => {
      const until = Instant.plus(s.now, Duration.days(1));
      const terms = { sender: bob, receiver: carol, amount: one, executeBefore: until };
      s.step({ type: 'CreateOffer', ...terms, inputs: [s.coin(bob)] }, [bob]);
      return s.dust();
    },
    (step) => but(step, { archived: [...lockedHoldingsOf(step.before, bob)].map(({ id }) => id) }),
  ],
  'a preapproved transfer takes effect while its preapproval is valid': [
    (s) => s.direct(),
    (step) => but(step, { recordTime: Instant.plus(step.update.recordTime, Duration.days(90)) }),
  ],
  'renewal prolongs a preapproval and changes nothing else': [
    (s) => s.renewed(),
    (step) => but(step, { created: remade(step, 'TransferPreapproval', () => ({ provider: carol })) }),
  ],
  'created minus archived coin equals minted minus burned coin': [
    (s) => s.tap(),
    (step) => but(step, { detail: { minted: one + 1n } }),
  ],
  'coin is minted by taps and coupons only': [(s) => s.tap(), (step) => but(step, { detail: { amount: 1n } })],
  'coin is burned for fees, purchases and dust only': [
    (s) => s.self(),
    (step) => but(step, { detail: { burned: 1n } }),
  ],
  'the ledger counts minted and burned coin': [
    (s) => s.tap(),
    (step) => ({ ...step, after: { ...step.after, minted: step.before.minted } }),
  ],
  'without fees a transfer of coins keeps every unit': [
    (s) => s.self(),
    (step) => but(step, { created: remade(step, 'Holding', ({ amount }) => ({ amount: Amount.add(amount, one) })) }),
  ],
  'without fees the receiver gets exactly the amount': [
    (s) => s.direct(),
    (step) => but(step, { detail: { amount: one + 1n } }),
  ],
  'a transfer burns exactly the fees in its detail': [
    (s) => s.direct(),
    (step) => but(step, { detail: { burned: 1n } }),
  ],
  'a transfer charges the holding fees that its inputs have accrued, where fees are charged': [
    (s) => s.direct(),
    (step) => {
      const { detail } = step.update;
      const fees = 'fees' in detail ? detail.fees : null;
      expect(fees?.holdingFees).toBeGreaterThan(0n);
      return but(step, { detail: { fees: { ...fees, holdingFees: Amount.zero } } });
    },
    'legacy-fees',
  ],
  'the creation and the end of an offer keep the total of its sender': [(s) => s.offer(), aUnitLost],
  'acceptance moves exactly the amount from sender to receiver': [
    (s) => s.settled('AcceptOffer'),
    (step) => leading(step, { created: remade(step, 'Holding', () => ({ owner: alice })) }),
  ],
  'unlocking changes neither amount, round, rate nor owner': [
    (s) => s.settled('RejectOffer'),
    (step) => but(step, { created: remade(step, 'Holding', () => ({ createdAt: Round.of(99) })) }),
  ],
  'every coin has a positive amount of at most 38 digits': [
    (s) => s.tap(),
    (step) => but(step, { created: remade(step, 'Holding', () => ({ amount: Amount.zero })) }),
  ],
};

/** The step with a unit of its last coin burned on the way. */
function aUnitLost(step: Step): Step {
  const last = step.update.created.findLast(({ template }) => template === 'Holding');
  const created = remade(step, 'Holding', ({ id, amount }) =>
    id === last?.id ? { amount: Amount.sub(amount, Amount.unit) } : {},
  );
  return leading(step, { created, detail: { burned: 1n } });
}

describe('a law', () => {
  it('is listed once and has a forged step that breaks it', () => {
    const names = LAWS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(BROKEN).sort()).toEqual([...names].sort());
  });

  it.each(LAWS.map((law) => [law.name, law] as const))('is broken by its forged step: %s', (name, law) => {
    const [keeps, breaks, profile] = BROKEN[name] ?? [];
    if (!keeps || !breaks) throw new Error(`no step that breaks the law: ${name}`);
    const scene = new Scene(profile);
    const kept = keeps(scene);
    expect(law.holds(kept)).toBe(true);
    expect(law.holds(breaks(kept, scene))).toBe(false);
  });
});
