import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { bool, integer, oneOf, party, record, type Shape } from '../kernel/shape.js';
import type { TemplateDeclaration } from './template.js';

/** The three states of the public rules that a ledger can follow. Source: specification §0. */
export type ProfileName = 'legacy-fees' | 'feeless' | 'feeless-24h';

/**
 * The differences between the rule profiles, as data; prices, fees and limits are in the {@link AmuletConfig}.
 * Source: specification §0.
 */
export interface RuleProfile {
  readonly name: ProfileName;
  /** Every input coin loses its accrued holding fee (§4.5). */
  readonly chargesHoldingFee: boolean;
  /** A coin whose amount equals its accrued fee is already dust (§4.2). */
  readonly dustAtEquality: boolean;
  /**
   * Dust is judged this many rounds behind the newest open round contract: 2 on the network (the oldest of the three),
   * 1 to judge it at the round that stamps new coins (§4.2).
   */
  readonly dustRoundsBehindNewest: number;
  /** Registry transfers stamp, and dust is judged by, the ExternalPartyConfigStates instead of the open rounds (§3.5, §4.2). */
  readonly usesConfigStates: boolean;
  /** A locked coin may be dust-expired while its lock runs (§4.3). */
  readonly expiresLockedDust: boolean;
  /** A new lock must end before its coin could become dust (§4.4). */
  readonly checksLockVersusDust: boolean;
  /** A two-step transfer locks its amount and this many times its fees (§7.1). */
  readonly feeReserveFactor: number;
  /** If the provider is not featured, an AppRewardCoupon for the fees is created nevertheless (§5.4). */
  readonly rewardsUnfeatured: boolean;
  /** If the provider is featured, the transfer creates a coupon or an activity marker (§5.4). */
  readonly featuredReward: 'coupon' | 'marker';
  /** The DSO may take back instructions whose deadline has passed (§7.1). */
  readonly dsoExpiresInstructions: boolean;
  /** A failing operation aborts its whole batch (or TransferCommand) instead of being reported (§3.13, §8.1). */
  readonly failureAborts: boolean;
}

/**
 * The settings with which a ledger was opened: the first update of every log creates it, and nothing archives it. A
 * record, not a contract of the network.
 */
export interface LedgerSettings extends ContractBase {
  readonly template: 'LedgerSettings';
  readonly dso: PartyId;
  readonly isDevNet: boolean;
  /** Seed of the update ids: an integer of 32 bits. */
  readonly seed: number;
  readonly profile: RuleProfile;
}

const profile: Shape<RuleProfile> = record<RuleProfile>({
  name: oneOf(['legacy-fees', 'feeless', 'feeless-24h']),
  chargesHoldingFee: bool,
  dustAtEquality: bool,
  dustRoundsBehindNewest: integer,
  usesConfigStates: bool,
  expiresLockedDust: bool,
  checksLockVersusDust: bool,
  feeReserveFactor: integer,
  rewardsUnfeatured: bool,
  featuredReward: oneOf(['coupon', 'marker']),
  dsoExpiresInstructions: bool,
  failureAborts: bool,
});

export const ledgerSettingsTemplate: TemplateDeclaration<LedgerSettings> = {
  fields: { dso: party, isDevNet: bool, seed: integer, profile },
  signatories: ({ dso }) => [dso],
  observers: () => [],
  isRecord: true,
};
