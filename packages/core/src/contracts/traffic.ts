import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { amount, instant, integer, party, text, type Fields } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import { type TemplateDeclaration } from './template.js';

/** A member of a synchronizer; it has one balance on each. Source: specification §1, §3.14. */
export interface TrafficMember {
  /** A node: `PAR::<name>::<fingerprint>`. Not empty. */
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: number;
}

/** Extra traffic bought for a member, which may use the sum over its contracts. Source: specification §3.14. */
export interface MemberTraffic extends ContractBase, TrafficMember {
  readonly template: 'MemberTraffic';
  readonly totalPurchasedBytes: number;
  readonly numPurchases: number;
  readonly amuletSpent: Amount;
  readonly usdSpent: Amount;
}

/** Time of the last purchase by a validator's top-up loop. One per loop. Source: specification §3.14, §8.3. */
export interface ValidatorTopUpState extends ContractBase, TrafficMember {
  readonly template: 'ValidatorTopUpState';
  readonly validator: PartyId;
  /** Time of the last purchase; 1970-01-01 before the first one. */
  readonly lastPurchasedAt: Instant;
}

/** Traffic that a member can still send, as the synchronizer counts it: a free base that grows back, and purchased traffic. Source: specification §2.4. */
export interface TrafficBalance {
  /** Free bytes at `asOf`; fractions count, so that frequent small messages lose none of the growth. */
  readonly baseBytes: Amount;
  readonly asOf: Instant;
  /** Extra bytes bought so far: the sum over the member's {@link MemberTraffic}. */
  readonly purchasedBytes: number;
  readonly consumedBytes: number;
}

/** The balance of a member from its first purchase or message on. A record, not a contract of the network. */
export interface MemberTrafficBalance extends ContractBase, TrafficMember, TrafficBalance {
  readonly template: 'MemberTrafficBalance';
}

export const trafficMember: Fields<TrafficMember> = { memberId: text, synchronizerId: text, migrationId: integer };

/** Returns the lookup key of the contracts of a member. */
export function memberKey({ memberId, synchronizerId, migrationId }: TrafficMember): string {
  return `member:${migrationId}:${synchronizerId} ${memberId}`;
}

export const memberTrafficTemplate: TemplateDeclaration<MemberTraffic> = {
  fields: {
    ...trafficMember,
    totalPurchasedBytes: integer,
    numPurchases: integer,
    amuletSpent: amount,
    usdSpent: amount,
  },
  signatories: (_, dso) => [dso],
  keys: (contract) => [memberKey(contract)],
};

export const validatorTopUpStateTemplate: TemplateDeclaration<ValidatorTopUpState> = {
  fields: { validator: party, ...trafficMember, lastPurchasedAt: instant },
  signatories: ({ validator }) => [validator],
  keys: (contract) => [memberKey(contract)],
};

export const memberTrafficBalanceTemplate: TemplateDeclaration<MemberTrafficBalance> = {
  fields: { ...trafficMember, baseBytes: amount, asOf: instant, purchasedBytes: integer, consumedBytes: integer },
  signatories: (_, dso) => [dso],
  keys: (contract) => [memberKey(contract)],
  isRecord: true,
};
