import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { bugName, LAWS_OF, type Bug, type Specimen } from './specimen.ts';
import type { Oddity } from './oddities.ts';
import { failureOf, plantedLedger, settingsOf, soundLedger, tokenOf } from './planted.ts';

export interface BugTrial {
  readonly bug: Bug;
  /** Number of runs until the failure, by seed; null if the bug was not found. */
  readonly runs: readonly (number | null)[];
  /** The largest number of commands of a failure after shrinking. */
  readonly commands: number;
  /** Whether the failures break a law that describes the bug. */
  readonly isNamed: boolean;
  /** Whether the token of every failure repeated its commands, answers and law in another process. */
  readonly isReplayed: boolean;
}

export interface LedgerTrial {
  readonly specimen: Specimen;
  /** A failure reported for the correct ledger, which is a false alarm; null if it passed with every seed. */
  readonly accusation: string | null;
  readonly bugs: readonly BugTrial[];
  readonly seconds: number;
}

const RUNS = 1000;
const MOST_COMMANDS = 6;

export function isFound({ runs, commands, isNamed, isReplayed }: BugTrial): boolean {
  return runs.every((count) => count !== null) && commands <= MOST_COMMANDS && isNamed && isReplayed;
}

/** Checks a ledger as its author wrote it and with each of its bugs, in 1,000 runs for each seed. */
export async function tryLedger(specimen: Specimen, seeds: readonly number[]): Promise<LedgerTrial> {
  const began = performance.now();
  const sound = { ledger: await soundLedger(specimen), ...settingsOf(specimen) };
  let accusation: string | null = null;
  for (const seed of seeds) accusation ??= (await failureOf({ ...sound, runs: RUNS, seed }))?.message ?? null;
  const found = await Promise.all(specimen.bugs.map((bug) => searched(specimen, bug, seeds)));
  const replayed = await replays(specimen, found);
  const bugs = found.map(({ failures, ...trial }): BugTrial => {
    const own = replayed.splice(0, failures.length);
    return { ...trial, isReplayed: own.every((message, i) => message === failures[i]?.message) };
  });
  return { specimen, accusation, bugs, seconds: (performance.now() - began) / 1000 };
}

/** Returns the false alarm for a correct ledger with unusual behaviour; null if it passed. */
export async function accusationOf(oddity: Oddity, seeds: readonly number[]): Promise<string | null> {
  const { specimen, what, check, adapt } = oddity;
  const plain = await plantedLedger(specimen, oddity, what);
  const ledger = adapt?.(plain) ?? plain;
  for (const seed of seeds) {
    const failure = await failureOf({ ledger, ...settingsOf(specimen), ...check, runs: RUNS, seed });
    if (failure) return failure.message;
  }
  return null;
}

interface Found {
  readonly bug: Bug;
  readonly runs: readonly (number | null)[];
  readonly commands: number;
  readonly isNamed: boolean;
  /** The failures as their replays print them. */
  readonly failures: readonly { readonly token: string; readonly message: string }[];
}

async function searched(specimen: Specimen, bug: Bug, seeds: readonly number[]): Promise<Found> {
  const ledger = await plantedLedger(specimen, bug, bugName(bug));
  const tried = [];
  for (const seed of seeds) tried.push(await failureOf({ ledger, ...settingsOf(specimen), runs: RUNS, seed }));
  const failures = tried.filter((failure) => failure !== null);
  return {
    bug,
    runs: tried.map((failure) => failure?.runs ?? null),
    commands: Math.max(0, ...failures.map(({ steps }) => steps.length)),
    isNamed: failures.every(({ broken }) => LAWS_OF[bug.kind].includes(broken)),
    failures: failures.map((failure) => ({
      token: tokenOf(failure),
      message: failure.message.replace(/after \d+ runs/, 'after 1 runs'),
    })),
  };
}

async function replays({ folder }: Specimen, found: readonly Found[]): Promise<(string | null)[]> {
  const failures = found.flatMap(({ bug, failures: own }) => own.map(({ token }) => ({ bug: bugName(bug), token })));
  const program = ['--conditions=source', '--import=tsx', `${import.meta.dirname}/replay.ts`];
  const child = execFile(process.execPath, program);
  child.stdin?.end(JSON.stringify({ folder, failures }));
  let [out, said] = ['', ''];
  child.stdout?.on('data', (part) => (out += String(part)));
  child.stderr?.on('data', (part) => (said += String(part)));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`replays of ${folder}: ${said}`);
  // Cast: replay.ts prints this shape.
  return JSON.parse(out) as (string | null)[];
}
