import { findAny, scanContracts } from '@coinlab/core/views';
import {
  type Contract,
  type LedgerState,
  Amount,
  PartyId,
  type Rejection,
  type RejectionCode,
  type Result,
  LAWS,
  brokenLaws,
  type Law,
  type Step,
  type Update,
  type UpdateKind,
  balanceOf,
  utxoCountOf,
} from '@coinlab/core';
import { shortUnits } from './units.js';
import { diffText, differencesOf, plain } from './failure.js';

/** What a check found: every matcher and assertion is one of these. */
export interface Verdict {
  readonly pass: boolean;
  /** What should hold, as the end of a sentence: `every party has at most 10 coins`. */
  readonly claim: string;
  /** What was found instead, when it does not pass. */
  readonly found: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** A ledger of any form, or its state. */
export type LedgerLike = LedgerState | { readonly state: LedgerState };

/** What submitting gives: a decision of the core, with an update of its own or an update beside the next ledger. */
export type Submitted = Result<Update | { readonly update: Update }, Rejection>;

/** Value is conserved: over a step by its update, or in a whole state, whose coins sum up to minted less burned (a scan). */
export function conservesValue(subject: Step | LedgerLike): Verdict {
  return isStep(subject) ? stepConserves(subject) : stateConserves(stateOf(subject));
}

/** No party has more coins than a limit, locked ones among them; of a ledger every party counts, or those that are named. */
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

/** A party holds exactly an amount, locked coin among it. */
export function hasBalance(subject: LedgerLike, party: PartyId, amount: Amount | string): Verdict {
  const expected = Amount.short(typeof amount === 'string' ? Amount.of(amount) : amount);
  const { total, locked } = balanceOf(stateOf(subject), party);
  const actual = Amount.short(total);
  const ofIt = locked > 0n ? `, ${Amount.short(locked)} of it locked` : '';
  const claim = `${PartyId.hint(party)} holds ${expected}`;
  return { pass: actual === expected, claim, found: `${actual}${ofIt}`, expected, actual };
}

/** A command was refused with a code; of its evidence the fields that are given must agree. */
export function isRefusedWith(result: Submitted, code: RejectionCode, evidence: object = {}): Verdict {
  const claim = `the command is refused with ${code}`;
  if (result.ok) return { pass: false, claim, found: `accepted as ${updateIn(result.value).kind}`, expected: code };
  return agrees(claim, { code, ...evidence }, result.error, result.error.code);
}

/** A command was accepted as a kind of update; of its detail the fields that are given must agree. */
export function isAcceptedAs(result: Submitted, kind: UpdateKind, detail: object = {}): Verdict {
  const claim = `the command is accepted as ${kind}`;
  if (result.ok) {
    const update = updateIn(result.value);
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

/** A step keeps every law, or those that are given. */
export function keepsLaws(step: Step, laws: readonly Law[] = LAWS): Verdict {
  const broken = brokenLaws(laws, step).map(({ name, invariant }) => `${name} (invariant ${invariant})`);
  return {
    pass: broken.length === 0,
    claim: `${step.update.kind} keeps the laws`,
    found: broken.map((name) => `broken: ${name}`).join('\n'),
    expected: [],
    actual: broken,
  };
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

function updateIn(value: Update | { readonly update: Update }): Update {
  return 'update' in value ? value.update : value;
}

/** The state of a ledger of any form. */
function stateOf(subject: LedgerLike): LedgerState {
  return 'state' in subject ? subject.state : subject;
}

function isStep(subject: Step | LedgerLike): subject is Step {
  return 'before' in subject && 'after' in subject;
}

function ownersIn(state: LedgerState): readonly PartyId[] {
  const owners = new Set<PartyId>();
  for (const contract of scanContracts(state)) if (contract.template === 'Holding') owners.add(contract.owner);
  return [...owners];
}

function nameAll(parties: readonly PartyId[]): string {
  return parties.map(PartyId.hint).join(' and ');
}
