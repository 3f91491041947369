import { contractsByKey, firstByKey, rulesOf, type LedgerState } from '../contracts/state.js';
import { archivedOf } from '../rules/consent.js';
import { ownTrackingKey } from '../contracts/tracking.js';
import { memberKey, type TrafficMember } from '../contracts/traffic.js';
import { trafficBalanceRecord } from '../rules/traffic/traffic-purchase.js';
import type { Law, Step } from './law.js';
import { createdOf, isKind } from './touched.js';

export const counterLaws: readonly Law[] = [
  {
    name: 'each nonce of a sender takes effect once, in order',
    invariant: 45,
    holds: (step) => {
      const [old, ...oldMore] = archivedOf(step, 'TransferCommandCounter');
      const [next, ...nextMore] = createdOf(step, 'TransferCommandCounter');
      if (oldMore.length > 0 || nextMore.length > 0) return false;
      if (isKind(step, 'TransferCommandCounterCreated'))
        return next?.nextNonce === 0 && !old && firstByKey(step.before, 'TransferCommandCounter', next.sender) === null;
      const spends =
        isKind(step, 'TransferCommandSent') ||
        (isKind(step, 'TransferCommandFailed') && step.update.detail.spendsNonce);
      if (!spends || !isKind(step, 'TransferCommandSent', 'TransferCommandFailed')) return !old && !next;
      const { sender, nonce } = step.update.detail;
      return (
        old?.sender === sender && old.nextNonce === nonce && next?.sender === sender && next.nextNonce === nonce + 1
      );
    },
  },
  {
    name: 'a tracking id belongs to one offer or request of its wallet, and its outcome is final',
    invariant: 46,
    holds: (step) =>
      createdOf(step, 'TrackingRecord').every(({ subject, owner, trackingId, status }) => {
        const before = [...contractsByKey(step.before, 'TrackingRecord', ownTrackingKey(subject, owner, trackingId))];
        const after = [...contractsByKey(step.after, 'TrackingRecord', ownTrackingKey(subject, owner, trackingId))];
        const [old] = before;
        return (
          before.length <= 1 &&
          after.length === 1 &&
          (old ? status !== 'created' && old.status !== 'completed' && old.status !== 'failed' : true)
        );
      }),
  },
  {
    name: 'the bought traffic of a member equals the sum of its contracts, which only purchases increase',
    invariant: 47,
    holds: (step) =>
      [...archivedOf(step, 'MemberTraffic'), ...createdOf(step, 'MemberTraffic')].every((contract) => {
        const bought = boughtBytes(step.update);
        if (bought !== 0 && bought < (rulesOf(step.before)?.config.traffic.minTopupBytes ?? 0)) return false;
        const after = purchasedBytes(step.after, contract);
        return (
          after === purchasedBytes(step.before, contract) + bought &&
          after === (trafficBalanceRecord(step.after, contract)?.purchasedBytes ?? 0)
        );
      }),
  },
  {
    name: 'a member never uses more extra traffic than it bought',
    invariant: 47,
    holds: (step) =>
      createdOf(step, 'MemberTrafficBalance').every(
        ({ baseBytes, purchasedBytes: bought, consumedBytes }) =>
          baseBytes >= 0n && consumedBytes >= 0 && consumedBytes <= bought,
      ),
  },
  {
    name: 'each purchase of a top-up loop is later than the one before',
    invariant: 48,
    holds: (step) => {
      if (!isKind(step, 'TrafficToppedUp')) return true;
      const [old] = archivedOf(step, 'ValidatorTopUpState');
      const [now] = createdOf(step, 'ValidatorTopUpState');
      return (
        old !== undefined &&
        now !== undefined &&
        old.validator === now.validator &&
        memberKey(old) === memberKey(now) &&
        old.lastPurchasedAt <= now.lastPurchasedAt &&
        now.lastPurchasedAt === step.update.recordTime
      );
    },
  },
];

function boughtBytes({ kind, detail }: Step['update']): number {
  return kind === 'TrafficPurchased' || kind === 'TrafficToppedUp' || kind === 'TrafficRequestCompleted'
    ? detail.trafficBytes
    : 0;
}

function purchasedBytes(state: LedgerState, member: TrafficMember): number {
  let bytes = 0;
  for (const { totalPurchasedBytes } of contractsByKey(state, 'MemberTraffic', memberKey(member))) {
    bytes += totalPurchasedBytes;
  }
  return bytes;
}
