import type { Holding } from '../contracts/holding.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Update, UpdateKind, UpdateOf } from '../log/update.js';
import { isOutOfFunds } from '../rules/tracking.js';
import type { FeesPaid, RewardsUsed } from '../rules/transfer.js';

/** Which choice an item stands for, in the network's names. Source: specification §7.8. */
export interface HistorySubtype {
  /** Module and template that declare the choice: `Splice.AmuletRules:AmuletRules`. */
  readonly template: string;
  readonly choice: string;
  /** Operation within a batch of the wallet: `CO_CompleteBuyTrafficRequest`. */
  readonly amuletOperation: string | null;
  /** Module and name of the interface through which the choice was taken. */
  readonly interface: string | null;
}

/** How much somebody got, or lost when negative. */
export interface PartyAmount {
  readonly party: PartyId;
  readonly amount: Amount;
}

/** What an item says beside its id and date. Source: specification §7.8. */
export type HistoryEntry = TransferEntry | BalanceChangeEntry | NotificationEntry | UnknownEntry;

/** Coin was paid, split, merged, minted from coupons, locked or burned for something. */
export interface TransferEntry {
  readonly type: 'transfer';
  readonly subtype: HistorySubtype;
  /** Net change of the sender's coin: what others got, was locked or burned, less the rewards it collected. */
  readonly sender: PartyAmount;
  /** Everybody else who got coin. */
  readonly receivers: readonly PartyAmount[];
  readonly holdingFees: Amount;
  readonly appRewardsUsed: Amount;
  /** Rewards of validators: of their users' activity, and of being live. */
  readonly validatorRewardsUsed: Amount;
  readonly svRewardsUsed: Amount;
  readonly developmentFundCouponsUsed: Amount;
  /** The two-step transfer that this made or ended. */
  readonly transferInstruction: HistoryInstruction | null;
  readonly description: string | null;
}

/** A two-step transfer in the history; receiver and amount are told when it is made. */
export interface HistoryInstruction {
  readonly contract: ContractId;
  readonly receiver: PartyId | null;
  readonly amount: Amount | null;
}

/** Coin appeared, came back or vanished without a transfer. */
export interface BalanceChangeEntry {
  readonly type: 'balance_change';
  readonly subtype: HistorySubtype;
  /** Negative for coin that vanished. */
  readonly receivers: readonly PartyAmount[];
  readonly transferInstruction: ContractId | null;
}

/** Something that automation tried came to nothing. */
export interface NotificationEntry {
  readonly type: 'notification';
  readonly subtype: HistorySubtype;
  readonly details: string;
}

/** Coin was touched by something that history has no words for. */
export interface UnknownEntry {
  readonly type: 'unknown';
  readonly subtype: HistorySubtype;
}

/** An entry and the parties in whose history it stands. */
export interface Recorded {
  readonly seenBy: readonly PartyId[];
  readonly entry: HistoryEntry;
}

/** Metadata keys under which a transfer carries its reason: as the network writes it, and in short. */
const REASON_KEYS = ['splice.lfdecentralizedtrust.org/reason', 'reason'] as const;

const FACTORY = named('ExternalPartyAmuletRules', 'TransferFactory_Transfer', {
  interface: 'Splice.Api.Token.TransferInstructionV1:TransferFactory',
});
const INSTALL = 'Wallet.Install:WalletAppInstall';

/** What each kind of update puts into the histories. Kinds that are not listed touch no coin. */
const RECORDS: { readonly [Kind in UpdateKind]?: (update: UpdateOf<Kind>) => readonly Recorded[] } = {
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
    paid(update, update.detail.provider, named('AmuletRules', 'AmuletRules_CreateTransferPreapproval')),
  PreapprovalRenewed: (update) =>
    paid(
      update,
      update.detail.provider,
      named('AmuletRules', 'TransferPreapproval_Renew', { template: 'TransferPreapproval' }),
    ),

  WalletOfferCompleted: (update) =>
    paid(
      update,
      update.detail.sender,
      named('Wallet.TransferOffer', 'AcceptedTransferOffer_Complete', { template: 'AcceptedTransferOffer' }),
      update.detail,
    ),
  WalletOfferAborted: ({ detail }) => {
    const reason = detail.reason ?? '';
    const details = `${isOutOfFunds(reason) ? 'ITR_InsufficientFunds' : 'ITR_Other'}: ${reason}`;
    const entry = { type: 'notification', subtype: inBatch('CO_CompleteAcceptedTransfer'), details } as const;
    return [{ seenBy: [detail.sender], entry }];
  },

  TrafficPurchased: (update) =>
    paid(update, update.detail.payer, named('AmuletRules', 'AmuletRules_BuyMemberTraffic'), update.detail),
  TrafficToppedUp: (update) => paid(update, update.detail.payer, inBatch('CO_BuyMemberTraffic'), update.detail),
  TrafficRequestCompleted: (update) =>
    paid(update, update.detail.payer, inBatch('CO_CompleteBuyTrafficRequest'), update.detail),
};

/** What an update puts into the histories of parties, in order; nothing when it touches no coin. Source: specification §7.8. */
export function recordedIn(update: Update): readonly Recorded[] {
  const record = RECORDS[update.kind] as ((update: Update) => readonly Recorded[]) | undefined;
  return record?.(update) ?? [];
}

/** What a kind of transfer knows beside the coins it made. */
interface TransferFacts {
  readonly rewards?: RewardsUsed | null;
  readonly fees?: FeesPaid | null;
  readonly meta?: Readonly<Record<string, string>>;
  readonly transferInstruction?: HistoryInstruction;
}

/**
 * A transfer whose inputs are all the payer's. Then its net change follows from the update alone: what came into being less
 * what was burned, less the coins that others got; coin that it locks counts as gone, and as there when it is paid on.
 */
function paid(
  update: Update,
  payer: PartyId,
  subtype: HistorySubtype,
  { rewards, fees, meta, transferInstruction }: TransferFacts = {},
): readonly Recorded[] {
  const coins = update.created.filter((contract): contract is Holding => contract.template === 'Holding');
  const away = coins.filter(({ owner, lock }) => owner !== payer || lock !== null);
  const receivers = byParty(away.filter(({ owner }) => owner !== payer));
  const made = Amount.sub(update.detail.minted, update.detail.burned);
  const none = Amount.zero;
  const entry: TransferEntry = {
    type: 'transfer',
    subtype,
    sender: { party: payer, amount: Amount.sub(made, Amount.sum(away.map(({ amount }) => amount))) },
    receivers,
    holdingFees: fees?.holdingFees ?? none,
    appRewardsUsed: rewards?.appRewards ?? none,
    validatorRewardsUsed: rewards ? Amount.add(rewards.validatorRewards, rewards.faucetRewards) : none,
    svRewardsUsed: rewards?.svRewards ?? none,
    developmentFundCouponsUsed: rewards?.developmentFund ?? none,
    transferInstruction: transferInstruction ?? null,
    description: meta ? (REASON_KEYS.map((key) => meta[key]).find((text) => text !== undefined) ?? null) : null,
  };
  return [{ seenBy: [payer, ...receivers.map(({ party }) => party)], entry }];
}

function byParty(coins: readonly Holding[]): readonly PartyAmount[] {
  const amounts = new Map<PartyId, Amount>();
  for (const { owner, amount } of coins) amounts.set(owner, Amount.add(amounts.get(owner) ?? Amount.zero, amount));
  return [...amounts].map(([party, amount]) => ({ party, amount }));
}

function changed(
  receivers: readonly PartyAmount[],
  subtype: HistorySubtype,
  transferInstruction: ContractId | null = null,
): Recorded {
  const entry: BalanceChangeEntry = { type: 'balance_change', subtype, receivers, transferInstruction };
  return { seenBy: [...new Set(receivers.map(({ party }) => party))], entry };
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

function named(
  module: string,
  choice: string,
  { template, ...more }: { readonly template?: string } & Partial<Pick<HistorySubtype, 'interface'>> = {},
): HistorySubtype {
  const declaring = `Splice.${module}:${template ?? module}`;
  return { template: declaring, choice, amuletOperation: null, interface: more.interface ?? null };
}

function ofInstruction(step: string): HistorySubtype {
  return named('AmuletTransferInstruction', `TransferInstruction_${step}`, {
    interface: 'Splice.Api.Token.TransferInstructionV1:TransferInstruction',
  });
}

function inBatch(operation: string): HistorySubtype {
  const choice = 'WalletAppInstall_ExecuteBatch';
  return { template: `Splice.${INSTALL}`, choice, amuletOperation: operation, interface: null };
}
