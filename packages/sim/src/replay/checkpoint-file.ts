import { err, ok, type Result } from '@coinlab/core';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import { z } from 'zod';
import type { SavedLog } from '../log/event-log.js';
import { jsonOrNull } from '../run/checkpoint-file.js';
import { CODE, differingCode } from '../run/identity.js';
import { isSealed, sealedLines } from '../run/sealed-lines.js';
import { readSaved, savedLine, type Saved } from '../saved.js';
import type { ReplayPoint } from './session.js';

const REPLAY_CHECKPOINT_VERSION = 1;

/** A point of a replay with the identity of its input and settings. */
export interface SavedReplay {
  /** SHA-256 of each input by its role, and the settings as texts. */
  readonly identity: Readonly<Record<string, string>>;
  /** State of the log's hash; see `ResumableHash`. */
  readonly hash: string;
  readonly point: ReplayPoint;
}

const count = z.number().int().min(0);
const headShape = z.object({
  replay: z.literal(REPLAY_CHECKPOINT_VERSION),
  version: z.string(),
  logVersion: count,
  stateVersion: count,
  identity: z.record(z.string(), z.string()),
  rows: count,
  log: z.object({ updates: count, bytes: count }).nullable(),
  hash: z.string(),
});

/** Yields a checkpoint as lines of JSON. Lines are generated lazily, so the replay must not advance meanwhile. */
export function replayCheckpointLines({ identity, hash, point }: SavedReplay): Generator<string, void, undefined> {
  const { rows, log, position, metrics, state } = point;
  return sealedLines(lines());

  function* lines(): Generator<string> {
    yield JSON.stringify({
      replay: REPLAY_CHECKPOINT_VERSION,
      ...CODE,
      identity,
      rows,
      log: log && { updates: log.updates, bytes: log.bytes },
      hash,
    } satisfies z.input<typeof headShape>);
    yield savedLine(log?.position ?? null);
    yield savedLine(position);
    yield savedLine(metrics);
    yield* stateLines(state);
  }
}

/**
 * Reads the text of {@link replayCheckpointLines}, or returns the fault in words. Refuses other versions, another input and other
 * settings, because the replay would continue differently.
 */
export function readReplayCheckpoint(text: string, identity: SavedReplay['identity']): Result<SavedReplay, string> {
  const lines = text.trimEnd().split('\n');
  const [first = '', log = '', position = '', metrics = ''] = lines;
  const head = headShape.safeParse(jsonOrNull(first));
  if (!head.success) return err('is not a checkpoint of a replay of this version of coinlab');
  if (!isSealed(lines)) return err('is damaged: its hash does not match');
  const [other] = differingCode(head.data);
  if (other) return err(`was written by another version: ${other}`);
  const recorded = head.data.identity;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(identity)]))
    if (recorded[name] !== identity[name])
      return err(
        `belongs to another replay: ${name}: recorded ${recorded[name] ?? 'none'}, given ${identity[name] ?? 'none'}`,
      );
  const state = readStateLines(lines.slice(4, -1));
  if (!state.ok) return err(`line ${state.error.line + 4}: ${state.error.reason}`);
  const { rows, hash, log: size } = head.data;
  return ok({
    identity,
    hash,
    point: {
      rows,
      // Written by `replayCheckpointLines`; the hash above proves it.
      log: size && { ...size, position: readSaved(log) as SavedLog['position'] },
      position: readSaved(position),
      metrics: readSaved(metrics),
      state: state.value,
    },
  });
}

/** Returns settings as texts by name, for {@link SavedReplay.identity}. */
export function settingsIdentity(settings: Readonly<Record<string, Saved>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, savedLine(value)]));
}
