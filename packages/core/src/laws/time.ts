import { expiryRoundOf } from '../contracts/holding.js';
import { archivedOf } from '../rules/consent.js';
import { find, settingsOf } from '../contracts/state.js';
import { dustRoundOf } from '../rules/transfer/dust.js';
import type { Law, Step } from './law.js';
import { createdOf, isKind } from './touched.js';

export const timeLaws: readonly Law[] = [
  {
    name: 'a running lock is ended only by its instruction, or by owner and holders',
    invariant: 16,
    holds: (step) =>
      archivedOf(step, 'Holding').every(({ id, lock }) => {
        if (lock === null || step.update.recordTime >= lock.expiresAt) return true;
        if (isKind(step, 'TransferAccepted', 'TransferRejected', 'TransferWithdrawn'))
          return archivedOf(step, 'TransferInstruction').some(({ lockedHolding }) => lockedHolding === id);
        if (isKind(step, 'AnsPaymentCollected', 'AnsPaymentRejected'))
          return archivedOf(step, 'SubscriptionPayment').some(({ lockedHolding }) => lockedHolding === id);
        if (isKind(step, 'DustExpired')) return settingsOf(step.before).profile.expiresLockedDust;
        return isKind(step, 'HoldingUnlocked');
      }),
  },
  {
    name: 'ledger time never decreases',
    invariant: 22,
    holds: ({ before, update, after }) =>
      update.recordTime >= before.time &&
      after.time === update.recordTime &&
      update.offset === before.offset + 1 &&
      after.offset === update.offset,
  },
  {
    name: 'an offer is accepted before its deadline and expired after it',
    invariant: 23,
    holds: (step) => {
      if (!isKind(step, 'TransferAccepted', 'TransferExpired')) return true;
      const { recordTime, kind } = step.update;
      return archivedOf(step, 'TransferInstruction').every(({ transfer }) =>
        kind === 'TransferAccepted' ? recordTime < transfer.executeBefore : recordTime >= transfer.executeBefore,
      );
    },
  },
  {
    name: 'a coin is expired as dust only once it is dust',
    invariant: 27,
    holds: (step) => {
      if (!isKind(step, 'DustExpired')) return true;
      const judgedAt = dustRoundOf(step.before);
      const { dustAtEquality } = settingsOf(step.before).profile;
      const { detail } = step.update;
      return (
        judgedAt !== null &&
        detail.judgedAt === judgedAt &&
        detail.expired.length === archivedOf(step, 'Holding').length &&
        archivedOf(step, 'Holding').every((coin) => {
          const expires = expiryRoundOf(coin, dustAtEquality);
          return expires !== null && expires <= judgedAt;
        })
      );
    },
  },
  {
    name: 'a locked coin is not expired as dust before its lock ends',
    invariant: 28,
    holds: (step) =>
      !isKind(step, 'DustExpired') ||
      settingsOf(step.before).profile.expiresLockedDust ||
      archivedOf(step, 'Holding').every(({ lock }) => lock === null || step.update.recordTime >= lock.expiresAt),
  },
  { name: 'a preapproved transfer takes effect while its preapproval is valid', invariant: 29, holds: isPreapproved },
  {
    name: 'renewal prolongs a preapproval and changes nothing else',
    invariant: 29,
    holds: (step) => {
      if (!isKind(step, 'PreapprovalRenewed')) return true;
      const [old] = archivedOf(step, 'TransferPreapproval');
      const [renewed] = createdOf(step, 'TransferPreapproval');
      return (
        old !== undefined &&
        renewed !== undefined &&
        renewed.expiresAt > old.expiresAt &&
        step.update.recordTime < old.expiresAt &&
        renewed.lastRenewedAt === step.update.recordTime &&
        renewed.receiver === old.receiver &&
        renewed.provider === old.provider &&
        renewed.validFrom === old.validFrom
      );
    },
  },
];

function isPreapproved(step: Step): boolean {
  if (!isKind(step, 'TransferCompleted', 'TransferCommandSent')) return true;
  const { preapproval: id, receiver } = step.update.detail;
  const preapproval = find(step.before, 'TransferPreapproval', id);
  const { recordTime } = step.update;
  return (
    preapproval !== null &&
    preapproval.receiver === receiver &&
    preapproval.validFrom <= recordTime &&
    recordTime < preapproval.expiresAt
  );
}
