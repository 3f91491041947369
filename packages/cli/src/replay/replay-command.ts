import { resolve } from 'node:path';
import type { Amount } from '@coinlab/core';
import {
  describeFault,
  generatedRows,
  parseGenerated,
  partiesCsv,
  replayNetwork,
  replayStream,
  reportJson,
  type FileFault,
  type NetworkRun,
  type SelectionName,
  type RunReport,
  type Sink,
} from '@coinlab/sim';
import { openInput, PendingFile, readOpening, type InputFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from '../exit-code.js';
import { requireLogFile, requireOutFile } from '../out-folder.js';
import { progressOf } from '../progress.js';
import { compareTable, runTable, starvedPolicies } from './report-table.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface ReplayFlags {
  readonly generate?: string;
  readonly policy: SelectionName;
  readonly compare?: readonly SelectionName[];
  readonly cap: number | null;
  readonly mergeThreshold: number | null;
  readonly whenShort: 'wait' | 'drop';
  readonly opening?: string;
  readonly unit: Amount;
  readonly holdingRate: Amount | null;
  readonly perParty?: string;
  readonly seed: number;
  readonly log?: string;
  readonly overwrite?: true;
  readonly checkpoint?: string;
  readonly every: number;
  readonly resume?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const ONLY_FOR = {
  stream: ['whenShort', 'opening', 'unit'],
  network: ['holdingRate', 'perParty'],
} as const satisfies Record<string, readonly (keyof ReplayFlags)[]>;

export function replayCommand(
  file: string | undefined,
  flags: ReplayFlags,
  isGiven: (flag: keyof ReplayFlags) => boolean,
  terminal: Terminal,
): void | Promise<void> {
  refuseOverwriting(file, flags);
  const { checkpoint = flags.resume } = flags;
  // A resumed replay continues its log.
  const isContinued = flags.resume !== undefined;
  if (flags.log !== undefined) requireLogFile(flags.log, { overwrite: isContinued || flags.overwrite });
  if (flags.perParty !== undefined) requireOutFile('--per-party', flags.perParty, flags);
  const input = inputOf(file, flags);
  const other = input.kind === 'stream' ? 'network' : 'stream';
  for (const flag of ONLY_FOR[other]) {
    if (isGiven(flag)) throw new BadInput(`--${kebab(flag)} works with a ${other}; ${input.file} is a ${input.kind}`);
  }
  const opening = flags.opening === undefined ? [] : orBadInput(readOpening(flags.opening, flags.unit));
  if (checkpoint !== undefined) return replayed(input, { ...flags, opening, checkpoint }, terminal);
  const began = performance.now();
  const files: PendingFile[] = [];
  const pending = (name: string | undefined): PendingFile | null => {
    if (name === undefined) return null;
    files.push(pendingFile(name));
    return files.at(-1) ?? null;
  };
  try {
    const [log, perParty] = [pending(flags.log), pending(flags.perParty)];
    const runs = (flags.compare ?? [flags.policy]).map((policy) =>
      run(input, { ...flags, policy }, opening, (segment) => log?.write(segment), terminal),
    );
    const [first] = runs;
    if (first && 'parties' in first) perParty?.write(Buffer.from(partiesCsv(first.parties)));
    for (const written of files) written.commit();
    const reports = runs.map(({ report }) => report);
    terminal.out(flags.json ? reports.map((report) => `${reportJson(report)}\n`).join('') : asTable(reports, flags));
  } catch (error) {
    for (const unfinished of files) unfinished.discard();
    throw error;
  }
  if (!flags.quiet) terminal.err(speed(input.count * (flags.compare?.length ?? 1), performance.now() - began));
}

async function replayed(
  input: InputFile,
  flags: Omit<ReplayFlags, 'opening'> & { readonly opening: readonly Amount[]; readonly checkpoint: string },
  terminal: Terminal,
): Promise<void> {
  const { policy, cap, mergeThreshold, whenShort, opening, holdingRate, seed } = flags;
  const { generate, checkpoint, resume, log: logFile, every, perParty, json, quiet } = flags;
  const { replayStoppably } = await import('./stoppable-replay.js');
  const settings = { policy, cap, mergeThreshold, whenShort, opening, holdingRate, seed };
  const isQuiet = quiet === true;
  const run = await replayStoppably(
    { input, generate, settings, unit: flags.unit, checkpoint, resume, logFile, every, isQuiet },
    terminal,
  );
  terminal.out(json ? `${reportJson(run.report)}\n` : `${runTable(run.report)}${starvedPolicies([run.report])}`);
  if (perParty === undefined || !('parties' in run)) return;
  const file = pendingFile(perParty);
  file.write(Buffer.from(partiesCsv(run.parties)));
  file.commit();
}

function inputOf(file: string | undefined, { generate, unit, seed }: ReplayFlags): InputFile {
  if ((file === undefined) === (generate === undefined))
    throw new BadInput(`expected a file or --generate, got ${file === undefined ? 'neither' : 'both'}`);
  if (file !== undefined) return orBadInput(openInput(file, unit));
  const settings = parseGenerated(generate ?? '', '--generate');
  if (!settings.ok) throw new BadInput(settings.error.map(describeFault).join('\n'));
  const { rows: count } = settings.value;
  return { kind: 'stream', file: '--generate', count, rows: generatedRows(settings.value, seed) };
}

function run(
  input: InputFile,
  flags: ReplayFlags,
  opening: readonly Amount[],
  sink: Sink,
  terminal: Terminal,
): NetworkRun | { readonly report: RunReport } {
  const progress = progressOf(flags.policy, input.count, terminal.isInteractive && !flags.quiet);
  try {
    return input.kind === 'network'
      ? replayNetwork(input, flags, sink, { onProgress: progress.update })
      : { report: replayStream(input, { ...flags, opening }, sink, { onProgress: progress.update }) };
  } finally {
    progress.end();
  }
}

function asTable(reports: readonly RunReport[], flags: ReplayFlags): string {
  const [only] = reports;
  return `${only && !flags.compare ? runTable(only) : compareTable(reports)}${starvedPolicies(reports)}`;
}

function pendingFile(name: string): PendingFile {
  try {
    return new PendingFile(name);
  } catch (error) {
    throw new BadInput(`${name}: cannot be written: ${messageOf(error)}`);
  }
}

function refuseOverwriting(file: string | undefined, { log, perParty, opening }: ReplayFlags): void {
  const taken = [file, opening].flatMap((path) => (path === undefined ? [] : [resolve(path)]));
  for (const path of [log, perParty]) {
    if (path === undefined) continue;
    if (taken.includes(resolve(path)))
      throw new BadInput(`${path}: this run reads the file, so it cannot write to it; choose another file`);
    taken.push(resolve(path));
  }
}

function orBadInput<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: FileFault },
): Value {
  if (!result.ok) throw new BadInput(describeFault(result.error));
  return result.value;
}

function speed(rows: number, millis: number): string {
  const seconds = millis / 1000;
  return `${grouped(rows)} rows in ${seconds.toFixed(1)} s, ${grouped(Math.round(rows / seconds))} rows a second\n`;
}

function kebab(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
