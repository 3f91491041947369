import { contractShape } from '../../contracts/contract.js';
import type { Numbering, PlainTransfer } from '../../contracts/plain-transfer.js';
import { UpdateId, type ContractId, type Offset } from '../../kernel/ids.js';
import type { Packer, Unpacker } from '../../kernel/packing.js';
import { contractId, list, party, type Shape } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import type { Update, UpdateKind } from '../update.js';
import { PlainTransfers, type Head, type PlainKind } from './plain-transfers.js';

/** The shapes of the details of all kinds. */
export type DetailsByKind = Readonly<Record<UpdateKind, Shape<unknown>>>;

const parties = list(party);
const contractIds = list(contractId);
const contracts = list(contractShape);

/** Time is as before. */
const SAME_TIME = 1;
/** The id is the one that follows from the seed. */
const SEEDED_ID = 2;
/** Everything but payer, receiver, inputs and amounts is as always: {@link PlainTransfers}. */
const PLAIN = 4;
const FLAGS = 8;
/** Kinds in short form: their number times {@link FLAGS} is in the flags, so that the kind needs no word. */
const PLAIN_KINDS: readonly PlainKind[] = ['TransferCompleted', 'SelfTransferred', 'HoldingsMerged'];

/** The flags of a kind in short form. Spelt out, since every transfer asks. */
function flagsOf(kind: PlainKind): number {
  return PLAIN + FLAGS * (kind === 'TransferCompleted' ? 0 : kind === 'SelfTransferred' ? 1 : 2);
}

/** What both sides remember of the updates so far: what need not be written again. */
class Past {
  offset = 0;
  time: bigint = 0n;
  readonly plain: PlainTransfers = new PlainTransfers();
  readonly #idOf: (offset: Offset, at: Instant) => UpdateId;

  constructor(seed: number) {
    this.#idOf = UpdateId.source(seed);
  }

  idAt(offset: number, time: bigint): UpdateId {
    return this.#idOf(offset as Offset, time as Instant);
  }

  /** Id of the next new contract after an update. */
  remember(update: Update, next: number, words: Packer | Unpacker): number {
    this.offset = update.offset;
    this.time = update.recordTime;
    this.plain.remember(update, words);
    return update.created.at(-1)?.id === undefined ? next : (update.created.at(-1)?.id as number) + 1;
  }
}

/** Writes updates of one log, from its first on, as bytes. */
export class UpdatePacker {
  readonly #past: Past;
  readonly #details: DetailsByKind;

  constructor(seed: number, details: DetailsByKind) {
    this.#past = new Past(seed);
    this.#details = details;
  }

  /**
   * Appends the bytes of the update of a plain transfer, as {@link pack} would, without the update; false when it must be packed.
   * @param offset of the update; its id is the one that follows from the seed
   * @param first id of the first coin that it makes
   */
  packPlain(plain: PlainTransfer, offset: number, first: number, to: Packer): boolean {
    const past = this.#past;
    const { now, kind } = plain;
    if (offset !== past.offset + 1 || first !== to.nextContract || !past.plain.coversPlain(plain)) return false;
    to.begin();
    const isSameTime = now === past.time;
    to.count((isSameTime ? SAME_TIME : 0) + SEEDED_ID + flagsOf(kind));
    if (!isSameTime) to.big(now - past.time);
    past.plain.packPlain(plain, to);
    past.offset = offset;
    past.time = now;
    to.nextContract = first + (plain.paid > 0 ? 1 : 0) + (plain.change > 0 ? 1 : 0);
    return true;
  }

  /** Appends the bytes of the next update. */
  pack(update: Update, to: Packer): void {
    const { offset, updateId, recordTime, kind, actAs, archived, created, detail } = update;
    const past = this.#past;
    const isPlain = past.plain.covers(update, to.nextContract);
    const isSeeded = offset === past.offset + 1 && updateId === past.idAt(offset, recordTime);
    to.begin();
    const plainly = isPlain ? flagsOf(kind as PlainKind) : 0;
    to.count((recordTime === past.time ? SAME_TIME : 0) + (isSeeded ? SEEDED_ID : 0) + plainly);
    if (recordTime !== past.time) to.big(recordTime - past.time);
    if (!isSeeded) {
      to.count(offset);
      to.text(updateId);
    }
    if (isPlain) past.plain.pack(update, to);
    else {
      to.at(recordTime);
      to.word(kind);
      parties.pack(actAs, to);
      contractIds.pack(archived, to);
      contracts.pack(created, to);
      this.#details[kind].pack(detail as never, to);
    }
    to.nextContract = past.remember(update, to.nextContract, to);
  }
}

/** Reads what an {@link UpdatePacker} of the same seed wrote. */
export class UpdateUnpacker {
  readonly #past: Past;
  readonly #details: DetailsByKind;

  constructor(seed: number, details: DetailsByKind) {
    this.#past = new Past(seed);
    this.#details = details;
  }

  /** Offset of the update that was read last; 0 before the first. */
  get offset(): number {
    return this.#past.offset;
  }

  /** The next update; meaningless when the unpacker has a fault afterwards. */
  unpack(from: Unpacker): Update {
    const past = this.#past;
    from.begin();
    const flags = from.count();
    const plainKind = flags & PLAIN ? PLAIN_KINDS[Math.floor(flags / FLAGS)] : undefined;
    if (plainKind === undefined && (flags & PLAIN || flags >= FLAGS))
      from.fault ??= `flags: got ${flags}, which says nothing`;
    const recordTime = (flags & SAME_TIME ? past.time : past.time + from.big()) as Instant;
    const isSeeded = (flags & SEEDED_ID) > 0;
    const offset = (isSeeded ? past.offset + 1 : from.count()) as Offset;
    const updateId = isSeeded ? past.idAt(offset, recordTime) : (from.text() as UpdateId);
    const kind = plainKind ?? (from.word() as UpdateKind);
    const head = { offset, updateId, recordTime, kind };
    const update = plainKind ? past.plain.unpack(head, from) : this.#whole(head, from);
    if (from.fault === null) from.nextContract = past.remember(update, from.nextContract, from);
    return update;
  }

  /**
   * The next update as a plain transfer, if it is one in short form, of words and amounts that numbers can stand for; else null, and
   * {@link unpack} reads it.
   * @param parties the numbers of their wallets
   */
  unpackPlain(from: Unpacker, parties: Numbering): PlainTransfer | null {
    const past = this.#past;
    const start = from.position;
    const flags = from.count();
    const kind = PLAIN_KINDS[Math.floor(flags / FLAGS)];
    if (kind && ((flags % FLAGS) | SAME_TIME) === SAME_TIME + SEEDED_ID + PLAIN) {
      const now = (flags & SAME_TIME ? past.time : past.time + from.big()) as Instant;
      const plain = past.plain.unpackPlain(kind, now, from, parties);
      if (plain && from.fault === null) {
        past.offset += 1;
        past.time = now;
        from.nextContract += (plain.paid > 0 ? 1 : 0) + (plain.change > 0 ? 1 : 0);
        return plain;
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
