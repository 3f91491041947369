import { setImmediate } from 'node:timers/promises';
import {
  checkpointLines,
  differingInputs,
  readCheckpoint,
  ResumableHash,
  Run,
  scenarioHash,
  type RunResult,
  type SavedRun,
} from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { readCheckpointFile, refuseOtherLog, stoppably, writeCheckpoint } from '../checkpoint.js';
import { BadInput, Stopped } from '../exit-code.js';
import { lateProgressOf } from '../progress.js';
import type { Subject } from '../subject.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface Stoppable {
  readonly file: string;
  readonly checkpoint: string;
  readonly resume: string | undefined;
  readonly logFile: string | undefined;
  readonly every: number;
  readonly isQuiet: boolean;
}

export async function runStoppably(subject: Subject, options: Stoppable, terminal: Terminal): Promise<RunResult> {
  const { checkpoint, resume, logFile, every, isQuiet } = options;
  const saved = resume === undefined ? null : savedRun(resume, subject);
  const hash = await ResumableHash.create();
  if (saved) hash.restore(saved.hash);
  const kept = saved?.checkpoint.log.bytes ?? 0;
  if (logFile !== undefined && saved) await refuseOtherLog(`${logFile}.part`, kept, saved.hash);
  const log = logFile === undefined ? null : new PendingFile(logFile, kept);
  const { scenario, files, policies, inputs } = subject;
  const progress = lateProgressOf(scenario.name, terminal.isInteractive && !isQuiet, 'rounds');
  const run = new Run(scenario, {
    replicate: saved?.replicate ?? 0,
    files,
    policies,
    hash,
    ...(saved && { resume: saved.checkpoint }),
    ...(log && { log: (segment: Uint8Array) => log.write(segment) }),
    onProgress: progress.update,
  });
  const keep = (): void => {
    // Sync the log first: a checkpoint must not cover more of the log than the disk has.
    const current = run.checkpoint();
    log?.sync();
    const { replicate } = run;
    writeCheckpoint(
      checkpoint,
      checkpointLines({ scenario, replicate, ...inputs, hash: hash.save(), checkpoint: current }),
    );
  };
  try {
    return await stoppably(checkpoint, log, async (signal) => {
      while (!run.isOver && !signal.aborted) {
        run.playRound();
        if (!run.isOver && run.round % every === 0) keep();
        // Let pending signals be handled between rounds.
        await setImmediate();
      }
      if (run.isOver) return run.result();
      keep();
      throw new Stopped(`stopped after ${grouped(run.round)} rounds; resume with: ${command(options)}`);
    });
  } finally {
    progress.end();
  }
}

function savedRun(file: string, { scenario, inputs }: Subject): SavedRun {
  const read = readCheckpoint(readCheckpointFile(file));
  if (!read.ok) throw new BadInput(`${file}: ${read.error}`);
  if (scenarioHash(read.value.scenario) !== scenarioHash(scenario))
    throw new BadInput(
      `${file}: belongs to another scenario, ${read.value.scenario.name}, or to an earlier version of this one`,
    );
  const [differing] = differingInputs(read.value, inputs);
  if (differing) throw new BadInput(`${file}: ${differing}`);
  return read.value;
}

function command({ file, checkpoint, logFile }: Stoppable): string {
  return `coinlab run ${file} --resume ${checkpoint}${logFile === undefined ? '' : ` --log ${logFile}`}`;
}
