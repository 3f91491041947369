import { findAny, scanContracts } from '@coinlab/core/views';
import {
  type Contract,
  type LedgerState,
  Amount,
  PartyId,
  type RejectionCode,
  type Submitted,
  LAWS,
  brokenLaws,
  emptyLedger,
  type Law,
  type Step,
  type Update,
  type UpdateKind,
  balanceOf,
  utxoCountOf,
} from '@coinlab/core';
import { shortUnits } from './units.js';
import { diffText, differencesOf, LedgerAssertionError, plain } from './failure.js';

export interface Verdict {
  readonly pass: boolean;
  /** A clause, such as `every party has at most 10 coins`. */
  readonly claim: string;
  readonly found: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** A ledger in any form, or its state. */
export type LedgerLike = LedgerState | { readonly state: LedgerState };

/** A ledger with its log: a `Ledger` or a test ledger. */
export interface LoggedLedger {
  readonly state: LedgerState;
  /** False after `put` or `take`: the log then does not contain all changes. */
  readonly isReplayable?: boolean;
  updates(): readonly Update[];
  hash(): string;
}

export function conservesValue(subject: Step | LedgerLike): Verdict {
  return isStep(subject) ? stepConserves(subject) : stateConserves(stateOf(subject));
}

export function utxosAtMost(subject: LedgerLike, limit: number, ...parties: readonly PartyId[]): Verdict {
  const state = stateOf(subject);
  const counts = (parties.length > 0 ? parties : ownersIn(state)).map((party) => ({
    party,
    coins: utxoCountOf(state, party),
  }));
  const above = counts.filter(({ coins }) => coins > limit).sort((a, b) => b.coins - a.coins);
  const who = parties.length > 0 ? nameAll(parties) : 'every party';
  return {
    pass: above.length === 0,
    claim: `${who} has at most ${limit} coins`,
    found: above.map(({ party, coins }) => `${PartyId.hint(party)} has ${coins}`).join(', '),
    expected: limit,
    actual: above[0]?.coins ?? limit,
  };
}

export function hasBalance(subject: LedgerLike, party: PartyId, amount: Amount | string): Verdict {
  const expected = Amount.short(typeof amount === 'string' ? Amount.of(amount) : amount);
  const { total, locked } = balanceOf(stateOf(subject), party);
  const actual = Amount.short(total);
  const ofIt = locked > 0n ? `, ${Amount.short(locked)} of it locked` : '';
  const claim = `${PartyId.hint(party)} holds ${expected}`;
  return { pass: actual === expected, claim, found: `${actual}${ofIt}`, expected, actual };
}

export function isRefusedWith(subject: Submitted, code: RejectionCode, evidence: object = {}): Verdict {
  const result = resultOf(subject);
  const claim = `the command is refused with ${code}`;
  if (result.ok) return { pass: false, claim, found: `accepted as ${result.value.update.kind}`, expected: code };
  return agrees(claim, { code, ...evidence }, result.error, result.error.code);
}

export function isAcceptedAs(subject: Submitted, kind: UpdateKind, detail: object = {}): Verdict {
  const result = resultOf(subject);
  const claim = `the command is accepted as ${kind}`;
  if (result.ok) {
    const update = result.value.update;
    return agrees(claim, { kind, detail }, update, update.kind);
  }
  const { code, ...evidence } = result.error;
  return {
    pass: false,
    claim,
    found: `refused: ${code} ${JSON.stringify(plain(evidence))}`,
    expected: kind,
    actual: code,
  };
}

export function equalsValue(subject: unknown, expected: unknown): Verdict {
  const lacking = differencesOf(expected, subject);
  const surplus = differencesOf(subject, expected).map((each) => ({
    ...each,
    expected: each.actual,
    actual: each.expected,
  }));
  const paths = new Set(lacking.map(({ path }) => path));
  const differences = [...lacking, ...surplus.filter(({ path }) => !paths.has(path))];
  const found = `\n${diffText(differences)}`;
  return { pass: differences.length === 0, claim: 'equal values', found, expected, actual: subject };
}

export function keepsLaws(subject: Step | LoggedLedger, laws: readonly Law[] = LAWS): Verdict {
  if (isStep(subject)) return lawsVerdict(`${subject.update.kind} keeps the laws`, brokenBy(subject, laws));
  if (!isLogged(subject)) throw unjudged('a step { before, update, after } or a ledger with its log', subject);
  return lawsVerdict('every update of the log keeps the laws', brokenInLog(subject, laws));
}

function lawsVerdict(claim: string, broken: readonly string[]): Verdict {
  const found = broken.map((name) => `broken: ${name}`).join('\n');
  return { pass: broken.length === 0, claim, found, expected: [], actual: broken };
}

function brokenBy(step: Step, laws: readonly Law[]): readonly string[] {
  return brokenLaws(laws, step).map(({ name, invariant }) => `${name} (invariant ${invariant})`);
}

function brokenInLog(subject: LoggedLedger, laws: readonly Law[]): readonly string[] {
  const updates = subject.updates();
  if (updates[0]?.offset !== 1 || subject.isReplayable === false)
    throw new LedgerAssertionError(
      'the log of this ledger does not lead to its state: it continues from a state, or a contract was put',
    );
  let ledger = emptyLedger();
  for (const update of updates) {
    const before = ledger.state;
    ledger = ledger.apply(update);
    const broken = brokenBy({ before, update, after: ledger.state }, laws);
    if (broken.length > 0) return broken.map((name) => `${name}, by update ${update.offset}, ${update.kind}`);
  }
  return ledger.hash() === subject.hash() ? [] : ['the log leads to the state'];
}

function stepConserves({ before, update, after }: Step): Verdict {
  const coin = (contract: Contract | null): bigint => (contract?.template === 'Holding' ? contract.amount : 0n);
  const created = update.created.reduce((sum, contract) => sum + coin(contract), 0n);
  const archived = update.archived.reduce((sum, id) => sum + coin(findAny(before, id)), 0n);
  const { minted, burned } = update.detail;
  const change = after.minted - after.burned - (before.minted - before.burned);
  const claim = `${update.kind} conserves value`;
  const verdict = equalAmounts(claim, minted - burned, created - archived);
  return verdict.pass ? equalAmounts(claim, minted - burned, change) : verdict;
}

function stateConserves(state: LedgerState): Verdict {
  let coins = 0n;
  for (const contract of scanContracts(state)) if (contract.template === 'Holding') coins += contract.amount;
  return equalAmounts('all coins sum up to what was minted and not burned', state.minted - state.burned, coins);
}

function equalAmounts(claim: string, expected: bigint, actual: bigint): Verdict {
  const [wanted, there] = [shortUnits(expected), shortUnits(actual)];
  return { pass: expected === actual, claim, found: `${there}, not ${wanted}`, expected: wanted, actual: there };
}

function agrees(claim: string, expected: object, actual: object, short: string): Verdict {
  const differences = differencesOf(expected, actual);
  return { pass: differences.length === 0, claim, found: `${short}\n${diffText(differences)}`, expected, actual };
}

function stateOf(subject: LedgerLike): LedgerState {
  const state: unknown = has(subject, 'state') ? subject.state : subject;
  if (has(state, 'minted') && has(state, 'burned') && has(state, 'nextContract')) return state as LedgerState; // it has a state's fields
  throw unjudged('a ledger or its state', subject);
}

function resultOf(subject: Submitted): Submitted {
  if (has(subject, 'ok') && (has(subject, 'value') || has(subject, 'error'))) return subject;
  throw unjudged('the result of submit or attempt', subject);
}

function isStep(subject: unknown): subject is Step {
  return has(subject, 'before') && has(subject, 'after') && has(subject, 'update');
}

function isLogged(subject: unknown): subject is LoggedLedger {
  return (
    has(subject, 'updates') && typeof subject.updates === 'function' && has(subject, 'hash') && has(subject, 'state')
  );
}

function has<Name extends string>(subject: unknown, name: Name): subject is { readonly [Each in Name]: unknown } {
  return typeof subject === 'object' && subject !== null && name in subject;
}

/** Callers throw the error, so that `.not` does not turn it into a pass. */
function unjudged(expected: string, subject: unknown): LedgerAssertionError {
  const kind = describe(subject);
  const hint = kind === 'a promise' ? '; await it first' : '';
  return new LedgerAssertionError(`this matcher judges ${expected}, but got ${kind}${hint}`, expected, kind);
}

function describe(subject: unknown): string {
  if (subject instanceof Promise) return 'a promise';
  if (isStep(subject)) return 'a step';
  if (has(subject, 'kind') && has(subject, 'detail')) return `the update ${String(subject.kind)}`;
  if (has(subject, 'state')) return 'a ledger';
  if (has(subject, 'ok')) return 'a result';
  if (has(subject, 'template')) return `a ${String(subject.template)}`;
  return subject === null || typeof subject !== 'object' ? String(subject) : `{ ${Object.keys(subject).join(', ')} }`;
}

function ownersIn(state: LedgerState): readonly PartyId[] {
  const owners = new Set<PartyId>();
  for (const contract of scanContracts(state)) if (contract.template === 'Holding') owners.add(contract.owner);
  return [...owners];
}

function nameAll(parties: readonly PartyId[]): string {
  return parties.map(PartyId.hint).join(' and ');
}
