import { templateOf, type Contract, type TemplateName } from '../contracts/contract.js';
import { allOf, find, firstByKey, settingsOf } from '../contracts/state.js';
import type { AcceptedTransferOffer, TransferOffer } from '../contracts/wallet.js';
import type { PartyId } from '../kernel/ids.js';
import type { UpdateKind } from '../log/update.js';
import type { Law, Step } from './law.js';
import { archivedIn, archivedOf, isCoupon, isKind, transferOf, type Coupon, type StepOf } from './touched.js';

/** By whose authority a kind of update happens. Source: specification §3 (authority rule and the controllers of each choice). */
interface Consent<Kind extends UpdateKind> {
  /** The controllers: of these groups one acts as a whole. */
  controllers(step: StepOf<Kind>): readonly Group[];
  /** The contracts whose choice is exercised: their signatories lend their authority to what follows. A null is a missing one. */
  exercised?(step: StepOf<Kind>): readonly (Contract | null)[];
  /** The choice is one of a rules contract, which the DSO signs. */
  readonly throughRules?: true;
}

type Group = readonly (PartyId | undefined)[];

const byDso = { controllers: (step: Step): readonly Group[] => [[dsoOf(step)]], throughRules: true } as const;

/** Of every kind of update, by whose authority it happens. A kind that is not listed is held to be unauthorised. */
const CONSENT: { readonly [Kind in UpdateKind]?: Consent<Kind> } = {
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

/** Laws of authority. Source: specification §10, invariants 17, 18, 31 and 32. */
export const authorizationLaws: readonly Law[] = [
  {
    name: 'the controllers of every choice act',
    invariant: 31,
    holds: (step) => {
      const consent = consentTo(step);
      return consent !== null && consent.controllers(step).some((group) => group.every((party) => acts(step, party)));
    },
  },
  {
    name: 'every choice is that of a contract that is active',
    invariant: 31,
    holds: (step) =>
      consentTo(step)
        ?.exercised?.(step)
        .every((contract) => contract !== null) ?? true,
  },
  {
    name: 'whoever signs a created contract has agreed to it',
    invariant: 31,
    holds: (step) => {
      const authority = authorityIn(step);
      return step.update.created.every((contract) =>
        signatoriesOf(contract, step).every((party) => authority.has(party)),
      );
    },
  },
  {
    name: 'what is archived is archived by a choice of its own or by all who signed it',
    invariant: 31,
    holds: (step) => {
      const authority = authorityIn(step);
      const exercised = new Set(
        consentTo(step)
          ?.exercised?.(step)
          .map((contract) => contract?.id),
      );
      return archivedIn(step).every(
        (contract) => exercised.has(contract.id) || consumersOf(contract, step).every((party) => authority.has(party)),
      );
    },
  },
  {
    name: 'no coin is consumed without its owner, dust excepted',
    invariant: 17,
    holds: (step) => {
      if (isKind(step, 'DustExpired')) return true;
      const authority = authorityIn(step);
      return archivedOf(step, 'Holding').every(({ owner }) => authority.has(owner));
    },
  },
  {
    name: 'the inputs of a transfer belong to its sender',
    invariant: 18,
    holds: (step) => {
      const transfer = transferOf(step.update);
      return (
        !transfer ||
        archivedIn(step).every((contract) => {
          if (contract.template === 'Holding') return contract.owner === transfer.sender;
          return !isCoupon(contract) || minterOf(contract, transfer.sender, step) === transfer.sender;
        })
      );
    },
  },
  {
    name: 'only the receiver accepts or rejects, only the sender withdraws',
    invariant: 32,
    holds: (step) => {
      if (!isKind(step, 'TransferAccepted', 'TransferRejected', 'TransferWithdrawn')) return true;
      const transfer = archivedOf(step, 'TransferInstruction')[0]?.transfer;
      return acts(step, step.update.kind === 'TransferWithdrawn' ? transfer?.sender : transfer?.receiver);
    },
  },
];

/** The wallet offer that a step ends, accepted or not. */
function walletOfferIn(step: Step): TransferOffer | AcceptedTransferOffer | null {
  return archivedOf(step, 'TransferOffer')[0] ?? archivedOf(step, 'AcceptedTransferOffer')[0] ?? null;
}

/** What is known of the authority behind the update of a step, or null when nothing is: then the laws refuse it. */
function consentTo(step: Step): Consent<UpdateKind> | null {
  return (CONSENT[step.update.kind] as Consent<UpdateKind> | undefined) ?? null;
}

/** Everybody whose authority an update has: who acts, and the signatories of what is exercised. */
function authorityIn(step: Step): ReadonlySet<PartyId> {
  const consent = consentTo(step);
  const lent = (consent?.exercised?.(step) ?? []).flatMap((contract) =>
    contract ? signatoriesOf(contract, step) : [],
  );
  return new Set([...step.update.actAs, ...lent, ...(consent?.throughRules ? [dsoOf(step)] : [])]);
}

/** Whose authority it takes to archive a contract as part of something else. */
function consumersOf(contract: Contract, step: Step): readonly PartyId[] {
  // Once its lock has expired a coin is its owner's alone (§3.2).
  if (contract.template === 'Holding' && contract.lock && step.update.recordTime >= contract.lock.expiresAt)
    return [contract.owner, dsoOf(step)];
  if (!isCoupon(contract)) return signatoriesOf(contract, step);
  const transfer = transferOf(step.update);
  const minter = minterOf(contract, transfer?.sender ?? null, step);
  return minter === null ? signatoriesOf(contract, step) : [minter, dsoOf(step)];
}

/** Who may mint a coupon: its beneficiary, or a validator of its user. Source: specification §3.6. */
function minterOf(coupon: Coupon, sender: PartyId | null, { before, update }: Step): PartyId | null {
  switch (coupon.template) {
    case 'AppRewardCoupon':
      return coupon.beneficiary ?? coupon.provider;
    case 'ValidatorRewardCoupon':
      return (
        [...(sender === null ? [] : [sender]), ...update.actAs].find((validator) =>
          firstByKey(before, 'ValidatorRight', `right:${coupon.user}:${validator}`),
        ) ?? null
      );
    case 'ValidatorLivenessActivityRecord':
      return coupon.validator;
    case 'SvRewardCoupon':
    case 'UnclaimedActivityRecord':
    case 'DevelopmentFundCoupon':
      return coupon.beneficiary;
  }
}

function signatoriesOf(contract: Contract, step: Step): readonly PartyId[] {
  return templateOf(contract).signatories(contract, dsoOf(step));
}

function dsoOf({ after }: Step): PartyId {
  return settingsOf(after).dso;
}

function acts({ update }: Step, party: PartyId | undefined): boolean {
  return party !== undefined && update.actAs.includes(party);
}

/** The archived contracts of a template; a missing one counts as a null, so that a choice of nothing is seen. */
function archived(step: Step, template: TemplateName): readonly (Contract | null)[] {
  const found: readonly Contract[] = archivedOf(step, template);
  return found.length > 0 ? found : [null];
}

/** Who pays for a name: the sender of the subscription that the payment archives. */
function payerOf(step: Step): PartyId | undefined {
  return (archivedOf(step, 'SubscriptionRequest')[0] ?? archivedOf(step, 'SubscriptionIdleState')[0])?.terms.sender;
}

/** Whether a kind of update is in the table of consents. */
export function hasConsent(kind: UpdateKind): boolean {
  return CONSENT[kind] !== undefined;
}
