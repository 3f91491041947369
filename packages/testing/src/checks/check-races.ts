import fc from 'fast-check';
import {
  brokenLaws,
  LAWS,
  REJECTION_CODES,
  type CommandType,
  type Law,
  type Ledger,
  type Submission,
  type Update,
} from '@coinlab/core';
import { isOneOf } from '@coinlab/core/workflows';
import { LedgerAssertionError } from '../failure.js';
import { describeSubmission } from '../generator/commands.js';
import type { LedgerSession, LedgerSystem, Skipped, SubmitAnswer } from './port.js';
import { RACES, type Race } from './races.js';
import { updateIn } from './run.js';
import { startOf } from './starts.js';

/** Options of {@link checkRaces}. */
export interface RaceCheck {
  /**
   * Returns the system under test. While it awaits `pause()`, another command may run. A real server needs no
   * calls of `pause`; `behindAsyncPort` pauses once before and once after each command.
   */
  readonly system: (pause: () => Promise<void>) => LedgerSystem;
  /** The races to run; default: {@link RACES}. */
  readonly races?: readonly Race[];
  /** The types of commands that the ledger supports; default: all. Races with other commands are skipped. */
  readonly commands?: readonly CommandType[];
  /** Number of interleavings to try; default: 200. */
  readonly runs?: number;
  /** The initial ledger; default: a busy network of the default profile. */
  readonly start?: Ledger;
  readonly laws?: readonly Law[];
  readonly seed?: number;
  /** The path of an earlier failure, as the failure's message prints it. Needs the `seed` of that failure. */
  readonly path?: string;
}

/** The report of a check that found no failure. */
export interface RaceReport {
  /** Number of interleavings that were tried; 0 if every race was skipped. */
  readonly runs: number;
  readonly seed: number;
  readonly skipped: readonly SkippedRace[];
}

/** A race that was not run, with the reason. */
export interface SkippedRace {
  readonly race: string;
  /** Why the race was not run, such as `the ledger has no CreateWalletOffer`. */
  readonly reason: string;
}

interface Finish {
  readonly submission: Submission;
  readonly answer: SubmitAnswer;
}

/**
 * Submits competing commands in random orders and interleavings and checks four conditions.
 * - Exactly the expected number of commands is accepted.
 * - Some sequential order of the commands has the same outcomes. A rejection code of the core must match that
 * order; any other text is accepted as a refusal.
 * - The laws are kept by every update of the log.
 * - The log replays to the ledger's state.
 *
 * Throws with the commands, the schedule and the seed if a condition fails.
 */
export async function checkRaces(check: RaceCheck): Promise<RaceReport> {
  const { races = RACES, runs = 200, seed, path } = check;
  const skipped = new Map(races.flatMap((race) => lacking(race, check)));
  const usable = races.filter(({ name }) => !skipped.has(name));
  if (usable.length === 0) return { runs: 0, seed: seed ?? 0, skipped: skippedRaces(skipped) };
  const entries = fc.constantFrom(...usable).chain((race) => fc.tuple(fc.constant(race), shuffles(race, check)));
  const property = fc.asyncProperty(fc.scheduler(), entries, async (scheduler, [race, order]) => {
    if (skipped.has(race.name)) return;
    const wrong = await compete(check, race, order, scheduler);
    if (typeof wrong === 'string') skipped.set(race.name, wrong);
    else if (wrong) throw new LedgerAssertionError([`race: ${race.name}`, ...wrong].join('\n'));
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return { runs: details.numRuns, seed: details.seed, skipped: skippedRaces(skipped) };
  const found = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  const schedule = details.counterexample ? fc.stringify(details.counterexample[0]) : 'none';
  const again = `  again   checkRaces({ …, seed: ${details.seed}, path: '${details.counterexamplePath}' })`;
  throw new LedgerAssertionError([found, `  schedule\n${schedule}`, again].join('\n'));
}

function skippedRaces(reasons: ReadonlyMap<string, string>): readonly SkippedRace[] {
  return [...reasons].map(([race, reason]) => ({ race, reason }));
}

function lacking(race: Race, { commands, start }: RaceCheck): readonly (readonly [string, string])[] {
  const missing = [...new Set(played(race, start).map(({ command }) => command.type))].filter(
    (type) => commands && !commands.includes(type),
  );
  return missing.length > 0 ? [[race.name, lacks(missing.join(', '))]] : [];
}

function lacks(types: string): string {
  return `the ledger has no ${types}`;
}

function played({ competitors, before }: Race, start: Ledger = startOf('feeless')): readonly Submission[] {
  let ledger = start;
  const steps = before.map((make) => {
    const submission = make(ledger.state);
    const result = ledger.submit(submission.command, submission.context);
    if (result.ok) ({ ledger } = result.value);
    return submission;
  });
  return [...steps, ...competitors(ledger.state)];
}

function shuffles(race: Race, { start }: RaceCheck): fc.Arbitrary<readonly number[]> {
  const places = played(race, start)
    .slice(race.before.length)
    .map((_, i) => i);
  return fc.shuffledSubarray(places, { minLength: Math.min(2, places.length) });
}

/**
 * @returns the fault as lines; null if there is none; a text if the ledger skipped a command, so that the race cannot
 * run
 */
async function compete(
  check: RaceCheck,
  race: Race,
  order: readonly number[],
  scheduler: fc.Scheduler,
): Promise<readonly string[] | string | null> {
  const session = await check
    .system(() => scheduler.schedule(Promise.resolve()))
    .open(check.start ?? startOf('feeless'));
  let model = session.start ?? check.start ?? startOf('feeless');
  for (const make of race.before) {
    const { command, context } = make(model.state);
    const answer = await scheduler.waitFor(submit(session, { command, context }, model));
    if ('skipped' in answer) return lacks(command.type);
    if (!answer.accepted) return [`before the race: ${describeSubmission({ command, context })} → ${answer.code}`];
    model = follow(model, { command, context }, answer);
  }
  const all = race.competitors(model.state);
  const competing = order.flatMap((place) => all[place] ?? []);
  const finishing = competing.map(async (submission) => {
    await scheduler.schedule(Promise.resolve(), describeSubmission(submission));
    return { submission, answer: await submit(session, submission, model) };
  });
  const answered = await scheduler.waitFor(Promise.all(finishing));
  const finishes: Finish[] = [];
  for (const { submission, answer } of answered) {
    if ('skipped' in answer) return lacks(submission.command.type);
    finishes.push({ submission, answer });
  }
  const wrong = judge(finishes, model, race, check.laws ?? LAWS) ?? (await isElsewhere(session, model, finishes));
  await session.close?.();
  return wrong === null ? null : [...finishes.map(told), `  ✗ ${wrong}`];
}

async function submit(session: LedgerSession, submission: Submission, model: Ledger): Promise<SubmitAnswer | Skipped> {
  const { command, context } = submission;
  return session.submit(command, context, () => updateIn(model.submit(command, context)));
}

function follow(model: Ledger, { command, context }: Submission, answer: SubmitAnswer): Ledger {
  if (answer.accepted && answer.update) return model.apply(answer.update);
  const own = model.submit(command, context);
  return own.ok ? own.value.ledger : model;
}

function judge(finishes: readonly Finish[], model: Ledger, race: Race, laws: readonly Law[]): string | null {
  const winners = finishes.filter(({ answer }) => answer.accepted);
  if (winners.length > race.winners) return `${winners.length} of them win, but only ${race.winners} may`;
  if (!orders(finishes).some((order) => isSequential(order, model)))
    return 'no order of the commands, one after the other, has these outcomes';
  let ledger = model;
  for (const update of updatesOf(finishes)) {
    const after = ledger.apply(update);
    const [broken] = brokenLaws(laws, { before: ledger.state, update, after: after.state });
    if (broken) return `law: ${broken.name} (invariant ${broken.invariant})`;
    ledger = after;
  }
  return null;
}

async function isElsewhere(session: LedgerSession, model: Ledger, finishes: readonly Finish[]): Promise<string | null> {
  const hash = await session.stateHash?.();
  const updates = updatesOf(finishes);
  const told = updates.length === finishes.filter(({ answer }) => answer.accepted).length;
  if (hash === undefined || !told) return null;
  const replayed = updates.reduce((ledger, update) => ledger.apply(update), model);
  return replayed.hash() === hash ? null : 'the log leads to another state';
}

function updatesOf(finishes: readonly Finish[]): readonly Update[] {
  return finishes
    .flatMap(({ answer }) => (answer.accepted && answer.update ? [answer.update] : []))
    .sort((a, b) => a.offset - b.offset);
}

function isSequential(order: readonly Finish[], model: Ledger): boolean {
  let ledger = model;
  return order.every(({ submission: { command, context }, answer }) => {
    const result = ledger.submit(command, context);
    if (result.ok) ({ ledger } = result.value);
    if (answer.accepted || result.ok) return answer.accepted && result.ok;
    return answer.code === result.error.code || !isOneOf(REJECTION_CODES, answer.code);
  });
}

function outcome(answer: SubmitAnswer): string {
  return answer.accepted ? 'accepted' : answer.code;
}

function told({ submission, answer }: Finish): string {
  return `  ${describeSubmission(submission)} → ${outcome(answer)}`;
}

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((first, i) => orders(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
