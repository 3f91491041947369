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
 * The matchers as `expect` has them after `import '@coinlab/testing/vitest'` or `'@coinlab/testing/jest'`, which also declare their types.
 * Each throws, also under `.not`, for a subject that it cannot judge.
 */
export interface LedgerExpectations<R = void> {
  /** Of a step: what it creates less what it archives is what it mints less what it burns. Of a ledger: its coins sum up to its supply. */
  toConserveValue(): R;
  /** Of a ledger: no party, or none of those named, has more coins, locked ones among them. */
  toHaveUtxosAtMost(limit: number, ...parties: readonly PartyId[]): R;
  /** Of a ledger: a party holds exactly so much, locked coin among it. */
  toHaveBalance(party: PartyId, amount: Amount | string): R;
  /** Of a result: the command was refused so; fields of the rejection that are given must agree. */
  toBeRefusedWith(code: RejectionCode, evidence?: object): R;
  /** Of a result: the command was accepted so; fields of the detail that are given must agree. */
  toBeAcceptedAs(kind: UpdateKind, detail?: object): R;
  /** Of any value: equal, as in `toEqual`. The difference shows amounts as `5.0`, times as text and parties as `bob`. */
  toEqualLedgerValue(expected: unknown): R;
  /** Of a step: no law is broken. Of a ledger: no update of its log breaks a law, and the log leads to its state. */
  toKeepTheLaws(laws?: readonly Law[]): R;
}

/** What a matcher answers to vitest and Jest. */
export interface MatcherAnswer {
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Matchers for `expect.extend`, in vitest and in Jest: {@link LedgerExpectations} says what each is for. */
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

/** Throws unless value is conserved: over a step by its update, or in a whole ledger, whose coins sum up to its supply. */
export function assertConservesValue(subject: Step | LedgerLike): void {
  demand(conservesValue(subject));
}

/** Throws when a party, or one of those named, has more coins than a limit, locked ones among them. */
export function assertUtxosAtMost(subject: LedgerLike, limit: number, ...parties: readonly PartyId[]): void {
  demand(utxosAtMost(subject, limit, ...parties));
}

/** Throws unless a party holds exactly an amount, locked coin among it. */
export function assertBalance(subject: LedgerLike, party: PartyId, amount: Amount | string): void {
  demand(hasBalance(subject, party, amount));
}

/** Throws unless a command was refused with a code, and with the evidence that is given. */
export function assertRefusedWith(result: Submitted, code: RejectionCode, evidence: object = {}): void {
  demand(isRefusedWith(result, code, evidence));
}

/** Throws unless a command was accepted as a kind of update, and with the detail that is given. */
export function assertAcceptedAs(result: Submitted, kind: UpdateKind, detail: object = {}): void {
  demand(isAcceptedAs(result, kind, detail));
}

/** Throws unless two values are equal, with the difference in readable amounts, times and parties. */
export function assertEqualLedgerValue(subject: unknown, expected: unknown): void {
  demand(equalsValue(subject, expected));
}

/** Throws when a step, or an update of a ledger's log, breaks a law. */
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

/** A claim and what was found instead. */
function explain({ claim, found }: Verdict): string {
  return `expected: ${claim}\nfound:${found.startsWith('\n') ? '' : ' '}${found}`;
}
