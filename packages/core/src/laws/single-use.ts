import { findAny } from '../contracts/state.js';
import type { UpdateKind, UpdateOf } from '../log/update.js';
import { UPDATE_SPECS } from '../register/register.js';
import { archivedIn, archivedOf } from '../rules/consent.js';
import { isCoupon } from '../rules/rewards/coupons.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId } from '../kernel/ids.js';
import type { Law, Step } from './law.js';
import { createdOf, isKind } from './touched.js';
import { couponsExpired } from './value.js';

export const singleUseLaws: readonly Law[] = [
  {
    name: 'an archived contract was active before, is named once, and is not active afterwards',
    invariant: 11,
    holds: ({ before, update, after }) =>
      new Set(update.archived).size === update.archived.length &&
      update.archived.every((id) => findAny(before, id) !== null && findAny(after, id) === null),
  },
  {
    name: 'ids ascend and are never used again',
    invariant: 11,
    holds: ({ before, update, after }) =>
      update.created.every(
        ({ id }, i) =>
          id >= before.nextContract &&
          id > (update.created[i - 1]?.id ?? 0) &&
          id < after.nextContract &&
          findAny(after, id)?.id === id,
      ) && after.nextContract >= before.nextContract,
  },
  {
    name: 'a transfer consumes each of its inputs, each once',
    invariant: 12,
    holds: (step) => {
      const { detail } = step.update;
      if (!('inputs' in detail)) return true;
      // A coin that was tapped and spent in the same update is never active.
      const tapped = 'tapped' in detail && detail.tapped > 0n ? 1 : 0;
      return detail.inputs === inputsOf(step).length + tapped;
    },
  },
  {
    name: 'a coupon is only minted in a transfer or expired',
    invariant: 13,
    holds: (step) => {
      const used = archivedIn(step).filter(isCoupon).length;
      if (used === 0) return true;
      const isTransfer = 'inputs' in step.update.detail;
      return isTransfer !== couponsExpired(step).length > 0;
    },
  },
  {
    name: 'an instruction or a payment locks one coin of its own, until its deadline',
    invariant: 15,
    holds: locksOneCoin,
  },
  {
    name: 'an ended contract is archived and cannot be named again',
    invariant: 24,
    holds: (step) => {
      const ended = endedBy(step.update);
      return ended === null || (step.update.archived.includes(ended) && findAny(step.after, ended) === null);
    },
  },
  {
    name: 'an instruction ends once: accepted, rejected, withdrawn or expired',
    invariant: 25,
    holds: (step) => {
      const ended = archivedOf(step, 'TransferInstruction');
      if (!isKind(step, 'TransferAccepted', 'TransferRejected', 'TransferWithdrawn', 'TransferExpired'))
        return ended.length === 0;
      return ended.length === 1 && ended[0]?.id === step.update.detail.instruction;
    },
  },
];

function locksOneCoin(step: Step): boolean {
  const locking = [
    ...createdOf(step, 'TransferInstruction').map(({ lockedHolding, transfer }) => ({
      lockedHolding,
      owner: transfer.sender,
      least: transfer.amount,
      until: transfer.executeBefore,
    })),
    ...createdOf(step, 'SubscriptionPayment').map(({ lockedHolding, terms, lockedUntil }) => ({
      lockedHolding,
      owner: terms.sender,
      least: Amount.unit,
      until: lockedUntil,
    })),
  ];
  return (
    new Set(locking.map(({ lockedHolding }) => lockedHolding)).size === locking.length &&
    locking.every(({ lockedHolding, owner, least, until }) => {
      const coin = createdOf(step, 'Holding').find(({ id }) => id === lockedHolding);
      return coin?.owner === owner && coin.amount >= least && coin.lock?.expiresAt === until;
    })
  );
}

export function inputsOf(step: Step): readonly ContractId[] {
  return archivedIn(step).flatMap((contract) =>
    contract.template === 'Holding' || isCoupon(contract) ? contract.id : [],
  );
}

function endedBy<Kind extends UpdateKind>({ kind, detail }: UpdateOf<Kind>): ContractId | null {
  const { ends } = UPDATE_SPECS[kind];
  // Cast: the named field of a generic detail is a contract id.
  return typeof ends === 'function' ? ends(detail) : ends && (detail[ends] as ContractId);
}
