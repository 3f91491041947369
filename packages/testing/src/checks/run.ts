import { isOneOf } from '@coinlab/core/workflows';
import {
  type LedgerState,
  ok,
  type Rejection,
  type Result,
  type Submission,
  REJECTION_CODES,
  type RejectionCode,
  brokenLaws,
  type Law,
  type Ledger,
  type Update,
  codec,
  type CommandType,
} from '@coinlab/core';
import { Auditor, type Prediction } from '../auditor/auditor.js';
import { resolve, type Drawn } from '../generator/commands.js';
import type { Finding, RunStory, ToldStep } from './finding.js';
import type { LedgerSession, LedgerSystem, SubmitAnswer } from './port.js';
import { crashed, submitGuarded } from './guard.js';
import { shortUnits } from '../units.js';

export interface RunPlan {
  readonly system: LedgerSystem;
  readonly start: Ledger;
  readonly laws: readonly Law[];
  /** Null: all types. */
  readonly commands: ReadonlySet<CommandType> | null;
}

const auditors: WeakMap<Ledger, Auditor> = new WeakMap();

/** Creating an auditor reads the whole state, so it is cached and copied. */
function auditorOf(start: Ledger): Auditor {
  let known = auditors.get(start);
  if (!known) auditors.set(start, (known = new Auditor(start.state)));
  return new Auditor(known);
}

export async function run(plan: RunPlan, drawn: readonly Drawn[]): Promise<RunStory> {
  const session = await plan.system.open(plan.start);
  const current = new Run(plan, session);
  for (const step of drawn) {
    const submission = resolve(step, current.model.state, current.accepted);
    if (plan.commands && !plan.commands.has(submission.command.type)) continue;
    await current.guarded(() => current.take(submission));
    if (current.finding) break;
  }
  if (!current.finding) await current.guarded(async () => void (current.finding = await current.end()));
  await session.close?.();
  return current.story();
}

class Run {
  readonly #plan: RunPlan;
  readonly #session: LedgerSession;
  readonly #start: Ledger;
  readonly #auditor: Auditor;
  readonly #steps: ToldStep[] = [];
  readonly #accepted: Submission[] = [];
  readonly #updates: Update[] = [];
  #before: LedgerState;
  #predicted = 0;
  #tells = true;
  model: Ledger;
  finding: Finding | null = null;

  constructor(plan: RunPlan, session: LedgerSession) {
    this.#plan = plan;
    this.#session = session;
    this.#start = session.start ?? plan.start;
    this.#auditor = auditorOf(this.#start);
    this.model = this.#start;
    this.#before = this.#start.state;
  }

  get accepted(): readonly Submission[] {
    return this.#accepted;
  }

  async guarded(goOn: () => Promise<void>): Promise<void> {
    try {
      await goOn();
    } catch (error) {
      this.finding = crashed(error);
    }
  }

  async take(submission: Submission): Promise<void> {
    const { command, context } = submission;
    const expected = this.#auditor.expect(command, context);
    this.#before = this.model.state;
    const ours = once(() => this.model.submit(command, context));
    const answer = await submitGuarded(this.#session, submission, () => updateIn(ours()));
    if ('skipped' in answer) return;
    if (expected) this.#predicted += 1;
    if (!('accepted' in answer)) {
      this.#steps.push({ submission, outcome: 'thrown', accepted: false });
      this.finding = answer;
      return;
    }
    if (answer.accepted) this.#accepted.push(submission);
    if (answer.accepted && answer.update) {
      this.#steps.push({ submission, outcome: answer.update.kind, accepted: true });
      this.finding = this.#follow(answer.update, expected) ?? (await this.#compareTotals(expected));
      return;
    }
    this.#steps.push({ submission, outcome: answer.accepted ? 'accepted' : answer.code, accepted: answer.accepted });
    this.#tells &&= !answer.accepted;
    if (isOurs(answer)) {
      this.finding = this.#audit(expected, { accepted: false, code: answer.code });
      if (this.finding || this.#tells) return;
    }
    this.finding = await this.#compareOwn(answer, ours(), expected);
  }

  async #compareOwn(
    answer: SubmitAnswer,
    own: ReturnType<Ledger['submit']>,
    expected: Prediction | null,
  ): Promise<Finding | null> {
    if (own.ok !== answer.accepted) {
      const should = own.ok ? `it must be accepted (${own.value.update.kind})` : `it breaks ${own.error.code}`;
      return { by: 'model', what: `${describe(answer)}, but ${should}`, invariant: null };
    }
    return own.ok ? (this.#follow(own.value.update, expected) ?? (await this.#compareTotals(expected))) : null;
  }

  #follow(update: Update, expected: Prediction | null): Finding | null {
    const before = this.model.state;
    const audited = this.#audit(expected, { accepted: true, update });
    const own = this.#session.ledger?.();
    try {
      this.model = own ?? this.model.apply(update);
    } catch (error) {
      // The update cannot be applied to the preceding state.
      return audited ?? crashed(error);
    }
    this.#updates.push(update);
    const [broken] = brokenLaws(this.#plan.laws, { before, update, after: this.model.state });
    if (broken) return { by: 'law', what: broken.name, invariant: broken.invariant };
    return audited;
  }

  #audit(expected: Prediction | null, heard: Parameters<Auditor['compare']>[1]): Finding | null {
    const disagreement = this.#auditor.compare(expected, heard);
    return disagreement === null ? null : { by: 'auditor', what: disagreement, invariant: null };
  }

  async #compareTotals(expected: Prediction | null): Promise<Finding | null> {
    if (!this.#session.totalOf || !expected) return null;
    for (const party of expected.totals.keys()) {
      const [must, does] = [this.#auditor.totalOf(party), await this.#session.totalOf(party)];
      if (must !== does) return balance(party, must, does);
    }
    return null;
  }

  async end(): Promise<Finding | null> {
    const { totalOf, stateHash } = this.#session;
    for (const [party, must] of this.#auditor.totals) {
      const does = await totalOf?.call(this.#session, party);
      if (does !== undefined && does !== must) return balance(party, must, does);
    }
    if (!this.#tells || this.#updates.length === 0) return null;
    let replayed = this.#start;
    for (const update of this.#updates) {
      const line = codec.encode(update);
      const read = codec.decode(line, update.offset);
      if (!read.ok) return { by: 'replay', what: `the log cannot be read: ${read.error.reason}`, invariant: 56 };
      if (codec.encode(read.value) !== line)
        return { by: 'replay', what: 'an update that was read from the log is another', invariant: 56 };
      replayed = replayed.apply(read.value);
    }
    const hash = await stateHash?.call(this.#session);
    if (hash !== undefined && hash !== replayed.hash())
      return { by: 'replay', what: 'the log leads to another state than the commands', invariant: 56 };
    return this.#session.start ? null : this.#repeat();
  }

  async #repeat(): Promise<Finding | null> {
    const log = linesOf(this.#updates);
    if ((await this.#logOf(this.#steps.filter(({ accepted }) => accepted))) === log) return null;
    return (await this.#logOf(this.#steps)) === log
      ? { by: 'repetition', what: 'without the refused commands the others give another log', invariant: 55 }
      : { by: 'repetition', what: 'the same commands give another log the second time', invariant: 56 };
  }

  async #logOf(steps: readonly ToldStep[]): Promise<string> {
    const session = await this.#plan.system.open(this.#plan.start);
    const updates: Update[] = [];
    let own = this.#plan.start;
    for (const { submission } of steps) {
      const { command, context } = submission;
      const answer = await submitGuarded(session, submission, () => updateIn(own.submit(command, context)));
      if (!('accepted' in answer) || !answer.accepted || !answer.update) continue;
      updates.push(answer.update);
      own = own.apply(answer.update);
    }
    await session.close?.();
    return linesOf(updates);
  }

  story(): RunStory {
    return {
      start: this.#start,
      steps: this.#steps,
      finding: this.finding,
      before: this.#before,
      after: this.model,
      predicted: this.#predicted,
    };
  }
}

export function updateIn(result: Result<{ readonly update: Update }, Rejection>): Result<Update, Rejection> {
  return result.ok ? ok(result.value.update) : result;
}

function linesOf(updates: readonly Update[]): string {
  return updates.map((update) => codec.encode(update)).join('\n');
}

function isOurs(
  answer: SubmitAnswer,
): answer is Extract<SubmitAnswer, { readonly accepted: false }> & { readonly code: RejectionCode } {
  return !answer.accepted && isOneOf(REJECTION_CODES, answer.code);
}

function describe(answer: SubmitAnswer): string {
  return answer.accepted ? 'accepted' : `refused with ${answer.code}`;
}

function balance(party: string, must: bigint, does: bigint): Finding {
  return { by: 'balance', what: `${party} owns ${shortUnits(does)}, but must own ${shortUnits(must)}`, invariant: 10 };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
