import { Effects } from '../contracts/effects.js';
import { contractsByKey, find, rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import { memberKey, trafficMember, type MemberTraffic, type TrafficMember } from '../contracts/traffic.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import {
  amount,
  bool,
  contractId,
  duration,
  instant,
  integer,
  list,
  optional,
  party,
  record,
} from '../kernel/shape.js';
import { Instant, type Duration } from '../kernel/time.js';
import { invalid, notDecimal, notFound, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import {
  namedMember,
  payTraffic,
  quoteTraffic,
  replaceTrafficBalance,
  requireMember,
  trafficBalanceRecord,
  trafficPurchaseDetail,
  type NamedMember,
  type TrafficPurchaseDetail,
} from '../rules/traffic/traffic-purchase.js';
import { consumeTraffic, extraBytesOf, initialTrafficBalance, messageCost } from '../rules/traffic/traffic.js';
import { createCoin } from '../rules/transfer/transfer.js';
import { by, byRules, byDso, byDsoOrSv, onArchived, throughRules } from '../rules/consent.js';
import { choiceOf, paidBy, inBatch } from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { outcomes } from './traffic/outcomes.js';

/**
 * Traffic: bought by burning coin, by a command or by a validator's top-up loop; used by messages; its contracts
 * merged by the DSO.
 * Source: specification §2.4, §3.14, §5.6, §8.3.
 */
export type TrafficCommand = BuyMemberTraffic | MergeMemberTraffic | CreateTopUpState | TopUpTraffic | ConsumeTraffic;

/** Buys extra traffic for a member. Acts as the payer. */
interface BuyMemberTraffic extends NamedMember {
  readonly type: 'BuyMemberTraffic';
  readonly payer: PartyId;
  readonly trafficBytes: number;
  readonly inputs: readonly ContractId[];
}

/** Merges at least two traffic contracts of one member. Acts as the DSO or any super validator. */
interface MergeMemberTraffic {
  readonly type: 'MergeMemberTraffic';
  readonly contracts: readonly ContractId[];
}

/** Starts a top-up loop. Acts as the validator. */
interface CreateTopUpState extends NamedMember {
  readonly type: 'CreateTopUpState';
  readonly validator: PartyId;
}

/** Buys traffic for a top-up loop; refused if its last purchase is too recent. Acts as the validator. */
interface TopUpTraffic {
  readonly type: 'TopUpTraffic';
  readonly topUpState: ContractId;
  readonly trafficBytes: number;
  /** Least time between two purchases of the loop. */
  readonly minTopupInterval: Duration;
  readonly inputs: readonly ContractId[];
  /** DevNet only. If true, the command first taps a coin of exactly the cost and uses it as the first input. Default: false. */
  readonly tap?: boolean;
}

/** Charges a message to a member's traffic. Acts as the DSO, which operates the synchronizer. Assumption: A-13. */
interface ConsumeTraffic extends NamedMember {
  readonly type: 'ConsumeTraffic';
  readonly bytes: number;
  /** Number of receiving members. Default: 0, for which the message costs its size. */
  readonly recipients?: number;
}

interface TopUpDetail extends TrafficPurchaseDetail {
  readonly topUpState: ContractId;
  readonly lastPurchasedAt: Instant;
  /** Coin tapped for the purchase; zero when the wallet paid. */
  readonly tapped: Amount;
}

interface MemberTrafficMergedDetail extends ValueDetail, TrafficMember {
  readonly merged: readonly ContractId[];
  readonly memberTraffic: ContractId;
  readonly totalPurchasedBytes: number;
}

interface TopUpStateDetail extends ValueDetail, TrafficMember {
  readonly topUpState: ContractId;
  readonly validator: PartyId;
}

interface TrafficConsumedDetail extends ValueDetail, TrafficMember {
  /** Bytes of traffic that the message cost. */
  readonly costBytes: number;
  /** Part of the cost paid from extra traffic; the base paid the rest. */
  readonly fromExtraBytes: number;
  readonly extraBytes: number;
}

export interface TrafficDetails {
  readonly TrafficPurchased: TrafficPurchaseDetail;
  readonly MemberTrafficMerged: MemberTrafficMergedDetail;
  readonly TopUpStateCreated: TopUpStateDetail;
  readonly TrafficToppedUp: TopUpDetail;
  readonly TrafficConsumed: TrafficConsumedDetail;
}

type Answer = Decision<TrafficDetails>;

export const traffic: Workflow<TrafficCommand, TrafficDetails, typeof outcomes> = {
  commands: {
    BuyMemberTraffic: shapeOf<BuyMemberTraffic>({
      payer: party,
      ...namedMember,
      trafficBytes: integer,
      inputs: list(contractId),
    }),
    MergeMemberTraffic: shapeOf<MergeMemberTraffic>({ contracts: list(contractId) }),
    CreateTopUpState: shapeOf<CreateTopUpState>({ validator: party, ...namedMember }),
    TopUpTraffic: shapeOf<TopUpTraffic>({
      topUpState: contractId,
      trafficBytes: integer,
      minTopupInterval: duration,
      inputs: list(contractId),
      tap: optional(bool),
    }),
    ConsumeTraffic: shapeOf<ConsumeTraffic>({ ...namedMember, bytes: integer, recipients: optional(integer) }),
  },
  outcomes,
  source: '§5.6, §2.4',
  updates: {
    TrafficPurchased: {
      detail: record<TrafficPurchaseDetail>(trafficPurchaseDetail),
      consent: byRules('payer'),
      ends: null,
      history: paidBy('payer', choiceOf('AmuletRules', 'AmuletRules_BuyMemberTraffic')),
    },
    MemberTrafficMerged: unrecorded(
      detailShape<MemberTrafficMergedDetail>({
        ...trafficMember,
        merged: list(contractId),
        memberTraffic: contractId,
        totalPurchasedBytes: integer,
      }),
      byDsoOrSv,
      null,
    ),
    TopUpStateCreated: unrecorded(
      detailShape<TopUpStateDetail>({ ...trafficMember, topUpState: contractId, validator: party }),
      by('validator'),
      null,
    ),
    TrafficToppedUp: {
      detail: record<TopUpDetail>({
        ...trafficPurchaseDetail,
        topUpState: contractId,
        lastPurchasedAt: instant,
        tapped: amount,
      }),
      consent: throughRules(onArchived('ValidatorTopUpState', 'validator')),
      ends: null,
      history: paidBy('payer', inBatch('CO_BuyMemberTraffic')),
    },
    TrafficConsumed: unrecorded(
      detailShape<TrafficConsumedDetail>({
        ...trafficMember,
        costBytes: integer,
        fromExtraBytes: integer,
        extraBytes: integer,
      }),
      byDso,
      null,
    ),
  },
  decide: byType({
    BuyMemberTraffic: buy,
    MergeMemberTraffic: merge,
    CreateTopUpState: createTopUpState,
    TopUpTraffic: topUp,
    ConsumeTraffic: consume,
  }),
};

function buy(
  { payer, inputs, trafficBytes, ...named }: BuyMemberTraffic,
  state: LedgerState,
  context: Context,
): Answer {
  const unauthorised = refuseUnlessActing(context, payer);
  if (unauthorised) return err(unauthorised);
  const member = requireMember(named, state);
  if (!member.ok) return member;
  const quote = quoteTraffic({ ...member.value, trafficBytes }, state, context.now);
  if (!quote.ok) return quote;
  const effects = new Effects(state);
  const paid = payTraffic(quote.value, { payer, inputs, now: context.now }, state, effects);
  return paid.ok ? ok(effects.outcome('TrafficPurchased', paid.value)) : paid;
}

function merge({ contracts }: MergeMemberTraffic, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  if (contracts.length < 2) {
    const value = `${contracts.length} contracts`;
    return err(invalid('contracts', value, 'two or more'));
  }
  const effects = new Effects(state);
  let sum: Omit<MemberTraffic, 'id'> | null = null;
  for (const id of contracts) {
    if (effects.hasArchived(id)) return err({ code: 'DUPLICATE_INPUT', contract: id });
    const part = effects.find('MemberTraffic', id);
    if (!part) return err(notFound(id, 'MemberTraffic'));
    if (sum && memberKey(part) !== memberKey(sum)) {
      const [expected, actual] = [memberKey(sum), memberKey(part)];
      return err({ code: 'GROUP_MISMATCH', contract: id, field: 'member', expected, actual });
    }
    sum = sum ? plus(sum, part) : part;
    if (!Amount.inRange(sum.usdSpent)) return err(notDecimal('usdSpent', sum.usdSpent));
    effects.archive(part);
  }
  if (!sum) return err(invalid('contracts', 'none', 'two or more'));
  const { memberId, synchronizerId, migrationId, totalPurchasedBytes, numPurchases, amuletSpent, usdSpent } = sum;
  const member = { memberId, synchronizerId, migrationId };
  const { id: memberTraffic } = effects.create('MemberTraffic', {
    ...member,
    totalPurchasedBytes,
    numPurchases,
    amuletSpent,
    usdSpent,
  });
  const detail = { ...member, merged: contracts, memberTraffic, totalPurchasedBytes };
  return ok(effects.outcome('MemberTrafficMerged', detail));
}

function plus(a: Omit<MemberTraffic, 'id'>, b: MemberTraffic): Omit<MemberTraffic, 'id'> {
  return {
    ...a,
    // Purchases keep the sum over a member's contracts within the safe integers.
    totalPurchasedBytes: a.totalPurchasedBytes + b.totalPurchasedBytes,
    numPurchases: a.numPurchases + b.numPurchases,
    amuletSpent: Amount.add(a.amuletSpent, b.amuletSpent),
    usdSpent: Amount.add(a.usdSpent, b.usdSpent),
  };
}

function createTopUpState({ validator, ...named }: CreateTopUpState, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, validator);
  if (unauthorised) return err(unauthorised);
  const member = requireMember(named, state);
  if (!member.ok) return member;
  for (const known of contractsByKey(state, 'ValidatorTopUpState', memberKey(member.value))) {
    if (known.validator === validator) {
      return err({ code: 'ALREADY_EXISTS', what: 'a top-up loop of this validator and member', contract: known.id });
    }
  }
  const effects = new Effects(state);
  const { id: topUpState } = effects.create('ValidatorTopUpState', {
    validator,
    ...member.value,
    lastPurchasedAt: Instant.ofMicros(0n),
  });
  return ok(effects.outcome('TopUpStateCreated', { ...member.value, topUpState, validator }));
}

function topUp(command: TopUpTraffic, state: LedgerState, context: Context): Answer {
  const { trafficBytes, minTopupInterval, tap = false } = command;
  const { now } = context;
  const loop = find(state, 'ValidatorTopUpState', command.topUpState);
  if (!loop) return err(notFound(command.topUpState, 'ValidatorTopUpState'));
  const { validator } = loop;
  const unauthorised = refuseUnlessActing(context, validator);
  if (unauthorised) return err(unauthorised);
  if (minTopupInterval < 0n) {
    const value = minTopupInterval.toString();
    return err(invalid('minTopupInterval', value, 'zero or more'));
  }
  if (tap && !settingsOf(state).isDevNet) return err({ code: 'DEVNET_ONLY', choice: 'TopUpTraffic with tap' });
  const notBefore = Instant.plus(loop.lastPurchasedAt, minTopupInterval);
  // At the end of time `notBefore` is the last instant.
  if (Instant.between(loop.lastPurchasedAt, now) < minTopupInterval)
    return err({ code: 'TOO_SOON', notBefore, at: now });
  const { memberId, synchronizerId, migrationId } = loop;
  const quote = quoteTraffic({ memberId, synchronizerId, migrationId, trafficBytes }, state, now);
  if (!quote.ok) return quote;

  const effects = new Effects(state);
  const tapped = tap ? quote.value.cost.coin : Amount.zero;
  const inputs = [...command.inputs];
  if (tapped > 0n) {
    inputs.unshift(createCoin(effects, validator, tapped, quote.value.round, null).id);
    effects.mint(tapped);
  }
  const paid = payTraffic(quote.value, { payer: validator, inputs, now }, state, effects);
  if (!paid.ok) return paid;
  effects.archive(loop);
  const { id: topUpState } = effects.create('ValidatorTopUpState', {
    validator,
    memberId,
    synchronizerId,
    migrationId,
    lastPurchasedAt: now,
  });
  return ok(effects.outcome('TrafficToppedUp', { ...paid.value, topUpState, lastPurchasedAt: now, tapped }));
}

function consume(command: ConsumeTraffic, state: LedgerState, context: Context): Answer {
  const { bytes, recipients = 0, ...named } = command;
  const { now } = context;
  const unauthorised = refuseUnlessActing(context, settingsOf(state).dso);
  if (unauthorised) return err(unauthorised);
  const member = requireMember(named, state);
  if (!member.ok) return member;
  if (bytes <= 0) return err(invalid('bytes', String(bytes), 'above zero'));
  if (recipients < 0) return err(invalid('recipients', String(recipients), 'zero or more'));
  const config = rulesOf(state)?.config.traffic;
  if (!config) return err({ code: 'NOT_BOOTSTRAPPED' });
  const { synchronizerId } = member.value;
  if (!config.requiredSynchronizers.includes(synchronizerId)) {
    return err({ code: 'UNKNOWN_SYNCHRONIZER', synchronizerId });
  }
  const known = trafficBalanceRecord(state, member.value);
  const before = known ?? initialTrafficBalance(config, now);
  const costBytes = messageCost({ bytes, recipients }, config);
  const after = consumeTraffic(before, costBytes, config, now);
  if (!after.ok) return after;
  const effects = new Effects(state);
  replaceTrafficBalance(member.value, known, after.value, effects);
  return ok(
    effects.outcome('TrafficConsumed', {
      ...member.value,
      costBytes: Number(costBytes),
      fromExtraBytes: after.value.consumedBytes - before.consumedBytes,
      extraBytes: extraBytesOf(after.value),
    }),
  );
}
