/* The parts of the server's answers that the page reads. */

interface Contract<Payload> {
  readonly template_id: string;
  readonly contract_id: string;
  readonly payload: Payload;
  readonly created_at: string;
}

export interface Balance {
  readonly round: number;
  readonly effective_unlocked_qty: string;
  readonly effective_locked_qty: string;
  readonly total_holding_fees: string;
}

interface CoinPayload {
  readonly amount: {
    readonly initialAmount: string;
    readonly createdAt: { readonly number: string };
    readonly ratePerRound: { readonly rate: string };
  };
}
interface LockedPayload {
  readonly amulet: CoinPayload;
  readonly lock: {
    readonly holders: readonly string[];
    readonly expiresAt: string;
    readonly optContext: string | null;
  };
}
export interface Position<Payload = CoinPayload | LockedPayload> {
  readonly contract: { readonly contract: Contract<Payload> };
  readonly round: number;
  readonly accrued_holding_fee: string;
  readonly effective_amount: string;
}
export interface CoinList {
  readonly amulets: readonly Position<CoinPayload>[];
  readonly locked_amulets: readonly Position<LockedPayload>[];
}

interface OfferPayload {
  readonly sender: string;
  readonly receiver: string;
  readonly amount: { readonly amount: string; readonly unit: string };
  readonly description: string;
  readonly expiresAt: string;
}
export type Offer = Contract<OfferPayload>;
export interface OfferList {
  readonly offers: readonly Offer[];
}
export interface AcceptedOfferList {
  readonly accepted_offers: readonly Contract<Omit<OfferPayload, 'description'>>[];
}

interface PartyAmount {
  readonly party: string;
  readonly amount: string;
}
export interface HistoryItem {
  readonly transaction_type: 'transfer' | 'balance_change' | 'notification' | 'unknown';
  readonly transaction_subtype: { readonly choice: string; readonly amulet_operation?: string };
  readonly event_id: string;
  readonly date: string;
  readonly sender?: PartyAmount;
  readonly receivers?: readonly PartyAmount[];
  readonly transfer_instruction_receiver?: string;
  readonly transfer_instruction_amount?: string;
  readonly transfer_instruction_cid?: string;
  readonly description?: string;
  readonly details?: string;
}
export interface HistoryPage {
  readonly items: readonly HistoryItem[];
}

export interface PreapprovalFound {
  readonly transfer_preapproval: {
    readonly contract: Contract<{
      readonly receiver: string;
      readonly provider: string;
      readonly expiresAt: string;
      readonly lastRenewedAt: string;
    }>;
  };
}

interface OpenRound {
  readonly round: { readonly number: string };
  readonly amuletPrice: string;
  readonly opensAt: string;
  readonly targetClosesAt: string;
}
interface IssuingRound {
  readonly round: { readonly number: string };
  readonly opensAt: string;
  readonly targetClosesAt: string;
}
type ById<Payload> = Readonly<Record<string, { readonly contract: Contract<Payload> }>>;
export interface RoundsFound {
  readonly open_mining_rounds: ById<OpenRound>;
  readonly issuing_mining_rounds: ById<IssuingRound>;
}

export interface RulesFound {
  readonly amulet_rules_update: {
    readonly contract: Contract<{
      readonly dso: string;
      readonly isDevNet: boolean;
      readonly configSchedule: { readonly initialValue: RulesConfig };
    }>;
    readonly domain_id: string;
  };
}
interface RulesConfig {
  readonly transferConfig: { readonly maxNumInputs: string; readonly holdingFee: { readonly rate: string } };
  readonly decentralizedSynchronizer: {
    readonly activeSynchronizer: string;
    readonly fees: { readonly extraTrafficPrice: string; readonly minTopupAmount: string };
  };
  readonly tickDuration: { readonly microseconds: string };
}

export interface FactoryFound {
  readonly factoryId: string;
  readonly transferKind: 'self' | 'direct' | 'offer';
}

export interface TransferMade {
  readonly output: { readonly transfer_instruction_cid?: string; readonly receiver_holding_cids?: readonly string[] };
}

export interface LicenseList {
  readonly validator_licenses: readonly Contract<License>[];
}
interface License {
  readonly validator: string;
  readonly sponsor: string;
  readonly faucetState: {
    readonly firstReceivedFor: { readonly number: string };
    readonly lastReceivedFor: { readonly number: string };
    readonly numCouponsMissed: string;
  } | null;
  readonly metadata: { readonly version: string } | null;
  readonly lastActiveAt: string | null;
}

export interface TrafficFound {
  readonly traffic_status: {
    readonly actual: { readonly total_consumed: number; readonly total_limit: number };
    readonly target: { readonly total_purchased: number };
  };
}

export interface TrafficRequestStatus {
  readonly status: 'created' | 'completed' | 'failed';
  readonly failure_reason?: string;
  readonly rejection_reason?: string;
}

export interface Delegation {
  readonly beneficiary: string;
  readonly delegate: string;
  readonly expiresAt: string;
  readonly amuletMergeLimit: string;
}
interface WithStatus<Payload> {
  readonly contract: Contract<Payload>;
  readonly beneficiary_hosted: boolean;
}
export interface ProposalList {
  readonly proposals: readonly WithStatus<{ readonly delegation: Delegation }>[];
}
export interface DelegationList {
  readonly delegations: readonly WithStatus<Delegation>[];
}

export interface ActivePage<Argument> {
  readonly activeContracts: readonly {
    readonly contractEntry: {
      readonly JsActiveContract: {
        readonly createdEvent: {
          readonly contractId: string;
          readonly templateId: string;
          readonly createdAt: string;
          readonly createArgument: Argument;
        };
      };
    };
  }[];
}

export interface TaggedAction {
  readonly tag: string;
  readonly value: Readonly<Record<string, unknown>>;
}
export interface VoteRequest {
  readonly requester: string;
  readonly action: TaggedAction;
  readonly reason: { readonly url: string; readonly body: string };
  readonly voteBefore: string;
  readonly votes: readonly (readonly [name: string, vote: { readonly sv: string; readonly accept: boolean }])[];
}
export interface VoteRequestList {
  readonly dso_rules_vote_requests: readonly Contract<VoteRequest>[];
}
export interface VoteResultList {
  readonly dso_rules_vote_results: readonly {
    readonly request: VoteRequest;
    readonly completedAt: string;
    readonly outcome: { readonly tag: string };
  }[];
}

export interface RewardTotals {
  readonly validatorsAndRewards: readonly { readonly provider: string; readonly rewards: string }[];
}
export interface TrafficTotals {
  readonly validatorsByPurchasedTraffic: readonly {
    readonly validator: string;
    readonly numPurchases: number;
    readonly totalTrafficPurchased: number;
    readonly totalCcSpent: string;
  }[];
}
