import { type Contract, type TemplateName } from '../contracts/contract.js';
import { allOf, find, settingsOf } from '../contracts/state.js';
import type { AcceptedTransferOffer, TransferOffer } from '../contracts/wallet.js';
import type { PartyId } from '../kernel/ids.js';
import type { UpdateKind } from '../log/update.js';
import type { Step } from './law.js';
import { archivedOf, type StepOf } from './touched.js';

/** By whose authority a kind of update happens. Source: specification §3 (authority rule and the controllers of each choice). */
export interface Consent<Kind extends UpdateKind> {
  /** The controllers: of these groups one acts as a whole. */
  controllers(step: StepOf<Kind>): readonly Group[];
  /** The contracts whose choice is exercised: their signatories lend their authority to what follows. A null is a missing one. */
  exercised?(step: StepOf<Kind>): readonly (Contract | null)[];
  /** The choice is one of a rules contract, which the DSO signs. */
  readonly throughRules?: true;
}

/** Parties that act together. */
export type Group = readonly (PartyId | undefined)[];

const byDso = { controllers: (step: Step): readonly Group[] => [[dsoOf(step)]], throughRules: true } as const;

/** Of every kind of update, by whose authority it happens. A kind that is not listed is held to be unauthorised. */
export const CONSENT: { readonly [Kind in UpdateKind]?: Consent<Kind> } = {
  LedgerOpened: byDso,
  PartyAllocated: { controllers: ({ update }) => [[update.detail.party]] },

  RoundsBootstrapped: byDso,
  RoundsAdvanced: byDso,
  ConfigStatesAdvanced: byDso,

  Minted: { controllers: (step) => [[dsoOf(step), step.update.detail.receiver]], throughRules: true },
  Tapped: { controllers: ({ update }) => [[update.detail.receiver]], throughRules: true },

  SelfTransferred: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  HoldingsMerged: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  TransferCompleted: {
    controllers: ({ update }) => [[update.detail.sender]],
    exercised: ({ before, update }) => [find(before, 'TransferPreapproval', update.detail.preapproval)],
    throughRules: true,
  },

  TransferOffered: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  TransferAccepted: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.receiver]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferRejected: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.receiver]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.sender]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferExpired: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },

  HoldingUnlocked: {
    controllers: (step) => archivedOf(step, 'Holding').map(({ owner, lock }) => [owner, ...(lock?.holders ?? [])]),
    exercised: (step) => archived(step, 'Holding'),
  },
  LockExpired: {
    controllers: (step) => archivedOf(step, 'Holding').map(({ owner }) => [owner]),
    exercised: (step) => archived(step, 'Holding'),
  },

  PreapprovalProposed: { controllers: ({ update }) => [[update.detail.receiver]] },
  PreapprovalProposalWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferPreapprovalProposal')[0]?.receiver]],
    exercised: (step) => archived(step, 'TransferPreapprovalProposal'),
  },
  PreapprovalCreated: {
    controllers: (step) => {
      const [proposal] = archivedOf(step, 'TransferPreapprovalProposal');
      const { receiver, provider } = step.update.detail;
      return proposal ? [[proposal.provider]] : [[provider, receiver]];
    },
    exercised: (step) => archivedOf(step, 'TransferPreapprovalProposal'),
    throughRules: true,
  },
  PreapprovalRenewed: {
    controllers: (step) => [[archivedOf(step, 'TransferPreapproval')[0]?.provider]],
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },
  PreapprovalCancelled: {
    controllers: (step) => {
      const [ended] = archivedOf(step, 'TransferPreapproval');
      return [[ended?.receiver], [ended?.provider]];
    },
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },
  PreapprovalExpired: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },

  UserOnboarded: { controllers: ({ update }) => [[update.detail.validator, update.detail.endUser]] },
  UserOffboarded: {
    controllers: (step) => {
      const [install] = archivedOf(step, 'WalletAppInstall');
      return [[install?.validator], [install?.endUser]];
    },
    exercised: (step) => archived(step, 'WalletAppInstall'),
  },

  WalletOfferCreated: { controllers: ({ update }) => [[update.detail.sender]] },
  WalletOfferAccepted: {
    controllers: (step) => [[archivedOf(step, 'TransferOffer')[0]?.receiver]],
    exercised: (step) => archived(step, 'TransferOffer'),
  },
  WalletOfferCompleted: {
    controllers: (step) => [[archivedOf(step, 'AcceptedTransferOffer')[0]?.sender, step.update.detail.walletProvider]],
    exercised: (step) => archived(step, 'AcceptedTransferOffer'),
    throughRules: true,
  },
  WalletOfferRejected: {
    controllers: (step) => [[walletOfferIn(step)?.receiver]],
    exercised: (step) => [walletOfferIn(step)],
  },
  WalletOfferWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferOffer')[0]?.sender]],
    exercised: (step) => archived(step, 'TransferOffer'),
  },
  WalletOfferAborted: {
    controllers: (step) => [[archivedOf(step, 'AcceptedTransferOffer')[0]?.sender]],
    exercised: (step) => archived(step, 'AcceptedTransferOffer'),
  },
  WalletOfferExpired: {
    controllers: (step) => [[walletOfferIn(step)?.sender], [walletOfferIn(step)?.receiver]],
    exercised: (step) => [walletOfferIn(step)],
  },

  TrafficPurchased: { controllers: ({ update }) => [[update.detail.payer]], throughRules: true },
  TrafficToppedUp: {
    controllers: (step) => [[archivedOf(step, 'ValidatorTopUpState')[0]?.validator]],
    exercised: (step) => archived(step, 'ValidatorTopUpState'),
    throughRules: true,
  },
  TopUpStateCreated: { controllers: ({ update }) => [[update.detail.validator]] },
  MemberTrafficMerged: byDso,
  TrafficConsumed: byDso,
  TrafficRequestCreated: { controllers: ({ update }) => [[update.detail.endUser]] },
  TrafficRequestCompleted: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser, step.update.detail.walletProvider]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
    throughRules: true,
  },
  TrafficRequestCancelled: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
  },
  TrafficRequestExpired: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
  },

  DustExpired: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'Holding'),
  },

  DsoBootstrapped: byDso,
  ActionExecuted: byDso,
  VoteRequested: { controllers: ({ update }) => [[update.detail.sv]], throughRules: true },
  VoteCast: {
    controllers: ({ update }) => [[update.detail.sv]],
    exercised: (step) => archived(step, 'VoteRequest'),
    throughRules: true,
  },
  VoteClosed: {
    controllers: (step) => [
      [dsoOf(step)],
      ...[...allOf(step.before, 'DsoRules')].flatMap(({ svs }) => svs.map(({ party }) => [party])),
    ],
    exercised: (step) => archived(step, 'VoteRequest'),
    throughRules: true,
  },

  AnsEntryRequested: { controllers: ({ update }) => [[update.detail.user]], throughRules: true },
  AnsRequestWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionRequest')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionRequest'),
  },
  AnsPaymentMade: {
    controllers: (step) => [[payerOf(step)]],
    exercised: (step) => [...archivedOf(step, 'SubscriptionRequest'), ...archivedOf(step, 'SubscriptionIdleState')],
    throughRules: true,
  },
  AnsPaymentCollected: {
    controllers: (step) => [[dsoOf(step)]],
    // An entry is renewed, or one that has expired is removed.
    exercised: (step) => [...archived(step, 'SubscriptionPayment'), ...archivedOf(step, 'AnsEntry')],
  },
  AnsPaymentRejected: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'SubscriptionPayment'),
  },
  AnsPaymentReclaimed: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionPayment')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionPayment'),
  },
  AnsSubscriptionCancelled: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionIdleState')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionIdleState'),
  },
  AnsSubscriptionExpired: {
    controllers: (step) => [[dsoOf(step)], [archivedOf(step, 'SubscriptionIdleState')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionIdleState'),
  },
  AnsEntryExpired: {
    controllers: (step) => [[dsoOf(step)], [archivedOf(step, 'AnsEntry')[0]?.user]],
    exercised: (step) => archived(step, 'AnsEntry'),
  },
};

/** The archived contracts of a template; a missing one counts as a null, so that a choice of nothing is seen. */
function archived(step: Step, template: TemplateName): readonly (Contract | null)[] {
  const found: readonly Contract[] = archivedOf(step, template);
  return found.length > 0 ? found : [null];
}

/** Who pays for a name: the sender of the subscription that the payment archives. */
function payerOf(step: Step): PartyId | undefined {
  return (archivedOf(step, 'SubscriptionRequest')[0] ?? archivedOf(step, 'SubscriptionIdleState')[0])?.terms.sender;
}

/** The DSO of a step's ledger. */
export function dsoOf({ after }: Step): PartyId {
  return settingsOf(after).dso;
}

/** The wallet offer that a step ends, accepted or not. */
function walletOfferIn(step: Step): TransferOffer | AcceptedTransferOffer | null {
  return archivedOf(step, 'TransferOffer')[0] ?? archivedOf(step, 'AcceptedTransferOffer')[0] ?? null;
}
