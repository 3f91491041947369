import { err, ok, type Result } from '@coinlab/core';
import { z } from 'zod';
import { sha256 } from '../hash/sha256.js';
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

/** Version of the form of manifests. */
const MANIFEST_VERSION = 1;

/** What came of one replicate, as hashes: equal ones mean equal bytes. */
export interface RunRecord {
  readonly replicate: number;
  readonly rounds: number;
  readonly updates: number;
  /** SHA-256 of the event log. */
  readonly logHash: string;
  readonly stateHash: string;
  /** SHA-256 of all that was measured: summary, series, histograms, UTXOs of each party, refusals. */
  readonly resultHash: string;
}

/** What a run read, besides the scenario itself. */
export interface Inputs {
  readonly files: FileHashes;
  /** SHA-256 of the file of policies; null: none. */
  readonly policies: string | null;
}

/** All that leads to a result once more, and what it was. */
export interface Manifest extends Code, Inputs {
  readonly manifest: number;
  readonly scenarioHash: string;
  /** With nothing left open, seed included. */
  readonly scenario: Scenario;
  /** Where the names of its files begin, from the manifest's own folder. */
  readonly folder: string;
  readonly runs: readonly RunRecord[];
  /** Version of Node; the result does not depend on it. `none` in a browser. */
  readonly node: string;
}

/** The manifest of replicates of a scenario. */
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

/** What came of a run. */
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
  manifest: z.literal(MANIFEST_VERSION),
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

/** Reads a manifest; what is wrong with it in words. */
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
    return err(`is no manifest: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return scenarioHash(parsed.data.scenario) === parsed.data.scenarioHash
    ? ok(parsed.data)
    : err('was changed: its scenario has another hash than it says');
}

/** Why a manifest is not expected to give the same result here, in words: another version, or other files. Empty: it is. */
export function obstaclesTo(manifest: Manifest, inputs: Inputs): readonly string[] {
  return [...differingCode(manifest), ...differingInputs(manifest, inputs)];
}

/** In what files, and policies, what was read then differs from what is read now, in words. Empty: in nothing. */
export function differingInputs(then: Inputs, now: Inputs): readonly string[] {
  return [
    ...differingFiles(then.files, now.files),
    ...(then.policies === now.policies
      ? []
      : [`policy file: recorded ${then.policies ?? 'none'}, found ${now.policies ?? 'none'}`]),
  ];
}

/** In what two runs of one replicate differ, in words. Empty: in nothing. */
export function differingRecords(recorded: RunRecord, found: RunRecord): readonly string[] {
  return (['rounds', 'updates', 'logHash', 'stateHash', 'resultHash'] as const).flatMap((what) =>
    recorded[what] === found[what] ? [] : [`${what}: recorded ${recorded[what]}, now ${found[what]}`],
  );
}
