import { contractShape } from '../../contracts/contract.js';
import { coinsMade, type Numbering, type PackedTransfer, type ShortKind } from '../../contracts/packed-transfer.js';
import { UpdateId, type ContractId, type Offset } from '../../kernel/ids.js';
import type { Packer, Unpacker } from '../../kernel/packing.js';
import { contractId, list, party, type Shape } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import { isPacked, updateOf, type Entry } from '../entry.js';
import type { Update, UpdateKind } from '../update.js';
import { ShortForm, type Head, type SavedShortForm } from './transfers.js';

// Casts: the packer wrote an offset, time, id or kind where one is read, and a damaged segment sets the fault of the unpacker. The shape of
// a kind packs and unpacks its detail.

export type DetailsByKind = Readonly<Record<UpdateKind, Shape<unknown>>>;

const parties = list(party);
const contractIds = list(contractId);
const contracts = list(contractShape);

const SAME_TIME = 1;
const SEEDED_ID = 2;
const SHORT = 4;
const FLAGS = 8;
/** The index of a kind times {@link FLAGS} is in the flags, so that the kind needs no word. */
const SHORT_KINDS: readonly ShortKind[] = ['TransferCompleted', 'SelfTransferred', 'HoldingsMerged'];

/** A chain of comparisons instead of a lookup, because it runs for every transfer. */
function flagsOf(kind: PackedTransfer['kind']): number {
  return SHORT + FLAGS * (kind === 'TransferCompleted' ? 0 : kind === 'SelfTransferred' ? 1 : 2);
}

export type SavedEntries = { readonly offset: number; readonly time: bigint; readonly short: SavedShortForm };

class CodecContext {
  readonly seed: number;
  offset = 0;
  time: bigint = 0n;
  readonly short: ShortForm = new ShortForm();

  constructor(seed: number) {
    this.seed = seed;
  }

  idAt(offset: number, time: bigint): UpdateId {
    return UpdateId.of(this.seed, offset as Offset, time as Instant);
  }

  advance(update: Update, next: number, words: Packer | Unpacker): number {
    this.offset = update.offset;
    this.time = update.recordTime;
    this.short.advance(update, words);
    return update.created.at(-1)?.id === undefined ? next : (update.created.at(-1)?.id as number) + 1;
  }

  advancePacked(transfer: PackedTransfer): number {
    this.offset = transfer.offset;
    this.time = transfer.recordTime;
    return transfer.firstCoin + coinsMade(transfer);
  }
}

export class EntryPacker {
  readonly #context: CodecContext;
  readonly #details: DetailsByKind;

  constructor(seed: number, details: DetailsByKind) {
    this.#context = new CodecContext(seed);
    this.#details = details;
  }

  save(): SavedEntries {
    const { offset, time, short } = this.#context;
    return { offset, time, short: short.save() };
  }

  restore({ offset, time, short }: SavedEntries): void {
    this.#context.offset = offset;
    this.#context.time = time;
    this.#context.short.restore(short);
  }

  /** A packed transfer and its update have the same bytes. */
  pack(entry: Entry, to: Packer): void {
    if (!isPacked(entry)) this.#packUpdate(entry, to);
    else if (this.#isShort(entry, to)) this.#packTransfer(entry, to);
    else this.#packUpdate(updateOf(entry), to);
  }

  #isShort(transfer: PackedTransfer, to: Packer): boolean {
    const { seed, offset, short } = this.#context;
    const { kind, firstCoin } = transfer;
    return (
      kind !== 'Minted' &&
      transfer.seed === seed &&
      transfer.offset === offset + 1 &&
      firstCoin === to.nextContract &&
      short.fits(transfer)
    );
  }

  #packTransfer(transfer: PackedTransfer, to: Packer): void {
    const context = this.#context;
    const { recordTime, kind } = transfer;
    to.begin();
    const isSameTime = recordTime === context.time;
    to.count((isSameTime ? SAME_TIME : 0) + SEEDED_ID + flagsOf(kind));
    if (!isSameTime) to.big(recordTime - context.time);
    context.short.pack(transfer, to);
    to.nextContract = context.advancePacked(transfer);
  }

  #packUpdate(update: Update, to: Packer): void {
    const { offset, updateId, recordTime, kind, actAs, archived, created, detail } = update;
    const context = this.#context;
    const isShort = context.short.fitsUpdate(update, to.nextContract);
    const isSeeded = offset === context.offset + 1 && updateId === context.idAt(offset, recordTime);
    to.begin();
    const flags = isShort ? flagsOf(kind as ShortKind) : 0;
    to.count((recordTime === context.time ? SAME_TIME : 0) + (isSeeded ? SEEDED_ID : 0) + flags);
    if (recordTime !== context.time) to.big(recordTime - context.time);
    if (!isSeeded) {
      to.count(offset);
      to.text(updateId);
    }
    if (isShort) context.short.packUpdate(update, to);
    else {
      to.at(recordTime);
      to.word(kind);
      parties.pack(actAs, to);
      contractIds.pack(archived, to);
      contracts.pack(created, to);
      this.#details[kind].pack(detail, to);
    }
    to.nextContract = context.advance(update, to.nextContract, to);
  }
}

export class EntryUnpacker {
  readonly #context: CodecContext;
  readonly #details: DetailsByKind;

  constructor(seed: number, details: DetailsByKind) {
    this.#context = new CodecContext(seed);
    this.#details = details;
  }

  get offset(): number {
    return this.#context.offset;
  }

  /** The entry is meaningless if the unpacker has a fault afterwards. */
  unpack(from: Unpacker, parties: Numbering): Entry {
    return this.#unpackTransfer(from, parties) ?? this.unpackUpdate(from);
  }

  unpackUpdate(from: Unpacker): Update {
    const context = this.#context;
    from.begin();
    const flags = from.count();
    const shortKind = flags & SHORT ? SHORT_KINDS[Math.floor(flags / FLAGS)] : undefined;
    if (shortKind === undefined && (flags & SHORT || flags >= FLAGS))
      from.fault ??= `flags: got ${flags}, which has no meaning`;
    const recordTime = (flags & SAME_TIME ? context.time : context.time + from.big()) as Instant;
    const isSeeded = (flags & SEEDED_ID) > 0;
    const offset = (isSeeded ? context.offset + 1 : from.count()) as Offset;
    const updateId = isSeeded ? context.idAt(offset, recordTime) : (from.text() as UpdateId);
    const kind = shortKind ?? (from.word() as UpdateKind);
    const head = { offset, updateId, recordTime, kind };
    const update = shortKind ? context.short.unpackUpdate(head, from) : this.#whole(head, from);
    if (from.fault === null) from.nextContract = context.advance(update, from.nextContract, from);
    return update;
  }

  #unpackTransfer(from: Unpacker, parties: Numbering): PackedTransfer | null {
    const context = this.#context;
    const { seed } = context;
    const start = from.position;
    const flags = from.count();
    const kind = SHORT_KINDS[Math.floor(flags / FLAGS)];
    if (kind && ((flags % FLAGS) | SAME_TIME) === SAME_TIME + SEEDED_ID + SHORT) {
      const recordTime = (flags & SAME_TIME ? context.time : context.time + from.big()) as Instant;
      const offset = (context.offset + 1) as Offset;
      const transfer = context.short.unpack({ kind, offset, recordTime, seed }, from, parties);
      if (transfer && from.fault === null) {
        from.nextContract = context.advancePacked(transfer);
        return transfer;
      }
    }
    from.position = start;
    return null;
  }

  #whole({ offset, updateId, recordTime, kind }: Head, from: Unpacker): Update {
    from.at(recordTime);
    const actAs = parties.unpack(from);
    const archived: readonly ContractId[] = contractIds.unpack(from);
    const created = contracts.unpack(from);
    const shape = Object.hasOwn(this.#details, kind) ? this.#details[kind] : undefined;
    if (!shape) from.fault ??= `kind: got ${kind}, expected one of ${Object.keys(this.#details).join(', ')}`;
    const detail: unknown = shape?.unpack(from);
    return { offset, updateId, recordTime, kind, actAs, archived, created, detail } as Update;
  }
}
