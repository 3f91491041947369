import { allOf, contractsOf, find, settingsOf, type LedgerState } from '../contracts/state.js';
import type { TransferInstruction } from '../contracts/transfer-instruction.js';
import type { PartyId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';

/** A two-step transfer that has not ended. */
export interface PendingTransfer {
  readonly instruction: TransferInstruction;
  /** `expired` is derived: the deadline has passed, and the coin was not taken back yet. Source: specification §7.1. */
  readonly status: 'pending' | 'expired';
  /** True while the coin is locked for the transfer. */
  readonly hasCoin: boolean;
}

/** Returns the two-step transfers that a party has sent or may receive, oldest first. Source: specification §7.1. */
export function pendingTransfersOf(state: LedgerState, party: PartyId, now: Instant): readonly PendingTransfer[] {
  return [...instructionsOf(state, party)].map((instruction) => ({
    instruction,
    status: now < instruction.transfer.executeBefore ? 'pending' : 'expired',
    hasCoin: find(state, 'Holding', instruction.lockedHolding) !== null,
  }));
}

/** The index by stakeholder leaves out the DSO, which signs every instruction. The DSO's own instructions are found by a scan. */
function instructionsOf(state: LedgerState, party: PartyId): Iterable<TransferInstruction> {
  if (party !== settingsOf(state).dso) return contractsOf(state, 'TransferInstruction', party);
  return [...allOf(state, 'TransferInstruction')].filter(
    ({ transfer }) => transfer.sender === party || transfer.receiver === party,
  );
}
