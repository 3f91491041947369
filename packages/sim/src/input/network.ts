import { Amount, ok, PartyId, Round, type Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { linesIn } from './lines.js';

/** The first line of every network file. */
export const NETWORK_HEADER: string = 'seq,round,kind,from,to,amount';

/** The mints and transfers of a network, in order. */
export interface NetworkFile {
  readonly kind: 'network';
  readonly file: string;
  readonly rows: readonly NetworkRow[];
  /** Party names as in the file, in order of first use. */
  readonly parties: readonly string[];
}

/** A mint when `from` is null, else a transfer. */
export interface NetworkRow {
  readonly round: Round;
  /** Index into {@link NetworkFile.parties}. */
  readonly from: number | null;
  readonly to: number;
  readonly amount: Amount;
}

const MOST_ROUNDS_AT_ONCE = 100_000;

export function partyNamed(name: string): PartyId {
  const whole = PartyId.parse(name);
  return whole.ok ? whole.value : PartyId.of(name);
}

/** Parses a network: a header, then one mint or transfer per line. Stops at the first fault. */
export function parseNetwork(text: string, file: string): Result<NetworkFile, FileFault> {
  const reader = new NetworkReader(file);
  const rows: NetworkRow[] = [];
  for (const row of reader.rows([text])) {
    if (!row.ok) return row;
    rows.push(row.value);
  }
  return ok({ kind: 'network', file, rows, parties: [...reader.parties.keys()] });
}

export class NetworkReader {
  readonly parties: Map<string, number> = new Map();
  readonly #file: string;
  #round: Round | null = null;
  #minted = 0n;

  constructor(file: string) {
    this.#file = file;
  }

  *rows(pieces: Iterable<string>): Generator<Result<NetworkRow, FileFault>, void, undefined> {
    let row = -1;
    for (const line of linesIn(pieces)) {
      row += 1;
      if (row > 0) {
        const read = this.#read(line, row);
        yield read;
        if (!read.ok) return;
      } else if (line !== NETWORK_HEADER) return yield this.#wrongHeader(line);
    }
    if (row < 0) yield this.#wrongHeader('');
    else if (row === 0) yield fault(this.#file, 2, 1, 'the file has no rows after its header');
  }

  #wrongHeader(line: string): Result<never, FileFault> {
    return fault(this.#file, 1, 1, `got ${quoted(line)}, expected the header ${NETWORK_HEADER}`);
  }

  #read(line: string, row: number): Result<NetworkRow, FileFault> {
    const cells = line.split(',');
    const refuse = (cell: number, expected: string): Result<never, FileFault> => {
      const column = cells.slice(0, cell).reduce((sum, { length }) => sum + length + 1, 1);
      const name = NETWORK_HEADER.split(',')[cell] ?? 'row';
      return fault(this.#file, row + 1, column, `${name}: got ${quoted(cells[cell] ?? '')}, expected ${expected}`);
    };
    if (cells.length !== 6)
      return fault(this.#file, row + 1, 1, `got ${cells.length} columns, expected the six of ${NETWORK_HEADER}`);
    const [seq, roundText = '', kind, from = '', to = '', amountText = ''] = cells;
    if (seq !== String(row)) return refuse(0, `the row number ${row}`);
    const round = Round.parse(roundText);
    if (!round.ok || round.value < 1) return refuse(1, 'a round number from 1');
    const reached = this.#round ?? round.value;
    if (round.value < reached) return refuse(1, `a round of at least ${reached}, the round of the row above`);
    if (round.value - reached > MOST_ROUNDS_AT_ONCE)
      return refuse(1, `a round at most ${MOST_ROUNDS_AT_ONCE} after ${reached}, the round of the row above`);
    if (kind !== 'mint' && kind !== 'transfer') return refuse(2, 'mint or transfer');
    if (kind === 'mint' && from !== '') return refuse(3, 'an empty cell: a mint has no sender');
    if (kind === 'transfer' && !isPartyName(from)) return refuse(3, PARTY_NAME);
    if (!isPartyName(to)) return refuse(4, PARTY_NAME);
    const amount = Amount.parse(amountText);
    if (!amount.ok || amount.value <= 0n)
      return refuse(5, 'an amount above zero with at most 28 digits before and 10 after the point');
    if (kind === 'mint') this.#minted += amount.value;
    if (!Amount.inRange(this.#minted)) return refuse(5, 'at most 38 digits of coin in total');
    this.#round = round.value;
    return ok({
      round: round.value,
      from: kind === 'mint' ? null : this.#numberOf(from),
      to: this.#numberOf(to),
      amount: amount.value,
    });
  }

  #numberOf(name: string): number {
    let number = this.parties.get(name);
    if (number === undefined) {
      number = this.parties.size;
      this.parties.set(name, number);
    }
    return number;
  }
}

const PARTY_NAME = 'a party: letters, digits, points, dashes or underscores, or a whole party id';

function isPartyName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,185}$/.test(name) || PartyId.parse(name).ok;
}
