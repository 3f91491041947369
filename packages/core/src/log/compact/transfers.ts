import type { Holding } from '../../contracts/holding.js';
import {
  receiverOf,
  senderOf,
  type Numbering,
  type PackedTransfer,
  type ShortKind,
} from '../../contracts/packed-transfer.js';
import { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Packer, Unpacker } from '../../kernel/packing.js';
import type { Round } from '../../kernel/time.js';
import type { TransferDetail } from '../../rules/transfer/transfer-detail.js';
import type { Update, UpdateOf } from '../update.js';

// Casts: the packer wrote a party, amount or id where one is read, and a damaged segment sets the fault of the unpacker. Indices are below
// the length. The checks of a kind in short form tell the type of its detail.

const NO_META: Readonly<Record<string, string>> = {};

export type PackedHead = Pick<PackedTransfer, 'kind' | 'offset' | 'recordTime' | 'seed'>;
export type Head = Pick<Update, 'offset' | 'updateId' | 'recordTime' | 'kind'>;

export type SavedShortForm = {
  readonly round: number;
  readonly rate: bigint;
  readonly preapprovals: readonly number[];
};

/**
 * The short form of transfers, about twenty bytes. It omits values that follow from others or repeat the last
 * transfer: only the sender acts, nothing is minted, burned or recorded, coins have the round of the coins before,
 * and the receiver's preapproval is the last one used.
 */
export class ShortForm {
  #round: Round = 0 as Round;
  #rate: Amount = Amount.zero;
  /** For the word number of each party, the id of the preapproval last used to pay the party. */
  readonly #preapprovals: number[] = [];
  /** By wallet number, to avoid lookups by text; 0: not yet known. */
  #wordOfWallet: number[] = [];
  #numbering: Numbering | null = null;
  readonly #walletOfWord: number[] = [];

  save(): SavedShortForm {
    return { round: this.#round, rate: this.#rate, preapprovals: [...this.#preapprovals] };
  }

  restore({ round, rate, preapprovals }: SavedShortForm): void {
    this.#round = round as Round;
    this.#rate = rate as Amount;
    for (const [word, preapproval] of preapprovals.entries()) note(this.#preapprovals, word, preapproval);
  }

  advance({ kind, created, detail }: Update, words: Packer | Unpacker): void {
    const last = created.at(-1);
    if (last?.template === 'Holding') {
      this.#round = last.createdAt;
      this.#rate = last.ratePerRound;
    }
    const receiver = kind === 'TransferCompleted' ? words.known(detail.receiver) : undefined;
    if (receiver !== undefined && kind === 'TransferCompleted') note(this.#preapprovals, receiver, detail.preapproval);
  }

  fits({ round, rate }: PackedTransfer): boolean {
    return round === this.#round && rate === this.#rate;
  }

  pack(transfer: PackedTransfer, to: Packer): void {
    if (transfer.parties !== this.#numbering) {
      this.#numbering = transfer.parties;
      this.#wordOfWallet = [];
    }
    const { from, inputs, paid, change, preapproval } = transfer;
    const isDirect = transfer.kind === 'TransferCompleted';
    const payer = this.#known(from, to);
    if (payer > 0) to.count(payer);
    else to.word(senderOf(transfer));
    const head = inputs.length * 8 + (paid > 0 ? 2 : 0) + (change > 0 ? 1 : 0);
    if (isDirect) {
      // A flag before the receiver says whether it and its preapproval are known.
      const known = this.#known(transfer.to, to);
      const isKnown = this.#preapprovals[known] === preapproval;
      to.count(head + (isKnown ? 0 : 4));
      for (let i = 0; i < inputs.length; i++) to.contract(inputs[i] as number);
      const word = known > 0 ? known : to.word(receiverOf(transfer));
      if (known > 0) to.count(known);
      if (!isKnown) {
        to.contract(preapproval);
        note(this.#preapprovals, word, preapproval);
      }
    } else {
      to.count(head);
      for (let i = 0; i < inputs.length; i++) to.contract(inputs[i] as number);
    }
    to.units(paid, change);
  }

  /** Returns null if the transfer has a new word or too large an amount and must be read by {@link unpackUpdate}. */
  unpack({ kind, offset, recordTime, seed }: PackedHead, from: Unpacker, parties: Numbering): PackedTransfer | null {
    const sender = from.knownWord();
    if (sender === 0) return null;
    const counts = from.count();
    const inputs: ContractId[] = [];
    for (let left = Math.floor(counts / 8); left > 0 && from.fault === null; left--)
      inputs.push(from.contract() as ContractId);
    const isDirect = kind === 'TransferCompleted';
    const receiver = isDirect ? from.knownWord() : sender;
    if (receiver === 0) return null;
    const preapproval = counts & 4 ? from.contract() : isDirect ? (this.#preapprovals[receiver] ?? 0) : 0;
    const paid = counts & 2 ? from.unit(0) : 0;
    const change = counts & 1 ? from.unit(paid) : 0;
    if (paid < 0 || change < 0) return null;
    if (isDirect) note(this.#preapprovals, receiver, preapproval);
    return {
      kind,
      offset,
      recordTime,
      firstCoin: from.nextContract as ContractId,
      seed,
      from: this.#walletOf(sender, from, parties),
      to: this.#walletOf(receiver, from, parties),
      parties,
      inputs,
      paid,
      change,
      preapproval,
      round: this.#round,
      rate: this.#rate,
    };
  }

  #walletOf(word: number, from: Unpacker, parties: Numbering): number {
    const known = this.#walletOfWord[word] ?? -1;
    return known < 0 ? note(this.#walletOfWord, word, parties.of(from.wordAt(word) as PartyId), -1) : known;
  }

  #known(wallet: number, to: Packer): number {
    const words = this.#wordOfWallet;
    if (wallet < words.length && words[wallet] !== 0) return words[wallet] as number;
    return note(words, wallet, to.known(this.#numbering?.at(wallet) ?? '') ?? 0);
  }

  fitsUpdate(update: Update, nextContract: number): boolean {
    const { kind, actAs, archived, created, detail } = update;
    if (kind !== 'TransferCompleted' && kind !== 'SelfTransferred' && kind !== 'HoldingsMerged') return false;
    const { sender, receiver, amount, inputs, holdings, change, rewards, fees, meta } = detail as TransferDetail;
    if (detail.minted !== 0n || detail.burned !== 0n || rewards !== null || fees !== null) return false;
    if (actAs.length !== 1 || actAs[0] !== sender || inputs !== archived.length || holdings.length > 1) return false;
    for (const _ in meta) return false;
    const paid = holdings.length;
    if (created.length !== paid + (change === null ? 0 : 1)) return false;
    if (paid === 1 && (holdings[0] !== nextContract || !this.#isExpected(created[0], nextContract, receiver, amount)))
      return false;
    const rest = created[paid];
    if (change !== null && (change !== nextContract + paid || !this.#isExpected(rest, change, sender, null)))
      return false;
    // A merge creates only change, and its detail names that as the received coin.
    if (paid === 0) return rest?.template === 'Holding' && amount === rest.amount && receiver === sender;
    return kind === 'TransferCompleted' || receiver === sender;
  }

  packUpdate(update: Update, to: Packer): void {
    const { archived, created, detail } = update as UpdateOf<ShortKind>;
    const { sender, receiver, holdings, change } = detail;
    const preapproval = update.kind === 'TransferCompleted' ? update.detail.preapproval : null;
    const isKnown = preapproval === null || this.#preapprovals[to.known(receiver) ?? 0] === preapproval;
    to.word(sender);
    to.count(archived.length * 8 + (isKnown ? 0 : 4) + holdings.length * 2 + (change === null ? 0 : 1));
    for (const id of archived) to.contract(id);
    if (preapproval !== null) to.word(receiver);
    if (preapproval !== null && !isKnown) to.contract(preapproval);
    for (const coin of created as readonly Holding[]) to.amount(coin.amount);
  }

  unpackUpdate({ offset, updateId, recordTime, kind }: Head, from: Unpacker): Update {
    const sender = from.word() as PartyId;
    const counts = from.count();
    const inputs = Math.floor(counts / 8);
    const archived: ContractId[] = [];
    for (let i = 0; i < inputs && from.fault === null; i++) archived.push(from.contract() as ContractId);
    const isDirect = kind === 'TransferCompleted';
    const word = isDirect ? from.wordNumber() : 0;
    const receiver = isDirect ? (from.wordAt(word) as PartyId) : sender;
    const preapproval = (counts & 4 ? from.contract() : (this.#preapprovals[word] ?? 0)) as ContractId;
    const created: Holding[] = [];
    const paid = counts & 2 ? this.#coin(from.nextContract, receiver, from.amount() as Amount) : null;
    if (paid) created.push(paid);
    const rest = counts & 1 ? this.#coin(from.nextContract + created.length, sender, from.amount() as Amount) : null;
    if (rest) created.push(rest);
    const detail: TransferDetail = {
      minted: Amount.zero,
      burned: Amount.zero,
      sender,
      receiver,
      amount: (paid ?? rest)?.amount ?? Amount.zero,
      inputs,
      holdings: paid ? [paid.id] : [],
      change: rest ? rest.id : null,
      rewards: null,
      fees: null,
      meta: NO_META,
    };
    const whole = isDirect ? { preapproval, ...detail } : detail;
    return { offset, updateId, recordTime, kind, actAs: [sender], archived, created, detail: whole } as Update;
  }

  #coin(id: number, owner: PartyId, amount: Amount): Holding {
    return {
      id: id as ContractId,
      template: 'Holding',
      owner,
      amount,
      createdAt: this.#round,
      ratePerRound: this.#rate,
      lock: null,
    };
  }

  #isExpected(coin: Update['created'][number] | undefined, id: number, owner: PartyId, amount: Amount | null): boolean {
    return (
      coin?.template === 'Holding' &&
      coin.id === id &&
      coin.owner === owner &&
      coin.lock === null &&
      coin.createdAt === this.#round &&
      coin.ratePerRound === this.#rate &&
      (amount === null || coin.amount === amount)
    );
  }
}

/** Fills gaps, so that V8 keeps the array dense. */
function note(numbers: number[], at: number, number: number, nothing: number = 0): number {
  while (numbers.length < at) numbers.push(nothing);
  numbers[at] = number;
  return number;
}
