import { Amount, PROFILE_NAMES, type PartyId, type Step, type Update } from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import { historyItemsOf } from '@coinlab/core/histories';
import type { FeesPaid } from '@coinlab/core/rules';
import { expect, it } from 'vitest';
import { recordedSteps } from '../recorded.ts';

/*
 * As what an update stands in the histories of the parties it touches: template and choice as the wallet API names them, or the
 * operation of the wallet's batch. Every other kind of update in the
 * recorded logs touches no coin and stands in none. Source: specification §7.8.
 */
const REGISTRY = 'ExternalPartyAmuletRules:ExternalPartyAmuletRules TransferFactory_Transfer';
const SEND = 'ExternalPartyAmuletRules:TransferCommand TransferCommand_Send';
const INSTRUCTION = 'AmuletTransferInstruction:AmuletTransferInstruction TransferInstruction';
const SUBSCRIPTION = 'Wallet.Subscriptions:Subscription';
const BATCH = 'Wallet.Install:WalletAppInstall WalletAppInstall_ExecuteBatch';

const TOLD: Readonly<Record<string, readonly string[]>> = {
  AnsPaymentCollected: [
    'transfer Ans:AnsRules AnsRules_CollectEntryRenewalPayment',
    'transfer Ans:AnsRules AnsRules_CollectInitialEntryPayment',
  ],
  AnsPaymentMade: [
    `transfer ${SUBSCRIPTION}IdleState SubscriptionIdleState_MakePayment`,
    `transfer ${SUBSCRIPTION}Request SubscriptionRequest_AcceptAndMakePayment`,
  ],
  AnsPaymentReclaimed: [`balance_change ${SUBSCRIPTION}InitialPayment SubscriptionInitialPayment_Expire`],
  AnsPaymentRejected: [`balance_change ${SUBSCRIPTION}InitialPayment SubscriptionInitialPayment_Reject`],
  BatchExecuted: [
    'balance_change AmuletRules:AmuletRules AmuletRules_DevNet_Tap',
    `notification ${BATCH} CO_CompleteAcceptedTransfer`,
    `notification ${BATCH} CO_SubscriptionMakePayment`,
    'transfer AmuletRules:AmuletRules AmuletRules_BuyMemberTraffic',
    'transfer AmuletRules:AmuletRules AmuletRules_CreateExternalPartySetupProposal',
    `transfer ${BATCH} CO_MergeTransferInputs`,
    `transfer ${SUBSCRIPTION}Request SubscriptionRequest_AcceptAndMakePayment`,
  ],
  DelegatedHoldingsMerged: [`transfer ${REGISTRY}`],
  DustExpired: ['balance_change Amulet:Amulet Amulet_Expire'],
  ExternalPartySetupProposed: ['transfer AmuletRules:AmuletRules AmuletRules_CreateExternalPartySetupProposal'],
  HoldingUnlocked: ['balance_change Amulet:LockedAmulet LockedAmulet_Unlock'],
  HoldingsMerged: [`transfer ${BATCH} CO_MergeTransferInputs`],
  LockExpired: ['balance_change Amulet:LockedAmulet LockedAmulet_OwnerExpireLock'],
  Minted: ['balance_change AmuletRules:AmuletRules AmuletRules_Mint'],
  MintedForBeneficiary: ['transfer Wallet.MintingDelegation:MintingDelegation MintingDelegation_Mint'],
  PreapprovalCreated: ['transfer AmuletRules:AmuletRules AmuletRules_CreateTransferPreapproval'],
  PreapprovalRenewed: ['transfer AmuletRules:TransferPreapproval TransferPreapproval_Renew'],
  SelfTransferred: [`transfer ${REGISTRY}`],
  Tapped: ['balance_change AmuletRules:AmuletRules AmuletRules_DevNet_Tap'],
  TrafficPurchased: ['transfer AmuletRules:AmuletRules AmuletRules_BuyMemberTraffic'],
  TrafficRequestCompleted: [`transfer ${BATCH} CO_CompleteBuyTrafficRequest`],
  TrafficToppedUp: [`transfer ${BATCH} CO_BuyMemberTraffic`],
  TransferAccepted: [`transfer ${INSTRUCTION}_Accept`],
  TransferCommandFailed: [`notification ${SEND}`, `transfer ${SEND}`],
  TransferCommandSent: [`transfer ${SEND}`],
  TransferCompleted: [`transfer ${REGISTRY}`],
  TransferExpired: [`balance_change ${INSTRUCTION}_Update`],
  TransferOffered: [`transfer ${REGISTRY}`],
  TransferRejected: [`balance_change ${INSTRUCTION}_Reject`],
  TransferWithdrawn: [`balance_change ${INSTRUCTION}_Withdraw`],
  WalletOfferAborted: [`notification ${BATCH} CO_CompleteAcceptedTransfer`],
  WalletOfferCompleted: ['transfer Wallet.TransferOffer:AcceptedTransferOffer AcceptedTransferOffer_Complete'],
};

/** Parties that an update or the contracts that it touches name anywhere. */
function partiesIn({ before, update }: Step): readonly PartyId[] {
  const names = new Set<PartyId>();
  const note = (value: unknown): void => {
    if (typeof value === 'string' && /^[^ ]+::[0-9a-f]+$/.test(value)) names.add(value as PartyId);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(note);
  };
  note(update);
  if (before.offset > 0) update.archived.forEach((id) => note(findAny(before, id)));
  return [...names];
}

it('an update appears in histories as the choice that the wallet API names', () => {
  const told = new Map<string, Set<string>>();
  for (const step of PROFILE_NAMES.flatMap((profile) => [...recordedSteps(profile)])) {
    for (const { type, subtype } of partiesIn(step).flatMap((party) => [...historyItemsOf(step.update, party)])) {
      const { template, choice, amuletOperation, interface: face } = subtype;
      expect(template).toMatch(/^Splice\./);
      const named = [type, template.replace('Splice.', ''), choice, ...(amuletOperation ? [amuletOperation] : [])];
      const isRegistry = /^TransferFactory|^TransferInstruction/.test(choice);
      expect(face).toBe(
        isRegistry ? `Splice.Api.Token.TransferInstructionV1:${choice.slice(0, choice.indexOf('_'))}` : null,
      );
      told.set(step.update.kind, (told.get(step.update.kind) ?? new Set()).add(named.join(' ')));
    }
  }
  expect(Object.fromEntries([...told].map(([kind, names]) => [kind, [...names].sort()]))).toEqual(TOLD);
});

it('a merge by delegation appears with the cost of the gift and of the merge for the party that paid each', () => {
  const step = [...recordedSteps('feeless')].find(({ update }) => update.kind === 'DelegatedHoldingsMerged');
  if (step?.update.kind !== 'DelegatedHoldingsMerged') throw new Error('one is recorded');
  const { calls, operator } = step.update.detail;
  const [call] = calls;
  if (!call) throw new Error('it has a call');
  const fees = (units: bigint): FeesPaid => ({
    holdingFees: Amount.ofUnits(units),
    outputFees: [Amount.ofUnits(10n)],
    changeFee: Amount.ofUnits(100n),
  });
  const told = (extra: bigint, inputs: number): ReturnType<typeof historyItemsOf> => {
    const gift = { ...call, extra: Amount.ofUnits(extra), extraFees: fees(1n), inputs, mergeFees: fees(2n) };
    const update = { ...step.update, detail: { ...step.update.detail, calls: [gift] } } as Update;
    return historyItemsOf(update, call.owner);
  };
  const given = { sender: { party: operator, amount: -1111n }, holdingFees: 1n };
  const merged = { sender: { party: call.owner, amount: -112n }, receivers: [], holdingFees: 2n };
  expect(told(1000n, 3)).toMatchObject([{ ...given, receivers: [{ party: call.owner, amount: 1000n }] }, merged]);
  expect(told(0n, 3)).toMatchObject([merged]);
  expect(told(1000n, 0)).toMatchObject([given]);
  expect(told(0n, 3)).toHaveLength(1);
  expect(told(1000n, 0)).toHaveLength(1);
});
