import type { ContractId, PartyId } from '@coinlab/core';
import type { Inquiry } from './inquiry.js';
import { burn, coin } from './move.js';
import { fits, over, times, whole } from './numbers.js';
import type { Predictions } from './prediction.js';
import { walletTerms } from './terms.js';

interface Member {
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: number;
}

export const trafficPredictions: Predictions<
  | 'BuyMemberTraffic'
  | 'TopUpTraffic'
  | 'CreateTrafficRequest'
  | 'CompleteTrafficRequest'
  | 'CancelTrafficRequest'
  | 'ExpireTrafficRequest'
> = {
  BuyMemberTraffic: (inquiry, { payer, trafficBytes, inputs, ...named }) => {
    inquiry.actsAs(payer);
    const member = memberOf(inquiry, named);
    if (member) buy(inquiry, { payer, member, trafficBytes, inputs });
  },
  TopUpTraffic: (inquiry, { topUpState: id, trafficBytes, minTopupInterval, inputs, tap = false }) => {
    const loop = inquiry.named(id, 'ValidatorTopUpState');
    if (!loop) return;
    const { validator: payer, memberId, synchronizerId, migrationId } = loop;
    inquiry.actsAs(payer);
    inquiry.require(minTopupInterval >= 0n, 'INVALID_ARGUMENT');
    inquiry.require(!tap || inquiry.overlay.settings.isDevNet, 'DEVNET_ONLY');
    inquiry.require(inquiry.now >= loop.lastPurchasedAt + minTopupInterval, 'TOO_SOON');
    buy(inquiry, { payer, member: { memberId, synchronizerId, migrationId }, trafficBytes, inputs, tap });
    inquiry.overlay.archive(id);
    const renewed = { validator: payer, memberId, synchronizerId, migrationId, lastPurchasedAt: inquiry.now };
    inquiry.overlay.create('ValidatorTopUpState', renewed);
  },
  CreateTrafficRequest: (inquiry, command) => {
    const { type: _, endUser, trafficBytes, trackingId, expiresAt, ...named } = command;
    inquiry.actsAs(endUser);
    const member = memberOf(inquiry, named);
    inquiry.require(trafficBytes > 0, 'INVALID_ARGUMENT');
    inquiry.startsTracking('traffic', endUser, trackingId);
    inquiry.overlay.create('BuyTrafficRequest', { endUser, ...member, trafficBytes, trackingId, expiresAt });
  },
  CompleteTrafficRequest: (inquiry, { request: id, inputs, walletProvider }) => {
    const request = inquiry.named(id, 'BuyTrafficRequest');
    if (!request) return;
    const { endUser: payer, expiresAt, trafficBytes, memberId, synchronizerId, migrationId } = request;
    inquiry.actsAs(payer, walletProvider);
    inquiry.require(inquiry.now < expiresAt, 'DEADLINE_PASSED');
    inquiry.overlay.archive(id);
    buy(inquiry, { payer, member: { memberId, synchronizerId, migrationId }, trafficBytes, inputs });
  },
  CancelTrafficRequest: (inquiry, { request: id }) => {
    const request = inquiry.named(id, 'BuyTrafficRequest');
    if (!request) return;
    inquiry.actsAs(request.endUser);
    inquiry.require(inquiry.now < request.expiresAt, 'DEADLINE_PASSED');
    inquiry.overlay.archive(id);
  },
  ExpireTrafficRequest: (inquiry, { request: id }) => {
    const request = inquiry.named(id, 'BuyTrafficRequest');
    if (!request) return;
    inquiry.actsAs(request.endUser);
    inquiry.require(inquiry.now >= request.expiresAt, 'DEADLINE_NOT_REACHED');
    inquiry.overlay.archive(id);
  },
};

function memberOf(
  inquiry: Inquiry,
  named: { readonly memberId: string; readonly synchronizerId?: string; readonly migrationId?: number },
): Member | null {
  const rules = inquiry.overlay.all('AmuletRules')[0];
  if (!inquiry.require(rules !== undefined, 'NOT_BOOTSTRAPPED') || !rules) return null;
  const { memberId, migrationId = 0, synchronizerId = rules.config.traffic.activeSynchronizer } = named;
  inquiry.require(memberId !== '' && synchronizerId !== '' && migrationId >= 0, 'INVALID_ARGUMENT');
  return { memberId, synchronizerId, migrationId };
}

function buy(
  inquiry: Inquiry,
  {
    payer,
    member,
    trafficBytes,
    inputs,
    tap = false,
  }: {
    readonly payer: PartyId;
    readonly member: Member;
    readonly trafficBytes: number;
    readonly inputs: readonly ContractId[];
    readonly tap?: boolean;
  },
): void {
  const { overlay, now } = inquiry;
  const traffic = overlay.all('AmuletRules')[0]?.config.traffic;
  if (!inquiry.require(traffic !== undefined, 'NOT_BOOTSTRAPPED') || !traffic) return;
  inquiry.require(traffic.requiredSynchronizers.includes(member.synchronizerId), 'UNKNOWN_SYNCHRONIZER');
  inquiry.require(trafficBytes >= traffic.minTopupBytes, 'INSUFFICIENT_TOPUP_AMOUNT');
  const bought = overlay.all('MemberTraffic').filter((one) => isOf(one, member));
  const before = bought.reduce((sum, { totalPurchasedBytes }) => sum + totalPurchasedBytes, 0);
  inquiry.require(Number.isSafeInteger(before + trafficBytes), 'INVALID_ARGUMENT');
  const terms = walletTerms(overlay, now);
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || !terms) return;
  const usdSpent = times(over(whole(trafficBytes), whole(1_000_000)), traffic.extraTrafficPriceUsd);
  const amuletSpent = over(usdSpent, terms.price);
  if (!inquiry.require(fits(usdSpent) && fits(amuletSpent), 'INVALID_DECIMAL')) return;
  const paying = [...inputs];
  if (tap && amuletSpent > 0n) {
    paying.unshift(coin(inquiry, terms, { receiver: payer, amount: amuletSpent, context: null }));
    overlay.minted += amuletSpent;
  }
  // `amuletSpent` includes the create fee of the burned coin.
  const amount = amuletSpent - terms.createFee;
  if (!inquiry.require(amount > 0n, 'NON_POSITIVE_AMOUNT')) return;
  burn(inquiry, { payer, amount, inputs: paying, terms });
  const spent = { totalPurchasedBytes: trafficBytes, numPurchases: 1, amuletSpent, usdSpent };
  overlay.create('MemberTraffic', { ...member, ...spent });
}

function isOf(one: Member, { memberId, synchronizerId, migrationId }: Member): boolean {
  return one.memberId === memberId && one.synchronizerId === synchronizerId && one.migrationId === migrationId;
}
