import { unreachable } from '../kernel/assert.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { RejectionCode } from '../kernel/rejection.js';
import { isUpdateOf, type Update, type UpdateKind } from '../log/update.js';

/** Outcome of a TransferCommand. Source: specification §7.6. */
export interface TransferCommandStatus {
  readonly command: ContractId;
  readonly sender: PartyId;
  readonly nonce: number;
  readonly status: 'created' | 'sent' | 'failed';
  /** Why the command failed; null unless it failed. */
  readonly failure: TransferCommandFailure | null;
}

/** Why a command ended without a transfer. */
export interface TransferCommandFailure {
  readonly kind: 'failed' | 'expired' | 'withdrawn';
  /** Code of the broken condition; null when the command expired or was withdrawn. */
  readonly reason: RejectionCode | null;
}

const STATUS_KINDS = [
  'TransferCommandCreated',
  'TransferCommandSent',
  'TransferCommandFailed',
  'TransferCommandExpired',
  'TransferCommandWithdrawn',
] as const satisfies readonly UpdateKind[];

/** Returns whether updates of a kind change the status of a transfer command. */
export function isOfTransferCommand(kind: UpdateKind): boolean {
  return STATUS_KINDS.some((known) => known === kind);
}

/**
 * Returns the status of each command of a sender with a nonce, as of the last of the updates. Several commands can have
 * one nonce. The lookup of scan covers the last 24 hours. Source: specification §7.6.
 */
export function transferCommandStatuses(
  updates: Iterable<Update>,
  sender: PartyId,
  nonce: number,
): readonly TransferCommandStatus[] {
  const latest = new Map<ContractId, TransferCommandStatus>();
  for (const update of updates) {
    const status = transferCommandStatusOf(update);
    if (status?.sender === sender && status.nonce === nonce) latest.set(status.command, status);
  }
  return [...latest.values()];
}

function transferCommandStatusOf(update: Update): TransferCommandStatus | null {
  if (!isUpdateOf(update, ...STATUS_KINDS)) return null;
  switch (update.kind) {
    case 'TransferCommandCreated':
      return statusOf(update.detail, 'created', null);
    case 'TransferCommandSent':
      return statusOf(update.detail, 'sent', null);
    case 'TransferCommandFailed':
      return statusOf(update.detail, 'failed', { kind: 'failed', reason: update.detail.reason });
    case 'TransferCommandExpired':
      return statusOf(update.detail, 'failed', { kind: 'expired', reason: null });
    case 'TransferCommandWithdrawn':
      return statusOf(update.detail, 'failed', { kind: 'withdrawn', reason: null });
    default:
      return unreachable(update);
  }
}

function statusOf(
  { command, sender, nonce }: Pick<TransferCommandStatus, 'command' | 'sender' | 'nonce'>,
  status: TransferCommandStatus['status'],
  failure: TransferCommandFailure | null,
): TransferCommandStatus {
  return { command, sender, nonce, status, failure };
}
