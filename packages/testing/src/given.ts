import {
  type PartyId,
  type Rejection,
  type RejectionCode,
  type Instant,
  brokenLaws,
  LAWS,
  openLedger,
  replay,
  type Ledger,
  type NextLedger,
  type Result,
  type Update,
  type UpdateKind,
  type Command,
} from '@coinlab/core';
import { diffText, differencesOf, LedgerAssertionError, plain } from './failure.js';
import { fileCoverage, type LedgerCoverage } from './world/coverage.js';
import type { TestLedger } from './world/test-ledger.js';

/**
 * The initial ledger of a scenario: a test ledger, a ledger, or a list of updates. An empty list gives a new
 * ledger.
 */
export type Given = Ledger | TestLedger | readonly Update[];

/** A partial value: omitted fields match any value. */
export type Part<Value> = Value extends bigint | string | number | boolean | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Part<Item>[]
    : { readonly [Key in keyof Value]?: Part<Value[Key]> };

/** The expected outcome: a kind of update, a rejection code, or some fields of the update or the rejection. */
export type Expected = UpdateKind | RejectionCode | Part<Update> | Part<Rejection>;

/** The first step of `given(…).as(alice).when(command).then(outcome)`. */
export interface Scenario {
  /** Sets the acting parties; default: none. */
  as(...parties: readonly PartyId[]): Scenario;
  /** Sets the time of the command; default: the ledger's time. */
  at(now: Instant): Scenario;
  /** Executes the command on the initial ledger, which stays unchanged. */
  when(command: Command): Happened;
}

/** The outcome of a command. */
export interface Happened {
  /** The update, or null when the command was refused. */
  readonly update: Update | null;
  /** The rejection, or null when the command was accepted. */
  readonly rejection: Rejection | null;
  /** The resulting ledger; unchanged when the command was refused. */
  readonly ledger: Ledger;
  /**
   * Checks the outcome.
   * @returns the resulting ledger, from which the next scenario can start
   * @throws LedgerAssertionError with the differences if the outcome is not as expected, or if an accepted
   * command breaks a law
   */
  then(expected: Expected): Ledger;
}

/** Starts a scenario in three steps, such as `given(ledger).as(bob).when(accept).then('TransferAccepted')`. */
export function given(start: Given): Scenario {
  const ledger = ledgerOf(start);
  const now = 'now' in start ? start.now : ledger.state.time;
  const coverage = 'coverage' in start ? start.coverage : fileCoverage();
  return scenario({ ledger, coverage }, [], now);
}

interface Subject {
  readonly ledger: Ledger;
  readonly coverage: LedgerCoverage | null;
}

function scenario(subject: Subject, actAs: readonly PartyId[], now: Instant): Scenario {
  const { ledger, coverage } = subject;
  return {
    as: (...parties) => scenario(subject, parties, now),
    at: (time) => scenario(subject, actAs, time),
    when(command) {
      const result: Result<NextLedger, Rejection> = ledger.submit(command, { now, actAs });
      coverage?.add(command.type, result, LAWS);
      if (!result.ok) return happened(command, ledger, { update: null, rejection: result.error });
      const { ledger: after, update } = result.value;
      return happened(command, after, { update, rejection: null }, () =>
        brokenLaws(LAWS, { before: ledger.state, update, after: after.state }).map(({ name }) => name),
      );
    },
  };
}

function happened(
  command: Command,
  ledger: Ledger,
  { update, rejection }: Pick<Happened, 'update' | 'rejection'>,
  broken: () => readonly string[] = (): readonly string[] => [],
): Happened {
  return {
    update,
    rejection,
    ledger,
    // oxlint-disable-next-line unicorn/no-thenable -- given/when/then is the established form; awaiting it fails, see below
    then(expected) {
      // `await` calls `then` with two functions. Without this check, awaiting the scenario would hang or pass
      // without a comparison.
      if (typeof expected === 'function')
        throw new LedgerAssertionError('given … when … then … is not awaited, and `then` takes what is expected');
      const actual = update ?? rejection;
      const wanted = typeof expected === 'string' ? named(expected) : expected;
      const differences = differencesOf(wanted, actual);
      if (differences.length > 0)
        throw new LedgerAssertionError(
          `${command.type} ${told({ update, rejection })}\n${diffText(differences)}`,
          wanted,
          // Only the expected fields: the other fields would obscure the difference.
          pick(actual, wanted),
        );
      const laws = broken();
      if (laws.length > 0) throw new LedgerAssertionError(`${command.type} breaks: ${laws.join('; ')}`, [], laws);
      return ledger;
    },
  };
}

function ledgerOf(start: Given): Ledger {
  if ('ledger' in start) return start.ledger;
  if ('submit' in start) return start;
  if (start.length === 0) return openLedger();
  if (start[0]?.offset !== 1)
    throw new LedgerAssertionError(
      `given(updates) needs them from the first on, and these begin at offset ${start[0]?.offset}`,
      1,
      start[0]?.offset,
    );
  return replay(start);
}

function named(word: string): object {
  return /^[A-Z_]+$/.test(word) ? { code: word } : { kind: word };
}

function told({ update, rejection }: Pick<Happened, 'update' | 'rejection'>): string {
  if (update) return `is accepted as ${update.kind}, but otherwise than expected`;
  const { code, ...evidence } = rejection ?? { code: 'nothing' };
  return `is refused with ${code} ${JSON.stringify(plain(evidence))}, but otherwise than expected`;
}

function pick(actual: unknown, wanted: unknown): unknown {
  if (typeof actual !== 'object' || actual === null || typeof wanted !== 'object' || wanted === null) return actual;
  if (Array.isArray(actual)) return actual;
  return Object.fromEntries(
    Object.keys(wanted).map((name) => [
      name,
      // Casts: both are objects, as checked above.
      pick((actual as Record<string, unknown>)[name], (wanted as Record<string, unknown>)[name]),
    ]),
  );
}
