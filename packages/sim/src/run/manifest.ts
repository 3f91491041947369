import { err, ok, type Result } from '@coinlab/core';
import { z } from 'zod';
import { LOG_VERSION } from '@coinlab/core/codec';
import { newSha256, sha256 } from '../hash/sha256.js';
import { logLines } from '../log/event-log.js';
import type { Scenario } from '../scenario/scenario.js';
import {
  canonicalJson,
  CODE,
  differingCode,
  differingFiles,
  scenarioHash,
  type Code,
  type FileHashes,
} from './identity.js';
import type { RunResult } from './run.js';
import { savedLine, type Saved } from '../saved.js';

const MANIFEST_VERSION = 2;
const OF_LINES = 1;

/** The result of one replicate as hashes; equal hashes mean equal bytes. */
export interface RunRecord {
  readonly replicate: number;
  readonly rounds: number;
  readonly updates: number;
  readonly logHash: string;
  readonly stateHash: string;
  /** SHA-256 of all metrics: summary, series, histograms, UTXOs of each party, refusals. */
  readonly resultHash: string;
}

/** Hashes of a run's input files, apart from the scenario. */
export interface Inputs {
  readonly files: FileHashes;
  /** SHA-256 of the policy file; null without one. */
  readonly policies: string | null;
}

/** Everything needed to reproduce a result, with the hashes of the result. */
export interface Manifest extends Code, Inputs {
  readonly manifest: number;
  readonly scenarioHash: string;
  /** The scenario with all default values filled in, including the seed. */
  readonly scenario: Scenario;
  /** Base of the scenario's file names, relative to the manifest's folder. */
  readonly folder: string;
  readonly runs: readonly RunRecord[];
  /** Version of Node, or `none` in a browser; results do not depend on it. */
  readonly node: string;
}

/** Returns the manifest of a scenario's replicates. */
export function manifestOf(scenario: Scenario, inputs: Inputs, folder: string, runs: readonly RunRecord[]): Manifest {
  return {
    manifest: MANIFEST_VERSION,
    ...CODE,
    scenarioHash: scenarioHash(scenario),
    scenario,
    folder,
    ...inputs,
    runs,
    node: globalThis.process?.version ?? 'none',
  };
}

/** Returns the hashes of a run's result. */
export function recordOf({ replicate, rounds, log, stateHash, ...found }: RunResult): RunRecord {
  const { summary, series, histograms, utxos, refused } = found;
  const told: Saved = {
    summary: Object.fromEntries(summary),
    series: series.rows,
    histograms: [...histograms].map(([name, { counts }]) => [name, counts]),
    utxos: [...utxos],
    refused: Object.fromEntries(refused),
  };
  return {
    replicate,
    rounds,
    updates: log.updates,
    logHash: log.hash,
    stateHash,
    resultHash: sha256(canonicalJson(JSON.parse(savedLine(told)))),
  };
}

const whole = z.number().int().min(0);
const shape = z.object({
  manifest: z.union([z.literal(OF_LINES), z.literal(MANIFEST_VERSION)]),
  version: z.string(),
  logVersion: whole,
  stateVersion: whole,
  scenarioHash: z.string(),
  scenario: z.custom<Scenario>((value) => typeof value === 'object' && value !== null),
  folder: z.string(),
  files: z.record(z.string(), z.string()),
  policies: z.string().nullable(),
  runs: z
    .array(
      z.object({
        replicate: whole,
        rounds: whole,
        updates: whole,
        logHash: z.string(),
        stateHash: z.string(),
        resultHash: z.string(),
      }),
    )
    .min(1),
  node: z.string(),
});

/** Parses a manifest, or returns the fault in words. */
export function parseManifest(text: string): Result<Manifest, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err('is not JSON');
  }
  const parsed = shape.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return err(`is not a manifest: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return scenarioHash(parsed.data.scenario) === parsed.data.scenarioHash
    ? ok(parsed.data)
    : err('was changed: the hash of its scenario does not match');
}

/**
 * Returns the reasons why a manifest may not reproduce here, in words: another version or other files. Empty when there are none.
 */
export function obstaclesTo(manifest: Manifest, inputs: Inputs): readonly string[] {
  const code = hashesLines(manifest) ? { ...CODE, logVersion: LOG_VERSION } : CODE;
  return [...differingCode(manifest, code), ...differingInputs(manifest, inputs)];
}

/** Returns whether the log hashes of a manifest are those of JSON lines; {@link lineHash} gives them. */
export function hashesLines({ manifest }: Manifest): boolean {
  return manifest === OF_LINES;
}

/** Returns the SHA-256 of a log as JSON lines. */
export function lineHash(segments: Iterable<Uint8Array>): string {
  const hash = newSha256();
  const encoder = new TextEncoder();
  for (const line of logLines(segments)) hash.update(encoder.encode(`${line}\n`));
  return hash.digest('hex');
}

/** Returns the differences between two runs' input files, in words; empty when equal. */
export function differingInputs(then: Inputs, now: Inputs): readonly string[] {
  return [
    ...differingFiles(then.files, now.files),
    ...(then.policies === now.policies
      ? []
      : [`policy file: recorded ${then.policies ?? 'none'}, found ${now.policies ?? 'none'}`]),
  ];
}

/** Returns the differences between two runs of one replicate, in words; empty when equal. */
export function differingRecords(recorded: RunRecord, found: RunRecord): readonly string[] {
  return (['rounds', 'updates', 'logHash', 'stateHash', 'resultHash'] as const).flatMap((what) =>
    recorded[what] === found[what] ? [] : [`${what}: recorded ${recorded[what]}, now ${found[what]}`],
  );
}
