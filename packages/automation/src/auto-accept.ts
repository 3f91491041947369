import {
  contractsOf,
  find,
  type Command,
  type Instant,
  type LedgerState,
  type PartyId,
  type TransferInstruction,
} from '@coinlab/core';
import { offersBetweenKey } from '@coinlab/core/contracts';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { contractsByKey } from '@coinlab/core/views';
import { tasksOf, type Policy } from './task.js';

/** Which offers to a wallet are accepted automatically: by sender and by kind. Source: specification §8.5. */
export interface AutoAcceptConfig {
  readonly fromParties: readonly PartyId[];
  /**
   * Two-step transfers to accept: `none`; `wallet`: those that another wallet created as its offers, which carry a
   * tracking id; or `all`.
   */
  readonly instructions: 'none' | 'wallet' | 'all';
}

/** Returns a policy that accepts the offers of certain senders to a receiver. Source: specification §8.5, §11.1 (5, 10). */
export function autoAccept(receiver: PartyId, { fromParties, instructions }: AutoAcceptConfig): Policy {
  return (state, now) => {
    const commands: Command[] = [];
    for (const sender of fromParties) {
      for (const offer of contractsByKey(state, 'TransferOffer', offersBetweenKey(sender, receiver))) {
        if (now < offer.expiresAt) commands.push({ type: 'AcceptWalletOffer', offer: offer.id });
      }
    }
    if (instructions === 'none') return tasksOf(receiver, commands);
    for (const instruction of contractsOf(state, 'TransferInstruction', receiver)) {
      const { transfer } = instruction;
      const counts = instructions === 'all' || TRACKING_ID_KEY in transfer.meta;
      if (transfer.receiver !== receiver || !fromParties.includes(transfer.sender) || !counts) continue;
      if (isAcceptable(instruction, state, now)) commands.push({ type: 'AcceptOffer', instruction: instruction.id });
    }
    return tasksOf(receiver, commands);
  };
}

function isAcceptable({ transfer, lockedHolding }: TransferInstruction, state: LedgerState, now: Instant): boolean {
  return now < transfer.executeBefore && find(state, 'Holding', lockedHolding) !== null;
}
