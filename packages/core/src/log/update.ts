import type { Contract } from '../contracts/contract.js';
import type { ContractId, Offset, PartyId, UpdateId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { AnsDetails } from '../workflows/ans.js';
import type { BatchDetails } from '../workflows/batch.js';
import type { DevelopmentFundDetails } from '../workflows/development-fund.js';
import type { DirectDetails } from '../workflows/direct.js';
import type { DsoDetails } from '../workflows/dso.js';
import type { DustDetails } from '../workflows/dust.js';
import type { ExpiredRewardDetails } from '../workflows/expired-rewards.js';
import type { ExternalPartyDetails } from '../workflows/external-party.js';
import type { FeaturedAppDetails } from '../workflows/featured-apps.js';
import type { IssuingDetails } from '../workflows/issuing.js';
import type { LicenseDetails } from '../workflows/licenses.js';
import type { LockDetails } from '../workflows/lock.js';
import type { MergeDelegationDetails } from '../workflows/merge-delegation.js';
import type { MintDetails } from '../workflows/mint.js';
import type { MintingDelegationDetails } from '../workflows/minting-delegation.js';
import type { NetworkDetails } from '../workflows/network.js';
import type { OfferDetails } from '../workflows/offer.js';
import type { PartyDetails } from '../workflows/parties.js';
import type { PreapprovalDetails } from '../workflows/preapproval.js';
import type { PriceVoteDetails } from '../workflows/price-votes.js';
import type { RoundDetails } from '../workflows/rounds.js';
import type { SelfDetails } from '../workflows/self.js';
import type { SvRewardDetails } from '../workflows/sv-rewards.js';
import type { TrafficRequestDetails } from '../workflows/traffic-requests.js';
import type { TrafficDetails } from '../workflows/traffic.js';
import type { TransferCommandDetails } from '../workflows/transfer-command.js';
import type { ValidatorRightDetails } from '../workflows/validator-rights.js';
import type { WalletInstallDetails } from '../workflows/wallet-install.js';
import type { WalletOfferDetails } from '../workflows/wallet-offer.js';
import type { VoteDetails } from '../workflows/votes.js';

/** The details of all update kinds. */
export interface UpdateDetails
  extends
    NetworkDetails,
    PartyDetails,
    RoundDetails,
    IssuingDetails,
    ExpiredRewardDetails,
    DevelopmentFundDetails,
    LicenseDetails,
    FeaturedAppDetails,
    ValidatorRightDetails,
    SvRewardDetails,
    PriceVoteDetails,
    MintDetails,
    SelfDetails,
    DirectDetails,
    OfferDetails,
    LockDetails,
    PreapprovalDetails,
    WalletInstallDetails,
    WalletOfferDetails,
    TrafficDetails,
    TrafficRequestDetails,
    DustDetails,
    DsoDetails,
    VoteDetails,
    AnsDetails,
    MergeDelegationDetails,
    MintingDelegationDetails,
    ExternalPartyDetails,
    TransferCommandDetails,
    BatchDetails {}

/** What happened. */
export type UpdateKind = keyof UpdateDetails;

/** The only kind of event: contracts archived, contracts created, and what it was about. Replay needs no rule of its day. */
export interface UpdateOf<Kind extends UpdateKind> {
  /** Position in the log, dense from 1. */
  readonly offset: Offset;
  readonly updateId: UpdateId;
  /** Ledger time; never decreases along the log. */
  readonly recordTime: Instant;
  readonly kind: Kind;
  /** Who authorised it. */
  readonly actAs: readonly PartyId[];
  readonly archived: readonly ContractId[];
  /** Whole contracts, in order of their ids. */
  readonly created: readonly Contract[];
  readonly detail: UpdateDetails[Kind];
}

/** An update of any kind; `kind` tells them apart. */
export type Update = { [Kind in UpdateKind]: UpdateOf<Kind> }[UpdateKind];

/** Whether an update is of one of the kinds. */
export function isUpdateOf<Kind extends UpdateKind>(
  update: Update,
  ...kinds: readonly Kind[]
): update is Extract<Update, { readonly kind: Kind }> {
  return kinds.some((kind) => kind === update.kind);
}
