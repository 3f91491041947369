import {
  type Contract,
  type LedgerState,
  Amount,
  type Context,
  type PartyId,
  type RejectionCode,
  type Update,
  type Command,
  type CommandType,
} from '@coinlab/core';
import { tryBatch } from './batch.js';
import { Books } from './books.js';
import { delegatedPredictions } from './delegated.js';
import { Inquiry } from './inquiry.js';
import { linesOf } from './lines.js';
import { trafficPredictions } from './traffic.js';
import { transferPredictions } from './transfers.js';
import { walletPredictions } from './wallet.js';

const PREDICTIONS: Readonly<Record<string, (inquiry: Inquiry, command: never) => void>> = {
  ...transferPredictions,
  ...walletPredictions,
  ...trafficPredictions,
  ...delegatedPredictions,
};

/** Commands whose outcome the auditor predicts; a batch as long as it consists of such. */
export const PREDICTED_COMMANDS: readonly CommandType[] = [
  // The tables are keyed by types of commands.
  ...(Object.keys(PREDICTIONS) as CommandType[]),
  'ExecuteBatch',
];

/** What the auditor expects of a command. */
export interface Prediction {
  /** Every condition that the command breaks: none when it must be accepted, otherwise one of them must be the answer. */
  readonly refusals: ReadonlySet<RejectionCode>;
  /** Contracts that go, by their lines; empty for a refusal. */
  readonly gone: readonly string[];
  /** Contracts that come, without their ids. */
  readonly made: readonly string[];
  readonly minted: bigint;
  readonly burned: bigint;
  /** What each party that is touched owns afterwards. */
  readonly totals: ReadonlyMap<PartyId, bigint>;
}

/** What a ledger answered, as far as it can be held against the auditor. */
export type Heard =
  { readonly accepted: true; readonly update: Update } | { readonly accepted: false; readonly code: RejectionCode };

/**
 * A second, naive ledger: a few maps and the text of the specification, sharing neither rules nor workflows with the first. It predicts
 * whether a command is accepted, what it archives and creates and what everybody owns then; commands it does not know it only
 * follows. The two must always agree.
 * Source: specification §2 to §8, §10.
 */
export class Auditor {
  readonly #books: Books;

  constructor(from: LedgerState | Auditor) {
    this.#books = new Books(from instanceof Auditor ? from.#books : from);
  }

  /** What a party owns, locked or not, in units of 10⁻¹⁰. */
  totalOf(party: PartyId): bigint {
    return this.#books.totalOf(party);
  }

  /** What everybody owns who owns something. */
  get totals(): ReadonlyMap<PartyId, bigint> {
    return this.#books.totals;
  }

  /** What must come of a command, or null when the auditor does not know its kind. */
  expect(command: Command, context: Context): Prediction | null {
    const books = this.#books;
    if (!books.isOpen || command.type === 'OpenLedger') return null;
    const inquiry = new Inquiry(books, context);
    if (!inquiry.require(context.now >= books.time, 'TIME_IN_PAST')) return expectedOf(inquiry, books);
    // Who has a key of its own acts by signature alone.
    const keys = books.all('ExternalPartyKey').map(({ party }) => party);
    inquiry.require(!context.actAs.some((party) => keys.includes(party)), 'NOT_AUTHORISED');
    return ask(inquiry, command) ? expectedOf(inquiry, books) : null;
  }

  /**
   * Compares what was heard with what was expected, and enters it in the books.
   * @returns the disagreement, in words; null when there is none
   */
  compare(expected: Prediction | null, heard: Heard): string | null {
    if (!heard.accepted) return expected && compareRefusal(expected.refusals, heard.code);
    const { update } = heard;
    const archived = update.archived.map((id) => this.#books.find(id));
    const disagreement = this.#books.enter(update);
    if (disagreement) return disagreement;
    const wrong = conserves(update, archived);
    if (wrong || !expected) return wrong;
    if (expected.refusals.size > 0) return `accepted, but it must be refused: ${[...expected.refusals].join(', ')}`;
    const newest: ReadonlySet<number> = new Set(update.created.map(({ id }) => id));
    const isNew = (id: number): boolean => newest.has(id);
    return (
      compareLines('archives', expected.gone, linesOf(archived as Contract[], isNew)) ??
      compareLines('creates', expected.made, linesOf(update.created, isNew)) ??
      compareSums('minted', expected.minted, update.detail.minted) ??
      compareSums('burned', expected.burned, update.detail.burned)
    );
  }
}

function ask(inquiry: Inquiry, command: Command): boolean {
  if (command.type === 'ExecuteBatch') return tryBatch(inquiry, command, ask);
  const predict = PREDICTIONS[command.type];
  // The entry takes the command of its key.
  predict?.(inquiry, command as never);
  return predict !== undefined;
}

function expectedOf({ page, reasons }: Inquiry, books: Books): Prediction {
  const refused = reasons.size > 0;
  const gone = refused ? [] : [...page.gone].flatMap((id) => books.find(id) ?? []);
  const made = refused ? [] : [...page.made.values()];
  const totals = new Map<PartyId, bigint>();
  const move = (contract: Contract, sign: bigint): void => {
    if (contract.template !== 'Holding') return;
    const { owner, amount } = contract;
    totals.set(owner, (totals.get(owner) ?? books.totalOf(owner)) + sign * amount);
  };
  for (const contract of gone) move(contract, -1n);
  for (const contract of made) move(contract, 1n);
  const isNew = (id: number): boolean => id < 0;
  return {
    refusals: reasons,
    gone: linesOf(gone, isNew),
    made: linesOf(made, isNew),
    minted: page.minted,
    burned: page.burned,
    totals,
  };
}

function compareRefusal(refusals: ReadonlySet<RejectionCode>, code: RejectionCode): string | null {
  if (refusals.has(code)) return null;
  const wanted = refusals.size === 0 ? 'it must be accepted' : `it breaks ${[...refusals].join(', ')}`;
  return `refused with ${code}, but ${wanted}`;
}

/** Coin in equals coin out, as the auditor adds it up. Source: specification §10 (1). */
function conserves(update: Update, archived: readonly (Contract | undefined)[]): string | null {
  const sum = (contracts: readonly (Contract | undefined)[]): bigint =>
    contracts.reduce((total, contract) => total + (contract?.template === 'Holding' ? contract.amount : 0n), 0n);
  const { minted, burned } = update.detail;
  const difference = sum(update.created) - sum(archived) - (minted - burned);
  return difference === 0n ? null : `coin is ${shown(difference)} more than was minted and not burned`;
}

function compareSums(what: string, expected: bigint, actual: bigint): string | null {
  return expected === actual ? null : `${what} ${shown(actual)}, but it must be ${shown(expected)}`;
}

function compareLines(what: string, expected: readonly string[], actual: readonly string[]): string | null {
  const missing = without(expected, actual);
  const extra = without(actual, expected);
  if (missing.length + extra.length === 0) return null;
  return [
    `${what} something else than it must:`,
    ...missing.map((line) => `  must  ${line}`),
    ...extra.map((line) => `  does  ${line}`),
  ].join('\n');
}

/** The lines of one list that the other has not, each as often as it is missing. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function shown(value: bigint): string {
  // A wrong sum may be out of range; formatting does not check it.
  return Amount.format(value as Amount);
}
