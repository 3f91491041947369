import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Amount } from '@coinlab/core';
import {
  networkRounds,
  NetworkReplay,
  readReplayCheckpoint,
  replayCheckpointLines,
  ResumableHash,
  settingsIdentity,
  StreamReplay,
  type NetworkRun,
  type NetworkSettings,
  type ReplayOptions,
  type RunReport,
  type SavedReplay,
  type Sink,
  type StreamSettings,
} from '@coinlab/sim';
import { PendingFile, type InputFile } from '@coinlab/sim/files';
import { readCheckpointFile, refuseOtherLog, stoppably, writeCheckpoint } from '../checkpoint.js';
import { BadInput, Stopped } from '../exit-code.js';
import { progressOf } from '../progress.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface StoppableReplay {
  readonly input: InputFile;
  readonly generate: string | undefined;
  readonly settings: StreamSettings & NetworkSettings;
  /** Amount of coin for an integer of 1 in a stream. */
  readonly unit: Amount;
  readonly checkpoint: string;
  readonly resume: string | undefined;
  readonly logFile: string | undefined;
  /** Number of rows between two checkpoints. */
  readonly every: number;
  readonly isQuiet: boolean;
}

/** Number of rows between two checks for a signal. */
const ROWS_AT_ONCE = 1_000;

export async function replayStoppably(
  options: StoppableReplay,
  terminal: Terminal,
): Promise<NetworkRun | { readonly report: RunReport }> {
  const { input, settings, checkpoint, resume, logFile, every, isQuiet } = options;
  const identity = { ...(await inputIdentity(options)), ...settingsIdentity({ ...settings, unit: options.unit }) };
  const saved = resume === undefined ? null : savedReplay(resume, identity);
  const hash = await ResumableHash.create();
  if (saved) hash.restore(saved.hash);
  const kept = saved?.point.log?.bytes ?? 0;
  if (logFile !== undefined && saved) await refuseOtherLog(`${logFile}.part`, kept, saved.hash);
  const log = logFile === undefined ? null : new PendingFile(logFile, kept);
  const { replay, steps } = played(input, settings, (segment) => log?.write(segment), {
    hash,
    ...(saved && { resume: saved.point }),
  });
  const keep = (): void => {
    // Sync the log first: a checkpoint must not cover more of the log than the disk has.
    const point = replay.save();
    log?.sync();
    writeCheckpoint(checkpoint, replayCheckpointLines({ identity, hash: hash.save(), point }));
  };
  const progress = progressOf(settings.policy, input.count, terminal.isInteractive && !isQuiet);
  let [looked, written] = [replay.rows, replay.rows];
  try {
    return await stoppably(checkpoint, log, async (signal) => {
      for (const _ of steps) {
        if (replay.rows - looked < ROWS_AT_ONCE && replay.rows - written < every) continue;
        looked = replay.rows;
        progress.update(looked);
        // Let pending signals be handled.
        await setImmediate();
        if (replay.rows >= input.count) continue;
        if (signal.aborted || replay.rows - written >= every) {
          keep();
          written = replay.rows;
        }
        if (signal.aborted)
          throw new Stopped(
            `stopped after ${grouped(written)} rows; resume with: the same command and --resume ${checkpoint}`,
          );
      }
      const run = replay.result();
      return 'report' in run ? run : { report: run };
    });
  } finally {
    progress.end();
  }
}

function played(
  input: InputFile,
  settings: StreamSettings & NetworkSettings,
  sink: Sink,
  options: ReplayOptions,
): { readonly replay: StreamReplay | NetworkReplay; readonly steps: Iterable<void> } {
  const done = options.resume?.rows ?? 0;
  if (input.kind === 'stream') {
    const replay = new StreamReplay(settings, sink, options);
    const { rows } = input;
    return {
      replay,
      steps: (function* () {
        let row = 0;
        for (const amount of rows) {
          row += 1;
          if (row <= done) continue;
          replay.play(amount);
          yield;
        }
      })(),
    };
  }
  const replay = new NetworkReplay(input, settings, sink, options);
  const { rows } = input;
  return {
    replay,
    steps: (function* () {
      let row = 0;
      for (const round of networkRounds(rows)) {
        row += round.rows.length;
        if (row <= done) continue;
        replay.playRound(round);
        yield;
      }
    })(),
  };
}

async function inputIdentity({ input, generate }: StoppableReplay): Promise<Readonly<Record<string, string>>> {
  if (generate !== undefined) return { input: generate };
  const hash = createHash('sha256');
  // Without an encoding the stream yields bytes; its declared type is any.
  for await (const piece of createReadStream(input.file) as AsyncIterable<Uint8Array>) hash.update(piece);
  return { input: hash.digest('hex') };
}

function savedReplay(file: string, identity: Readonly<Record<string, string>>): SavedReplay {
  const read = readReplayCheckpoint(readCheckpointFile(file), identity);
  if (!read.ok) throw new BadInput(`${file}: ${read.error}`);
  return read.value;
}
