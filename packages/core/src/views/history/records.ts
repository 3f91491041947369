import type { Holding } from '../../contracts/holding.js';
import { Amount } from '../../kernel/amount.js';
import type { PartyId } from '../../kernel/ids.js';
import { happeningsOf } from '../../log/batch.js';
import type { Update, UpdateKind, UpdateOf } from '../../log/update.js';
import { isOutOfFunds } from '../../rules/tracking.js';
import type { FeesPaid } from '../../rules/transfer.js';
import { changed, named, notified, paid, transferEntry, type HistorySubtype, type Recorded } from './entries.js';

const FACTORY = named('ExternalPartyAmuletRules', 'TransferFactory_Transfer', {
  interface: 'Splice.Api.Token.TransferInstructionV1:TransferFactory',
});
const SEND = named('ExternalPartyAmuletRules', 'TransferCommand_Send', { template: 'TransferCommand' });

type BatchedResult = UpdateOf<'BatchExecuted'>['detail']['operations'][number];

const PAYMENTS: { readonly [Operation in BatchedResult['operation']]?: HistorySubtype } = {
  CompleteWalletOffer: inBatch('CO_CompleteAcceptedTransfer'),
  PayAnsSubscription: inBatch('CO_SubscriptionMakePayment'),
};

type Recorder<Kind extends UpdateKind> = (update: UpdateOf<Kind>) => readonly Recorded[];

const nothing = (): readonly Recorded[] => [];

const RECORDS: { readonly [Kind in UpdateKind]: Recorder<Kind> } = {
  Minted: (update) => gained(update, named('AmuletRules', 'AmuletRules_Mint')),
  Tapped: (update) => gained(update, named('AmuletRules', 'AmuletRules_DevNet_Tap')),

  SelfTransferred: (update) => paid(update, update.detail.sender, FACTORY, update.detail),
  HoldingsMerged: (update) => paid(update, update.detail.sender, inBatch('CO_MergeTransferInputs'), update.detail),
  TransferCompleted: (update) => paid(update, update.detail.sender, FACTORY, update.detail),

  TransferOffered: (update) => {
    const { sender, receiver, amount, instruction } = update.detail;
    const more = { ...update.detail, transferInstruction: { contract: instruction, receiver, amount } };
    return paid(update, sender, FACTORY, more);
  },
  TransferAccepted: (update) => {
    const { sender, instruction } = update.detail;
    const more = { ...update.detail, transferInstruction: { contract: instruction, receiver: null, amount: null } };
    return paid(update, sender, ofInstruction('Accept'), more);
  },
  TransferRejected: (update) => returned(update, 'Reject'),
  TransferWithdrawn: (update) => returned(update, 'Withdraw'),
  TransferExpired: (update) => returned(update, 'Update'),

  HoldingUnlocked: (update) => freed(update, named('Amulet', 'LockedAmulet_Unlock', { template: 'LockedAmulet' })),
  LockExpired: (update) => freed(update, named('Amulet', 'LockedAmulet_OwnerExpireLock', { template: 'LockedAmulet' })),
  DustExpired: ({ detail }) =>
    detail.expired.map(({ owner, amount, wasLocked }) => {
      const subtype = wasLocked
        ? named('Amulet', 'LockedAmulet_ExpireAmulet', { template: 'LockedAmulet' })
        : named('Amulet', 'Amulet_Expire');
      return changed([{ party: owner, amount: Amount.sub(Amount.zero, amount) }], subtype);
    }),

  PreapprovalCreated: (update) =>
    paid(update, update.detail.provider, named('AmuletRules', 'AmuletRules_CreateTransferPreapproval'), update.detail),
  PreapprovalRenewed: (update) =>
    paid(
      update,
      update.detail.provider,
      named('AmuletRules', 'TransferPreapproval_Renew', { template: 'TransferPreapproval' }),
      update.detail,
    ),

  WalletOfferCompleted: (update) =>
    paid(
      update,
      update.detail.sender,
      named('Wallet.TransferOffer', 'AcceptedTransferOffer_Complete', { template: 'AcceptedTransferOffer' }),
      update.detail,
    ),
  WalletOfferAborted: ({ detail }) => {
    return [notified([detail.sender], inBatch('CO_CompleteAcceptedTransfer'), failureOf(detail.reason ?? ''))];
  },

  BatchExecuted: (update) => [
    ...happeningsOf(update).flatMap(recordedIn),
    ...update.detail.operations.flatMap((result) => unpaid(result, update.detail.owner)),
  ],

  TrafficPurchased: (update) =>
    paid(update, update.detail.payer, named('AmuletRules', 'AmuletRules_BuyMemberTraffic'), update.detail),
  TrafficToppedUp: (update) => paid(update, update.detail.payer, inBatch('CO_BuyMemberTraffic'), update.detail),
  TrafficRequestCompleted: (update) =>
    paid(update, update.detail.payer, inBatch('CO_CompleteBuyTrafficRequest'), update.detail),

  AnsPaymentMade: (update) => {
    const { isFirst, user } = update.detail;
    const choice = isFirst ? 'Request_AcceptAndMakePayment' : 'IdleState_MakePayment';
    return paid(update, user, ofSubscription(choice), update.detail);
  },
  AnsPaymentCollected: (update) => {
    const choice = update.detail.isFirst ? 'CollectInitialEntryPayment' : 'CollectEntryRenewalPayment';
    return paid(update, update.detail.user, named('Ans', `AnsRules_${choice}`, { template: 'AnsRules' }));
  },
  AnsPaymentRejected: (update) => givenBack(update, 'Reject'),
  AnsPaymentReclaimed: (update) => givenBack(update, 'Expire'),
  AnsSubscriptionExpired: ({ detail }) => [
    notified(
      [detail.user],
      ofSubscription('IdleState_ExpireSubscription'),
      `ITR_Other: ${detail.name} was not renewed`,
    ),
  ],

  DelegatedHoldingsMerged: (update) => update.detail.calls.flatMap((call) => merged(call, update.detail.operator)),
  MintedForBeneficiary: (update) =>
    paid(
      update,
      update.detail.sender,
      named('Wallet.MintingDelegation', 'MintingDelegation_Mint', { template: 'MintingDelegation' }),
      update.detail,
    ),

  ExternalPartySetupProposed: (update) =>
    paid(
      update,
      update.detail.validator,
      named('AmuletRules', 'AmuletRules_CreateExternalPartySetupProposal'),
      update.detail,
    ),
  TransferCommandSent: (update) => paid(update, update.detail.sender, SEND, update.detail),
  TransferCommandFailed: (update) => {
    const { sender, delegate, nonce, reason, inputs } = update.detail;
    return [
      ...(inputs > 0 ? paid(update, sender, SEND, update.detail) : []),
      notified([sender, delegate], SEND, `TransferCommand with nonce ${nonce} failed: ${reason}`),
    ];
  },

  LedgerOpened: nothing,
  PartyAllocated: nothing,
  RoundsBootstrapped: nothing,
  RoundsAdvanced: nothing,
  ConfigStatesAdvanced: nothing,
  IssuingStarted: nothing,
  RoundClosed: nothing,
  RoundArchived: nothing,
  ExpiredRewardsClaimed: nothing,
  UnclaimedRewardsMerged: nothing,
  ActivityRecordAllocated: nothing,
  ActivityRecordExpired: nothing,
  DevelopmentFundCouponGranted: nothing,
  DevelopmentFundCouponWithdrawn: nothing,
  DevelopmentFundCouponRejected: nothing,
  DevelopmentFundCouponExpired: nothing,
  DevelopmentFundMerged: nothing,
  ValidatorLicenseGranted: nothing,
  LivenessRecorded: nothing,
  FaucetCouponReceived: nothing,
  LicenseMetadataUpdated: nothing,
  ActivityReported: nothing,
  ValidatorLicenseWithdrawn: nothing,
  ValidatorLicenseCancelled: nothing,
  FeaturedAppRightGranted: nothing,
  FeaturedAppRightWithdrawn: nothing,
  FeaturedAppRightCancelled: nothing,
  ActivityMarkersCreated: nothing,
  ActivityMarkersConverted: nothing,
  ValidatorRightCreated: nothing,
  ValidatorRightArchived: nothing,
  SvRewardCouponsReceived: nothing,
  AmuletPriceVoted: nothing,
  PreapprovalProposed: nothing,
  PreapprovalProposalWithdrawn: nothing,
  PreapprovalCancelled: nothing,
  PreapprovalExpired: nothing,
  UserOnboarded: nothing,
  UserOffboarded: nothing,
  WalletOfferCreated: nothing,
  WalletOfferAccepted: nothing,
  WalletOfferRejected: nothing,
  WalletOfferWithdrawn: nothing,
  WalletOfferExpired: nothing,
  MemberTrafficMerged: nothing,
  TopUpStateCreated: nothing,
  TrafficConsumed: nothing,
  TrafficRequestCreated: nothing,
  TrafficRequestCancelled: nothing,
  TrafficRequestExpired: nothing,
  DsoBootstrapped: nothing,
  ActionExecuted: nothing,
  VoteRequested: nothing,
  VoteCast: nothing,
  VoteClosed: nothing,
  AnsEntryRequested: nothing,
  AnsRequestWithdrawn: nothing,
  AnsSubscriptionCancelled: nothing,
  AnsEntryExpired: nothing,
  MergeDelegationProposed: nothing,
  MergeDelegationAccepted: nothing,
  MergeDelegationProposalRejected: nothing,
  MergeDelegationProposalWithdrawn: nothing,
  MergeDelegationRejected: nothing,
  MergeDelegationWithdrawn: nothing,
  BatchMergeUtilityCreated: nothing,
  MintingDelegationProposed: nothing,
  MintingDelegationAccepted: nothing,
  MintingDelegationProposalRejected: nothing,
  MintingDelegationProposalWithdrawn: nothing,
  MintingDelegationRejected: nothing,
  MintingDelegationWithdrawn: nothing,
  ExternalPartyRegistered: nothing,
  ExternalPartySetupAccepted: nothing,
  ExternalPartySetupRejected: nothing,
  ExternalPartySetupWithdrawn: nothing,
  TransferCommandCounterCreated: nothing,
  TransferCommandCreated: nothing,
  TransferCommandWithdrawn: nothing,
  TransferCommandExpired: nothing,
};

/** What an update puts into the histories of parties, in order; nothing when it touches no coin. Source: specification §7.8. */
export function recordedIn(update: Update): readonly Recorded[] {
  const record = RECORDS[update.kind] as Recorder<UpdateKind>;
  return record(update);
}

function gained({ detail }: UpdateOf<'Minted' | 'Tapped'>, subtype: HistorySubtype): readonly Recorded[] {
  return [changed([{ party: detail.receiver, amount: detail.amount }], subtype)];
}

function freed({ detail }: UpdateOf<'HoldingUnlocked' | 'LockExpired'>, subtype: HistorySubtype): readonly Recorded[] {
  return [changed([{ party: detail.owner, amount: detail.amount }], subtype)];
}

/** The end of a two-step transfer without a payment; both sides see it. Zero came back when the coin was gone already. */
function returned(
  { detail, created }: UpdateOf<'TransferRejected' | 'TransferWithdrawn' | 'TransferExpired'>,
  step: string,
): readonly Recorded[] {
  const back = created.find((contract): contract is Holding => contract.template === 'Holding');
  const receivers = [{ party: detail.sender, amount: back?.amount ?? Amount.zero }];
  const { entry } = changed(receivers, ofInstruction(step), detail.instruction);
  return [{ seenBy: [detail.sender, detail.receiver], entry }];
}

/** The end of a payment by subscription without its collection. Zero came back when the coin was gone already. */
function givenBack(
  { detail, created }: UpdateOf<'AnsPaymentRejected' | 'AnsPaymentReclaimed'>,
  step: 'Reject' | 'Expire',
): readonly Recorded[] {
  const back = created.find((contract): contract is Holding => contract.template === 'Holding');
  const receivers = [{ party: detail.user, amount: back?.amount ?? Amount.zero }];
  return [changed(receivers, ofSubscription(`${detail.isFirst ? 'InitialPayment' : 'Payment'}_${step}`))];
}

/** An operation of a batch that failed, where it was a payment by itself. Source: specification §7.8. */
function unpaid(result: BatchedResult, owner: PartyId): readonly Recorded[] {
  const subtype = result.outcome === 'failed' ? PAYMENTS[result.operation] : undefined;
  return subtype && result.outcome === 'failed' ? [notified([owner], subtype, failureOf(result.reason))] : [];
}

function failureOf(reason: string): string {
  return `${isOutOfFunds(reason) ? 'ITR_InsufficientFunds' : 'ITR_Other'}: ${reason}`;
}

type MergedCall = UpdateOf<'DelegatedHoldingsMerged'>['detail']['calls'][number];

/** What a merge by delegation did: the operator's extra transfer, then the owner's merge. */
function merged(call: MergedCall, operator: PartyId): readonly Recorded[] {
  const { owner, extra, extraFees, inputs, mergeFees } = call;
  const receivers = owner === operator || extra === 0n ? [] : [{ party: owner, amount: extra }];
  const given = Amount.sum(receivers.map(({ amount }) => amount));
  const payer = { party: operator, amount: Amount.sub(costOf(extraFees), given) };
  const brought = transferEntry(payer, receivers, FACTORY, { fees: extraFees });
  const whole = transferEntry({ party: owner, amount: costOf(mergeFees) }, [], FACTORY, { fees: mergeFees });
  return [
    ...(extra > 0n ? [{ seenBy: [...new Set([operator, owner])], entry: brought }] : []),
    ...(inputs > 0 ? [{ seenBy: [owner], entry: whole }] : []),
  ];
}

/** What fees take from their payer: zero or less. */
function costOf(fees: FeesPaid | null): Amount {
  if (!fees) return Amount.zero;
  return Amount.sub(Amount.zero, Amount.sum([fees.holdingFees, ...fees.outputFees, fees.changeFee]));
}

function ofInstruction(step: string): HistorySubtype {
  return named('AmuletTransferInstruction', `TransferInstruction_${step}`, {
    interface: 'Splice.Api.Token.TransferInstructionV1:TransferInstruction',
  });
}

function ofSubscription(choice: string): HistorySubtype {
  const template = `Subscription${choice.slice(0, choice.indexOf('_'))}`;
  return named('Wallet.Subscriptions', `Subscription${choice}`, { template });
}

function inBatch(operation: string): HistorySubtype {
  const choice = 'WalletAppInstall_ExecuteBatch';
  return { template: 'Splice.Wallet.Install:WalletAppInstall', choice, amuletOperation: operation, interface: null };
}
