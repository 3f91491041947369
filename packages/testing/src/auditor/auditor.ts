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
import type { CommandOf, Predictions } from './prediction.js';
import { trafficPredictions } from './traffic.js';
import { transferPredictions } from './transfers.js';
import { walletPredictions } from './wallet.js';

type AnyPredictions = Partial<Predictions<CommandType>>;

const PREDICTIONS: AnyPredictions = {
  ...transferPredictions,
  ...walletPredictions,
  ...trafficPredictions,
  ...delegatedPredictions,
};

/**
 * The types of commands whose outcome the auditor predicts. It predicts a batch if it predicts all operations
 * of the batch.
 */
export const PREDICTED_COMMANDS: readonly CommandType[] = [
  // The keys of the tables are types of commands.
  ...(Object.keys(PREDICTIONS) as CommandType[]),
  'ExecuteBatch',
];

/** The auditor's prediction for a command. */
export interface Prediction {
  /**
   * The codes of all violated conditions. If the set is empty, the ledger must accept the command; otherwise
   * it must refuse with one of these codes.
   */
  readonly refusals: ReadonlySet<RejectionCode>;
  /** Archived contracts as text lines; empty for a refusal. */
  readonly gone: readonly string[];
  /** Created contracts as text lines without their ids. */
  readonly made: readonly string[];
  readonly minted: bigint;
  readonly burned: bigint;
  /** The total of each affected party after the command, locked coin included, in units of 10⁻¹⁰. */
  readonly totals: ReadonlyMap<PartyId, bigint>;
}

/** The part of a ledger's answer that the auditor compares. */
export type Heard =
  { readonly accepted: true; readonly update: Update } | { readonly accepted: false; readonly code: RejectionCode };

/**
 * A second, naive ledger that follows the specification with plain maps and shares no rules or workflows with
 * the core. It predicts whether a command is accepted, which contracts the command archives and creates, and
 * the resulting totals. Commands without a prediction only update its books. Every disagreement with the
 * ledger is a fault of one of the two.
 * Source: specification §2 to §8, §10.
 */
export class Auditor {
  readonly #books: Books;

  constructor(from: LedgerState | Auditor) {
    this.#books = new Books(from instanceof Auditor ? from.#books : from);
  }

  /** Returns the total coin of a party, including locked coin, in units of 10⁻¹⁰. */
  totalOf(party: PartyId): bigint {
    return this.#books.totalOf(party);
  }

  /** The totals of all parties with coins, including locked coin, in units of 10⁻¹⁰. */
  get totals(): ReadonlyMap<PartyId, bigint> {
    return this.#books.totals;
  }

  /**
   * Returns the predicted outcome of a command. Returns null if the command's type has no prediction or the
   * ledger is not open.
   */
  expect(command: Command, context: Context): Prediction | null {
    const books = this.#books;
    if (!books.isOpen || command.type === 'OpenLedger') return null;
    const inquiry = new Inquiry(books, context);
    if (!inquiry.require(context.now >= books.time, 'TIME_IN_PAST')) return expectedOf(inquiry, books);
    // A party with an external key acts only by signature.
    const keys = books.all('ExternalPartyKey').map(({ party }) => party);
    inquiry.require(!context.actAs.some((party) => keys.includes(party)), 'NOT_AUTHORISED');
    return ask(inquiry, command) ? expectedOf(inquiry, books) : null;
  }

  /**
   * Compares the ledger's answer with the prediction. If the command was accepted, applies its update to the
   * books.
   * @returns the disagreement as text; null if there is none
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
      // `enter` reports archived ids that no active contract has.
      compareLines('archives', expected.gone, linesOf(archived as Contract[], isNew)) ??
      compareLines('creates', expected.made, linesOf(update.created, isNew)) ??
      compareSums('minted', expected.minted, update.detail.minted) ??
      compareSums('burned', expected.burned, update.detail.burned)
    );
  }
}

function ask(inquiry: Inquiry, command: Command): boolean {
  if (command.type === 'ExecuteBatch') return tryBatch(inquiry, command, ask);
  return predict(inquiry, command.type, command);
}

function predict<Type extends CommandType>(inquiry: Inquiry, type: Type, command: CommandOf<Type>): boolean {
  const prediction: AnyPredictions[Type] = PREDICTIONS[type];
  prediction?.(inquiry, command);
  return prediction !== undefined;
}

function expectedOf({ overlay, reasons }: Inquiry, books: Books): Prediction {
  const refused = reasons.size > 0;
  const gone = refused ? [] : [...overlay.gone].flatMap((id) => books.find(id) ?? []);
  const made = refused ? [] : [...overlay.made.values()];
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
    minted: overlay.minted,
    burned: overlay.burned,
    totals,
  };
}

function compareRefusal(refusals: ReadonlySet<RejectionCode>, code: RejectionCode): string | null {
  if (refusals.has(code)) return null;
  const wanted = refusals.size === 0 ? 'it must be accepted' : `it breaks ${[...refusals].join(', ')}`;
  return `refused with ${code}, but ${wanted}`;
}

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

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function shown(value: bigint): string {
  // A wrong sum may be out of range of Amount; `format` does not check the range.
  return Amount.format(value as Amount);
}
