import type { LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { AnsCommand } from '../workflows/ans.js';
import type { ExecuteBatch } from '../workflows/batch.js';
import type { DevelopmentFundCommand } from '../workflows/development-fund.js';
import type { DirectTransfer } from '../workflows/direct.js';
import type { ExpireDust } from '../workflows/dust.js';
import type { ExpiredRewardCommand } from '../workflows/expired-rewards.js';
import type { FeaturedAppCommand } from '../workflows/featured-apps.js';
import type { IssuingCommand } from '../workflows/issuing.js';
import type { LicenseCommand } from '../workflows/licenses.js';
import type { MergeDelegationCommand } from '../workflows/merge-delegation.js';
import type { MintingDelegationCommand } from '../workflows/minting-delegation.js';
import type { OfferCommand } from '../workflows/offer.js';
import type { PreapprovalCommand } from '../workflows/preapproval.js';
import type { RoundCommand } from '../workflows/rounds.js';
import type { SelfCommand } from '../workflows/self.js';
import type { SvRewardCommand } from '../workflows/sv-rewards.js';
import type { TransferCommandCommand } from '../workflows/transfer-command.js';
import type { TrafficRequestCommand } from '../workflows/traffic-requests.js';
import type { TrafficCommand } from '../workflows/traffic.js';
import type { VoteCommand } from '../workflows/votes.js';
import type { WalletOfferCommand } from '../workflows/wallet-offer.js';

/** The commands among which policies choose. */
export type AutomationCommand =
  | AnsCommand
  | DevelopmentFundCommand
  | DirectTransfer
  | ExecuteBatch
  | ExpireDust
  | ExpiredRewardCommand
  | FeaturedAppCommand
  | IssuingCommand
  | LicenseCommand
  | MergeDelegationCommand
  | MintingDelegationCommand
  | OfferCommand
  | PreapprovalCommand
  | RoundCommand
  | SelfCommand
  | SvRewardCommand
  | TrafficCommand
  | TrafficRequestCommand
  | TransferCommandCommand
  | VoteCommand
  | WalletOfferCommand;

/** What a policy wants done: a command, and who acts. */
export interface Task {
  readonly command: AutomationCommand;
  readonly actAs: readonly PartyId[];
}

/**
 * A habit: what it would do in a state at a time. It changes nothing and knows nothing else, so that asked twice it answers the
 * same, and asked again after its tasks took effect it has nothing more to do. Its tasks can be submitted in their order.
 */
export type Policy = (state: LedgerState, now: Instant) => readonly Task[];

/** A wallet that automation looks after: whose it is, and the validator that runs it and is credited as its provider. */
export interface Wallet {
  readonly party: PartyId;
  readonly validator: PartyId;
}

export function tasksOf(actor: PartyId, commands: Iterable<AutomationCommand>): readonly Task[] {
  return Array.from(commands, (command) => ({ command, actAs: [actor] }));
}

/** The parties of a wallet, each once: what its provider does for it needs both. */
export function bothOf({ party, validator }: Wallet): readonly PartyId[] {
  return party === validator ? [party] : [party, validator];
}
