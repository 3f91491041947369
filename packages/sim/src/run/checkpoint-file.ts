import { err, ok, type Result } from '@coinlab/core';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import { z } from 'zod';
import type { Scenario } from '../scenario/scenario.js';
import { CODE, differingCode, scenarioHash } from './identity.js';
import type { Inputs } from './manifest.js';
import type { SavedLog } from '../log/event-log.js';
import type { Checkpoint } from './run.js';
import { readSaved, savedLine } from '../saved.js';
import { isSealed, sealedLines } from './sealed-lines.js';

const CHECKPOINT_VERSION = 4;

/** A checkpoint with its scenario and inputs. Enough to continue a run, unless the scenario names files. */
export interface SavedRun extends Inputs {
  readonly scenario: Scenario;
  readonly replicate: number;
  /** State of the log's hash; see `ResumableHash`. */
  readonly hash: string;
  readonly checkpoint: Checkpoint;
}

const count = z.number().int().min(0);
const headShape = z.object({
  checkpoint: z.literal(CHECKPOINT_VERSION),
  version: z.string(),
  logVersion: count,
  stateVersion: count,
  scenarioHash: z.string(),
  scenario: z.custom<Scenario>((value) => typeof value === 'object' && value !== null),
  replicate: count,
  files: z.record(z.string(), z.string()),
  policies: z.string().nullable(),
  round: count,
  log: z.object({ updates: count, bytes: count, hash: z.string() }),
});

/**
 * Yields a checkpoint as lines of JSON: header, log, world, metrics, ledger state, and the SHA-256 of all lines before. Lines are
 * generated lazily, so the run must not advance meanwhile.
 */
export function checkpointLines({
  scenario,
  replicate,
  files,
  policies,
  hash,
  checkpoint,
}: SavedRun): Generator<string, void, undefined> {
  const { round, log, world, metrics, state } = checkpoint;
  return sealedLines(lines());

  function* lines(): Generator<string> {
    yield JSON.stringify({
      checkpoint: CHECKPOINT_VERSION,
      ...CODE,
      scenarioHash: scenarioHash(scenario),
      scenario,
      replicate,
      files,
      policies,
      round,
      log: { updates: log.updates, bytes: log.bytes, hash },
    } satisfies z.input<typeof headShape>);
    yield savedLine(log.position);
    yield savedLine(world);
    yield savedLine(metrics);
    yield* stateLines(state);
  }
}

/**
 * Reads the text of {@link checkpointLines}, or returns the fault in words. Refuses other versions, because they may continue
 * differently.
 */
export function readCheckpoint(text: string): Result<SavedRun, string> {
  const lines = text.trimEnd().split('\n');
  const [first = '', position = '', world = '', metrics = ''] = lines;
  const head = headShape.safeParse(jsonOrNull(first));
  if (!head.success) return err('is not a checkpoint of this version of coinlab');
  if (!isSealed(lines)) return err('is damaged: its hash does not match');
  const { scenario, replicate, files, policies, round, log } = head.data;
  const [other] = differingCode(head.data);
  if (other) return err(`was written by another version: ${other}`);
  if (scenarioHash(scenario) !== head.data.scenarioHash)
    return err('is damaged: the hash of its scenario does not match');
  const state = readStateLines(lines.slice(4, -1));
  if (!state.ok) return err(`line ${state.error.line + 4}: ${state.error.reason}`);
  const { updates, bytes, hash } = log;
  return ok({
    scenario,
    replicate,
    files,
    policies,
    hash,
    checkpoint: {
      round,
      // Written by `checkpointLines`; the hash above proves it.
      log: { updates, bytes, position: readSaved(position) as SavedLog['position'] },
      world: readSaved(world),
      metrics: readSaved(metrics),
      state: state.value,
    },
  });
}

export function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
