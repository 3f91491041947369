import type { Amount, PartyId, RejectionCode, Law, Step, Submitted, UpdateKind } from '@coinlab/core';
import { LedgerAssertionError, plain } from './failure.js';
import {
  conservesValue,
  equalsValue,
  hasBalance,
  isAcceptedAs,
  isRefusedWith,
  keepsLaws,
  utxosAtMost,
  type LedgerLike,
  type LoggedLedger,
  type Verdict,
} from './verdicts.js';

/**
 * The matchers of `expect`. Importing `@coinlab/testing/vitest` or `@coinlab/testing/jest` registers them and
 * declares their types. Each matcher throws for an unsupported subject, also with `.not`.
 */
export interface LedgerExpectations<R = void> {
  /**
   * Checks the coin of a step or of a ledger. A step must create minus archive as much coin as it mints minus
   * burns. A ledger's coins must sum to its supply.
   */
  toConserveValue(): R;
  /** Checks that each party has at most `limit` coins, including locked coins. Default: all parties of the ledger. */
  toHaveUtxosAtMost(limit: number, ...parties: readonly PartyId[]): R;
  /** Checks the exact total of a party in a ledger, including locked coins. */
  toHaveBalance(party: PartyId, amount: Amount | string): R;
  /** Checks that a result is a refusal with a code and the given fields. */
  toBeRefusedWith(code: RejectionCode, evidence?: object): R;
  /** Checks that a result is an accepted update of a kind with the given fields of its detail. */
  toBeAcceptedAs(kind: UpdateKind, detail?: object): R;
  /**
   * Checks equality like `toEqual`. The printed difference shows amounts as `5.0`, times as text and parties
   * as `bob`.
   */
  toEqualLedgerValue(expected: unknown): R;
  /**
   * Checks the laws on a step, or on every update of a ledger's log. The log must also replay to the ledger's
   * state.
   */
  toKeepTheLaws(laws?: readonly Law[]): R;
}

/** The result of a matcher for vitest and Jest. */
export interface MatcherAnswer {
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Matchers for `expect.extend` in vitest and Jest: see {@link LedgerExpectations}. */
export const ledgerMatchers: {
  readonly toConserveValue: (subject: Step | LedgerLike) => MatcherAnswer;
  readonly toHaveUtxosAtMost: (subject: LedgerLike, limit: number, ...parties: readonly PartyId[]) => MatcherAnswer;
  readonly toHaveBalance: (subject: LedgerLike, party: PartyId, amount: Amount | string) => MatcherAnswer;
  readonly toBeRefusedWith: (result: Submitted, code: RejectionCode, evidence?: object) => MatcherAnswer;
  readonly toBeAcceptedAs: (result: Submitted, kind: UpdateKind, detail?: object) => MatcherAnswer;
  readonly toEqualLedgerValue: (subject: unknown, expected: unknown) => MatcherAnswer;
  readonly toKeepTheLaws: (subject: Step | LoggedLedger, laws?: readonly Law[]) => MatcherAnswer;
} = {
  toConserveValue: (subject) => answer(conservesValue(subject)),
  toHaveUtxosAtMost: (subject, limit, ...parties) => answer(utxosAtMost(subject, limit, ...parties)),
  toHaveBalance: (subject, party, amount) => answer(hasBalance(subject, party, amount)),
  toBeRefusedWith: (result, code, evidence) => answer(isRefusedWith(result, code, evidence)),
  toBeAcceptedAs: (result, kind, detail) => answer(isAcceptedAs(result, kind, detail)),
  toEqualLedgerValue: (subject, expected) => answer(equalsValue(subject, expected)),
  toKeepTheLaws: (subject, laws) => answer(keepsLaws(subject, laws)),
};

/** Throws if a step does not conserve coin, or if a ledger's coins do not sum to its supply. */
export function assertConservesValue(subject: Step | LedgerLike): void {
  demand(conservesValue(subject));
}

/**
 * Throws if one of the parties has more than `limit` coins, including locked ones. Default: all parties of
 * the ledger.
 */
export function assertUtxosAtMost(subject: LedgerLike, limit: number, ...parties: readonly PartyId[]): void {
  demand(utxosAtMost(subject, limit, ...parties));
}

/** Throws if the total of a party, including locked coins, differs from an amount. */
export function assertBalance(subject: LedgerLike, party: PartyId, amount: Amount | string): void {
  demand(hasBalance(subject, party, amount));
}

/** Throws if a command was not refused with a code and the given fields. */
export function assertRefusedWith(result: Submitted, code: RejectionCode, evidence: object = {}): void {
  demand(isRefusedWith(result, code, evidence));
}

/** Throws if a command was not accepted as a kind of update with the given fields of its detail. */
export function assertAcceptedAs(result: Submitted, kind: UpdateKind, detail: object = {}): void {
  demand(isAcceptedAs(result, kind, detail));
}

/** Throws if two values differ. The message shows the difference with readable amounts, times and parties. */
export function assertEqualLedgerValue(subject: unknown, expected: unknown): void {
  demand(equalsValue(subject, expected));
}

/** Throws if a step, or an update of a ledger's log, breaks a law. */
export function assertKeepsLaws(subject: Step | LoggedLedger, laws?: readonly Law[]): void {
  demand(keepsLaws(subject, laws));
}

function answer(verdict: Verdict): MatcherAnswer {
  const { pass, claim, expected, actual } = verdict;
  const message = (): string => (pass ? `expected otherwise than: ${claim}` : explain(verdict));
  return expected === undefined
    ? { pass, message }
    : { pass, message, expected: plain(expected), actual: plain(actual) };
}

function demand(verdict: Verdict): void {
  if (!verdict.pass) throw new LedgerAssertionError(explain(verdict), verdict.expected, verdict.actual);
}

function explain({ claim, found }: Verdict): string {
  return `expected: ${claim}\nfound:${found.startsWith('\n') ? '' : ' '}${found}`;
}
