import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, party } from '../kernel/shape.js';
import { onArchived } from '../rules/consent.js';
import { changed, choiceOf, type Recordable, type Recorded } from '../rules/history.js';
import { detailShape, shapeOf, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/** The end of a lock: by owner and holders at any time, or by the owner alone once it has expired. Source: specification §3.2. */
type LockCommand = Unlock | OwnerExpireLock;

/** Unlocks a coin by agreement, at any time. Acts as the owner and all holders. */
interface Unlock {
  readonly type: 'Unlock';
  readonly holding: ContractId;
}

/** Unlocks a coin whose lock has expired. Acts as the owner. */
interface OwnerExpireLock {
  readonly type: 'OwnerExpireLock';
  readonly holding: ContractId;
}

interface UnlockDetail extends ValueDetail {
  readonly owner: PartyId;
  readonly amount: Amount;
  readonly locked: ContractId;
  readonly holding: ContractId;
}

interface LockDetails {
  readonly HoldingUnlocked: UnlockDetail;
  readonly LockExpired: UnlockDetail;
}

const outcomes = {
  Unlock: { becomes: ['HoldingUnlocked'], refusals: ['CONTRACT_NOT_FOUND', 'INVALID_ARGUMENT', 'NOT_AUTHORISED'] },
  OwnerExpireLock: {
    becomes: ['LockExpired'],
    refusals: ['CONTRACT_NOT_FOUND', 'INVALID_ARGUMENT', 'NOT_AUTHORISED', 'LOCK_NOT_EXPIRED'],
  },
} as const;

const named = shapeOf<Unlock>({ holding: contractId });
const detail = detailShape<UnlockDetail>({ owner: party, amount, locked: contractId, holding: contractId });

export const lock: Workflow<LockCommand, LockDetails, typeof outcomes> = {
  commands: { Unlock: named, OwnerExpireLock: named },
  outcomes,
  source: '§3.2',
  updates: {
    HoldingUnlocked: {
      detail,
      consent: onArchived('Holding', ({ owner, lock }) => [[owner, ...(lock?.holders ?? [])]]),
      ends: 'locked',
      history: (update) => recordFreed(update, 'LockedAmulet_Unlock'),
    },
    LockExpired: {
      detail,
      consent: onArchived('Holding', 'owner'),
      ends: 'locked',
      history: (update) => recordFreed(update, 'LockedAmulet_OwnerExpireLock'),
    },
  },
  decide,
};

function decide(command: LockCommand, state: LedgerState, context: Context): Decision<LockDetails> {
  const locked = find(state, 'Holding', command.holding);
  if (!locked) return err({ code: 'CONTRACT_NOT_FOUND', contract: command.holding, wanted: 'a locked Holding' });
  if (!locked.lock) return err(invalid('holding', String(locked.id), 'a locked Holding'));
  const { expiresAt, holders } = locked.lock;
  const required = command.type === 'Unlock' ? [locked.owner, ...holders] : [locked.owner];
  const unauthorised = refuseUnlessActing(context, ...required);
  if (unauthorised) return err(unauthorised);
  if (command.type === 'OwnerExpireLock' && context.now < expiresAt) {
    return err({ code: 'LOCK_NOT_EXPIRED', contract: locked.id, expiresAt, at: context.now });
  }
  const effects = new Effects(state);
  const freed = effects.replace(locked, { lock: null });
  return ok(
    effects.outcome(command.type === 'Unlock' ? 'HoldingUnlocked' : 'LockExpired', {
      owner: locked.owner,
      amount: locked.amount,
      locked: locked.id,
      holding: freed.id,
    }),
  );
}

function recordFreed({ detail }: Recordable<UnlockDetail>, choice: string): readonly Recorded[] {
  return [
    changed([{ party: detail.owner, amount: detail.amount }], choiceOf('Amulet', choice, { template: 'LockedAmulet' })),
  ];
}
