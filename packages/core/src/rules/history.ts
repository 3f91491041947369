import type { Contract } from '../contracts/contract.js';
import type { Holding } from '../contracts/holding.js';
import type { ValueDetail } from '../kernel/decision.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { isOutOfFunds } from './tracking.js';
import type { FeesPaid, RewardsUsed } from './transfer/transfer.js';

/** The choice behind a history item, in the network's names. Source: specification §7.8. */
export interface HistorySubtype {
  /** Module and template that declare the choice: `Splice.AmuletRules:AmuletRules`. */
  readonly template: string;
  readonly choice: string;
  /** Operation within a batch of the wallet: `CO_CompleteBuyTrafficRequest`. */
  readonly amuletOperation: string | null;
  /** Module and name of the interface that the choice belongs to. */
  readonly interface: string | null;
}

/** Amount that a party received; negative: the party paid or lost it. */
export interface PartyAmount {
  readonly party: PartyId;
  readonly amount: Amount;
}

/** A history item without its id and date. Source: specification §7.8. */
export type HistoryEntry = TransferEntry | BalanceChangeEntry | NotificationEntry | UnknownEntry;

/** Coin was paid, split, merged, minted from coupons, locked or burned for a purchase. */
export interface TransferEntry {
  readonly type: 'transfer';
  readonly subtype: HistorySubtype;
  /** Net change of the sender's coin: minus payments, locked and burned coin, plus the rewards it collected. */
  readonly sender: PartyAmount;
  readonly receivers: readonly PartyAmount[];
  readonly holdingFees: Amount;
  readonly appRewardsUsed: Amount;
  /** Rewards of validators: for their users' activity and for liveness. */
  readonly validatorRewardsUsed: Amount;
  readonly svRewardsUsed: Amount;
  readonly developmentFundCouponsUsed: Amount;
  /** The two-step transfer that this update created or ended. */
  readonly transferInstruction: HistoryInstruction | null;
  readonly description: string | null;
}

/** A two-step transfer in the history; receiver and amount are given when it is created. */
export interface HistoryInstruction {
  readonly contract: ContractId;
  readonly receiver: PartyId | null;
  readonly amount: Amount | null;
}

/** Coin was created, returned or removed without a transfer. */
export interface BalanceChangeEntry {
  readonly type: 'balance_change';
  readonly subtype: HistorySubtype;
  readonly receivers: readonly PartyAmount[];
  readonly transferInstruction: ContractId | null;
}

/** A failed attempt of the automation. */
export interface NotificationEntry {
  readonly type: 'notification';
  readonly subtype: HistorySubtype;
  readonly details: string;
}

/** Coin was changed by an update of an unknown kind. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly subtype: HistorySubtype;
}

export interface Recorded {
  readonly seenBy: readonly PartyId[];
  readonly entry: HistoryEntry;
}

export interface Recordable<Detail> {
  readonly created: readonly Contract[];
  readonly detail: Detail;
}

export type Recorder<Detail> = (update: Recordable<Detail>) => readonly Recorded[];

const REASON_KEYS = ['splice.lfdecentralizedtrust.org/reason', 'reason'] as const;

export interface TransferFacts {
  readonly rewards?: RewardsUsed | null;
  readonly fees?: FeesPaid | null;
  readonly meta?: Readonly<Record<string, string>>;
}

/**
 * Use it only for transfers whose inputs are all the payer's. The net change follows from the update alone: minted
 * minus burned minus the coins of other owners. Coin that the payer locks is subtracted; locked coin among the inputs
 * counts as the payer's.
 */
export function paid(
  update: Recordable<ValueDetail>,
  payer: PartyId,
  subtype: HistorySubtype,
  facts: TransferFacts = {},
  instruction: HistoryInstruction | null = null,
): readonly Recorded[] {
  const coins = update.created.filter((contract): contract is Holding => contract.template === 'Holding');
  const away = coins.filter(({ owner, lock }) => owner !== payer || lock !== null);
  const receivers = byParty(away.filter(({ owner }) => owner !== payer));
  const made = Amount.sub(update.detail.minted, update.detail.burned);
  const change = Amount.sub(made, Amount.sum(away.map(({ amount }) => amount)));
  const entry = transferEntry({ party: payer, amount: change }, receivers, subtype, facts, instruction);
  return [{ seenBy: [payer, ...receivers.map(({ party }) => party)], entry }];
}

/** {@link paid} by the party in a field of the detail, which has the facts too. */
export function paidBy<Field extends string>(
  payer: Field,
  subtype: HistorySubtype,
): Recorder<ValueDetail & TransferFacts & Readonly<Record<Field, PartyId>>> {
  return (update) => paid(update, update.detail[payer], subtype, update.detail);
}

export function transferEntry(
  sender: PartyAmount,
  receivers: readonly PartyAmount[],
  subtype: HistorySubtype,
  { rewards, fees, meta }: TransferFacts,
  transferInstruction: HistoryInstruction | null = null,
): TransferEntry {
  const none = Amount.zero;
  return {
    type: 'transfer',
    subtype,
    sender,
    receivers,
    holdingFees: fees?.holdingFees ?? none,
    appRewardsUsed: rewards?.appRewards ?? none,
    validatorRewardsUsed: rewards ? Amount.add(rewards.validatorRewards, rewards.faucetRewards) : none,
    svRewardsUsed: rewards?.svRewards ?? none,
    developmentFundCouponsUsed: rewards?.developmentFund ?? none,
    transferInstruction,
    description: meta ? (REASON_KEYS.map((key) => meta[key]).find((text) => text !== undefined) ?? null) : null,
  };
}

function byParty(coins: readonly Holding[]): readonly PartyAmount[] {
  const amounts = new Map<PartyId, Amount>();
  for (const { owner, amount } of coins) amounts.set(owner, Amount.add(amounts.get(owner) ?? Amount.zero, amount));
  return [...amounts].map(([party, amount]) => ({ party, amount }));
}

export function changed(
  receivers: readonly PartyAmount[],
  subtype: HistorySubtype,
  transferInstruction: ContractId | null = null,
): Recorded {
  const entry: BalanceChangeEntry = { type: 'balance_change', subtype, receivers, transferInstruction };
  return { seenBy: [...new Set(receivers.map(({ party }) => party))], entry };
}

export function notified(seenBy: readonly PartyId[], subtype: HistorySubtype, details: string): Recorded {
  return { seenBy: [...new Set(seenBy)], entry: { type: 'notification', subtype, details } };
}

export function choiceOf(
  module: string,
  choice: string,
  { template, ...more }: { readonly template?: string } & Partial<Pick<HistorySubtype, 'interface'>> = {},
): HistorySubtype {
  const declaring = `Splice.${module}:${template ?? module}`;
  return { template: declaring, choice, amuletOperation: null, interface: more.interface ?? null };
}

export const FACTORY: HistorySubtype = choiceOf('ExternalPartyAmuletRules', 'TransferFactory_Transfer', {
  interface: 'Splice.Api.Token.TransferInstructionV1:TransferFactory',
});

export function inBatch(operation: string): HistorySubtype {
  const choice = 'WalletAppInstall_ExecuteBatch';
  return { template: 'Splice.Wallet.Install:WalletAppInstall', choice, amuletOperation: operation, interface: null };
}

export function failureOf(reason: string): string {
  return `${isOutOfFunds(reason) ? 'ITR_InsufficientFunds' : 'ITR_Other'}: ${reason}`;
}
