import fc from 'fast-check';
import { type Submission, LAWS, brokenLaws, type Law, type Ledger, type Update } from '@coinlab/core';
import { LedgerAssertionError } from '../failure.js';
import { describeSubmission } from '../generator/commands.js';
import type { LedgerSession, LedgerSystem, SubmitAnswer } from './port.js';
import { RACES, type Race } from './races.js';
import { startOf } from './starts.js';

/** What is raced and how. */
export interface RaceCheck {
  /**
   * The system, given a way to wait: wherever it awaits `pause()` another command may come in between. A server needs no pause of its
   * own; `behindAsyncPort` awaits one before each command and one after.
   */
  readonly system: (pause: () => Promise<void>) => LedgerSystem;
  /** Left out: the competitions that must have one winner. */
  readonly races?: readonly Race[];
  /** Interleavings to try; left out: 200. */
  readonly runs?: number;
  /** Left out: a busy network of the default profile. */
  readonly start?: Ledger;
  readonly laws?: readonly Law[];
  readonly seed?: number;
  /** Where a failure is that was found before, as it was printed. */
  readonly path?: string;
}

interface Finish {
  readonly submission: Submission;
  readonly answer: SubmitAnswer;
}

/**
 * Lets commands compete in every order that a scheduler thinks of. As many win as must, the answers are those of some order of the
 * commands one after the other, laws hold in the log, and the ledger is where its log leads.
 * @returns how many interleavings were tried; throws with the commands, the schedule and the seed when one goes wrong
 */
export async function checkRaces(check: RaceCheck): Promise<{ readonly runs: number; readonly seed: number }> {
  const { races = RACES, runs = 200, seed, path } = check;
  const entries = fc.constantFrom(...races).chain((race) => fc.tuple(fc.constant(race), shuffles(race, check)));
  const property = fc.asyncProperty(fc.scheduler(), entries, async (scheduler, [race, order]) => {
    const wrong = await compete(check, race, order, scheduler);
    if (wrong) throw new LedgerAssertionError([`race: ${race.name}`, ...wrong].join('\n'));
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return { runs: details.numRuns, seed: details.seed };
  const found = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  const schedule = details.counterexample ? fc.stringify(details.counterexample[0]) : 'none';
  const again = `  again   checkRaces({ …, seed: ${details.seed}, path: '${details.counterexamplePath}' })`;
  throw new LedgerAssertionError([found, `  schedule\n${schedule}`, again].join('\n'));
}

/** The orders in which the competitors of a race can come. */
function shuffles({ competitors, before }: Race, check: RaceCheck): fc.Arbitrary<readonly number[]> {
  let ledger = check.start ?? startOf('feeless');
  for (const make of before) {
    const { command, context } = make(ledger.state);
    const result = ledger.submit(command, context);
    if (result.ok) ({ ledger } = result.value);
  }
  const places = competitors(ledger.state).map((_, i) => i);
  return fc.shuffledSubarray(places, { minLength: Math.min(2, places.length) });
}

async function compete(
  check: RaceCheck,
  race: Race,
  order: readonly number[],
  scheduler: fc.Scheduler,
): Promise<readonly string[] | null> {
  const session = await check
    .system(() => scheduler.schedule(Promise.resolve()))
    .open(check.start ?? startOf('feeless'));
  let model = session.start ?? check.start ?? startOf('feeless');
  for (const make of race.before) {
    const { command, context } = make(model.state);
    const answer = await scheduler.waitFor(submit(session, { command, context }, model));
    if (!answer.accepted) return [`before the race: ${describeSubmission({ command, context })} → ${answer.code}`];
    model = follow(model, { command, context }, answer);
  }
  const all = race.competitors(model.state);
  const competing = order.flatMap((place) => all[place] ?? []);
  const finishing = competing.map(async (submission): Promise<Finish> => {
    await scheduler.schedule(Promise.resolve(), describeSubmission(submission));
    return { submission, answer: await submit(session, submission, model) };
  });
  const finishes = await scheduler.waitFor(Promise.all(finishing));
  const wrong = judge(finishes, model, race, check.laws ?? LAWS) ?? (await isElsewhere(session, model, finishes));
  await session.close?.();
  return wrong === null ? null : [...finishes.map(told), `  ✗ ${wrong}`];
}

async function submit(session: LedgerSession, submission: Submission, model: Ledger): Promise<SubmitAnswer> {
  const { command, context } = submission;
  return session.submit(command, context, () => {
    const own = model.submit(command, context);
    return own.ok ? own.value.update : null;
  });
}

function follow(model: Ledger, { command, context }: Submission, answer: SubmitAnswer): Ledger {
  if (answer.accepted && answer.update) return model.apply(answer.update);
  const own = model.submit(command, context);
  return own.ok ? own.value.ledger : model;
}

/** What is wrong with how a race ended, or null. */
function judge(finishes: readonly Finish[], model: Ledger, race: Race, laws: readonly Law[]): string | null {
  const winners = finishes.filter(({ answer }) => answer.accepted);
  if (winners.length > race.winners) return `${winners.length} of them win, but only ${race.winners} may`;
  if (!orders(finishes).some((order) => answersOf(order, model) === answersText(order)))
    return 'in no order, one after the other, would they have been answered so';
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

/** What our own ledger answers to the commands in an order. */
function answersOf(order: readonly Finish[], model: Ledger): string {
  let ledger = model;
  const answers = order.map(({ submission: { command, context } }): SubmitAnswer => {
    const result = ledger.submit(command, context);
    if (!result.ok) return { accepted: false, code: result.error.code };
    ({ ledger } = result.value);
    return { accepted: true };
  });
  return answers.map(outcome).join();
}

function answersText(order: readonly Finish[]): string {
  return order.map(({ answer }) => outcome(answer)).join();
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
