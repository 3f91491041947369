import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { countsOf, joinTexts, packSweep, PartPlayer, PartsFault, runsOf, type Format, type Sweep } from '@coinlab/lab';
import { BadInput, RunsFailed, Stopped } from '../exit-code.js';
import { lateProgressOf } from '../progress.js';
import { version } from '../program-parts.js';
import { writeSweep } from '../sweep/results.js';
import { grouped, table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { MOST_ATTEMPTS, SweepQueue, type QueuedSweep } from './queue.js';

const PART_SECONDS = 5;
const MOST_PARTS = 10_000;
/** Pause between two looks at the progress: a fiftieth of the time since the start, within these limits. */
const [LEAST_WATCH_MILLIS, MOST_WATCH_MILLIS] = [50, 1_000];

export interface Queued {
  readonly address: string;
  readonly out: string | null;
  readonly formats: readonly Format[];
  /** Null: chosen from the measured duration of a run. */
  readonly parts: number | null;
  readonly isQuiet: boolean;
}

export async function queueSweep(
  sweep: Sweep,
  { address, out, formats, parts, isQuiet }: Queued,
  terminal: Terminal,
): Promise<void> {
  const short = sweep.hash.slice(0, 12);
  await withQueue(address, terminal, async (queue, signal) => {
    const known = (await queue.sweeps()).find(({ hash }) => hash === sweep.hash);
    if (known) await queue.resume(sweep.hash);
    else await enqueue(sweep, parts, queue, signal);
    const found = await requireSweep(queue, sweep.hash);
    terminal.err(
      `${found.name}: ${grouped(found.runs)} runs in ${grouped(found.parts)} parts, sweep ${short}; start workers with coinlab work\n`,
    );
    const complete = await watch(queue, found, signal, terminal.isInteractive && !isQuiet);
    if (out === null)
      return terminal.out(
        `${found.name}: complete; coinlab join ADDRESS --sweep ${short} --out DIR writes the files\n`,
      );
    await writeJoined(queue, complete, { out, formats }, terminal);
  });
}

async function enqueue(sweep: Sweep, wanted: number | null, queue: SweepQueue, signal: AbortSignal): Promise<void> {
  const { hash, file, definition, policies } = sweep;
  if (policies !== null) refuseLocalImports(policies);
  const { runs } = countsOf(sweep);
  const parts = Math.min(runs, wanted ?? (await partsFor(sweep, runs, signal)));
  await queue.add({ hash, name: definition.name, file, version: version(), parts, runs, plan: packSweep(sweep) });
}

const LOCAL_IMPORT = /\b(?:from|import|require)\s*\(?\s*['"]((?:\.{1,2}\/|\/|file:)[^'"]+)['"]/;

/** Workers receive only the text of the policy file, so it cannot import files next to it. */
function refuseLocalImports(file: string): void {
  const [, imported] = LOCAL_IMPORT.exec(readFileSync(file, 'utf8')) ?? [];
  if (imported !== undefined)
    throw new BadInput(
      `${file}: imports '${imported}', which workers do not have; write one file, such as by npx esbuild ${file} --bundle --format=esm --packages=external --outfile=bundled.mjs`,
    );
}

async function partsFor(sweep: Sweep, runs: number, signal: AbortSignal): Promise<number> {
  const player = new PartPlayer(sweep);
  try {
    const seconds = await measured(player, signal);
    const perPart = Math.max(1, Math.floor(PART_SECONDS / Math.max(seconds, 1e-6)), Math.ceil(runs / MOST_PARTS));
    return Math.ceil(runs / perPart);
  } finally {
    await player.close();
  }
}

async function measured(player: PartPlayer, signal: AbortSignal): Promise<number> {
  const enough = AbortSignal.timeout(PART_SECONDS * 1_000);
  try {
    return await player.measure(AbortSignal.any([signal, enough]));
  } catch (error) {
    signal.throwIfAborted();
    if (!enough.aborted) throw error;
    return PART_SECONDS;
  }
}

async function watch(
  queue: SweepQueue,
  { hash, name }: QueuedSweep,
  signal: AbortSignal,
  isShown: boolean,
): Promise<QueuedSweep> {
  const progress = lateProgressOf(name, isShown, 'parts');
  const began = performance.now();
  try {
    for (;;) {
      const found = await requireSweep(queue, hash);
      progress.update(found.done, found.parts);
      if (found.isCancelled) throw new RunsFailed(`${name}: the sweep was cancelled; the same command resumes it`);
      if (found.done === found.parts) return found;
      if (found.failing.length > 0 && found.done + found.failing.length === found.parts) throw failed(found);
      const elapsed = performance.now() - began;
      const millis = Math.min(Math.max(LEAST_WATCH_MILLIS, elapsed / 50), MOST_WATCH_MILLIS);
      await pause(millis, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  } finally {
    progress.end();
  }
}

export interface JoinedFlags {
  readonly out: string;
  readonly formats: readonly Format[];
  /** First digits of a hash; null: join any sweep. */
  readonly sweep: string | null;
}

export async function joinQueued(
  address: string,
  { sweep, out, formats }: JoinedFlags,
  terminal: Terminal,
): Promise<void> {
  await withQueue(address, terminal, async (queue) => {
    const found = chosen(await queue.sweeps(), sweep);
    if (found.failing.length > 0) throw failed(found);
    if (found.done < found.parts)
      throw new BadInput(
        `${found.name}: ${found.parts - found.done} of ${found.parts} parts are missing; workers compute them`,
      );
    await writeJoined(queue, found, { out, formats }, terminal);
  });
}

async function writeJoined(
  queue: SweepQueue,
  found: QueuedSweep,
  files: { readonly out: string; readonly formats: readonly Format[] },
  terminal: Terminal,
): Promise<void> {
  if (found.failing.length > 0) throw failed(found);
  const texts = await queue.results(found.hash);
  try {
    await writeSweep(joinTexts(texts), files, terminal);
  } catch (error) {
    throw error instanceof PartsFault ? new BadInput(error.message) : error;
  }
}

export async function queueStatus(address: string, terminal: Terminal): Promise<void> {
  await withQueue(address, terminal, async (queue) => {
    const sweeps = await queue.sweeps();
    if (sweeps.length === 0) return terminal.out('no sweeps\n');
    terminal.out(
      table(
        [
          { title: 'sweep', cell: ({ hash }) => hash.slice(0, 12) },
          { title: 'name', cell: ({ name }) => name },
          { title: 'runs', cell: ({ runs }) => grouped(runs) },
          { title: 'parts', cell: ({ done, parts }) => `${grouped(done)} of ${grouped(parts)}` },
          { title: 'with workers', cell: ({ held }) => grouped(held) },
          { title: 'state', cell: stateOf },
        ],
        sweeps,
      ),
    );
    for (const sweep of sweeps) if (sweep.failing.length > 0) terminal.out(`${failingText(sweep)}\n`);
  });
}

export async function cancelSweep(address: string, sweep: string | null, terminal: Terminal): Promise<void> {
  await withQueue(address, terminal, async (queue) => {
    const found = chosen(
      (await queue.sweeps()).filter(({ isCancelled, done, parts }) => !isCancelled && done < parts),
      sweep,
    );
    await queue.cancel(found.hash);
    terminal.out(`${found.name}: cancelled after ${grouped(found.done)} of ${grouped(found.parts)} parts\n`);
  });
}

function chosen(sweeps: readonly QueuedSweep[], prefix: string | null): QueuedSweep {
  const matching = prefix === null ? sweeps : sweeps.filter(({ hash }) => hash.startsWith(prefix));
  const [first] = matching;
  if (first && matching.length === 1) return first;
  const all = sweeps.map(({ hash, name }) => `${hash.slice(0, 12)} (${name})`).join(', ') || 'none';
  throw new BadInput(`--sweep: got ${prefix === null ? 'none' : `'${prefix}'`}, expected one of: ${all}`);
}

async function requireSweep(queue: SweepQueue, hash: string): Promise<QueuedSweep> {
  const found = (await queue.sweeps()).find((one) => one.hash === hash);
  if (!found) throw new BadInput(`sweep ${hash.slice(0, 12)} is no longer in the database`);
  return found;
}

function stateOf({ isCancelled, done, parts, failing, held, secondsPerPart }: QueuedSweep): string {
  if (failing.length > 0) return `${failing.length} parts keep failing`;
  if (done === parts) return 'complete';
  if (isCancelled) return 'cancelled';
  if (held === 0 || secondsPerPart === null) return held === 0 ? 'waits for workers' : 'running';
  return `about ${Math.ceil(((parts - done) * secondsPerPart) / held)} s left`;
}

function failed(sweep: QueuedSweep): RunsFailed {
  return new RunsFailed(failingText(sweep));
}

function failingText({ name, file, parts, runs, failing }: QueuedSweep): string {
  const shown = failing.slice(0, 5).map(({ part, fault }) => {
    const [run = 0] = runsOf(runs, { index: part, of: parts });
    return `part ${part} of ${parts} (runs ${run}, ${run + parts} …): ${fault}`;
  });
  return `${name}: ${failing.length} parts keep failing, after ${MOST_ATTEMPTS} attempts or with two results: ${shown.join('; ')}; repeat one with coinlab sweep ${file} --shard ${failing[0]?.part ?? 1}/${parts} --out DIR`;
}

async function withQueue(
  address: string,
  terminal: Terminal,
  use: (queue: SweepQueue, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const stopping = (): void =>
    stop.abort(new Stopped('stopped; workers continue, and the same command shows their progress'));
  process.once('SIGINT', stopping).once('SIGTERM', stopping);
  let queue: SweepQueue | null = null;
  try {
    queue = await SweepQueue.open(address, stop.signal, (note) => terminal.err(`coinlab: ${note}\n`));
    await use(queue, stop.signal);
  } finally {
    process.off('SIGINT', stopping).off('SIGTERM', stopping);
    await queue?.close();
  }
}
