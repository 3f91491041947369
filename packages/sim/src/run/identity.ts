import { COMPACT_VERSION, STATE_VERSION } from '@coinlab/core/codec';
import { sha256 } from '../hash/sha256.js';
import type { ScenarioFiles } from '../scenario/files.js';
import type { Scenario } from '../scenario/scenario.js';

/** Version of all coinlab packages. */
export const VERSION = '0.1.0';

/** The versions of a program and of the formats it writes. Between releases they may stay the same although results change. */
export interface Code {
  readonly version: string;
  /** Version of the compact log; in manifests of version 1, of the JSON lines. */
  readonly logVersion: number;
  readonly stateVersion: number;
}

/** The versions of this program. */
export const CODE: Code = { version: VERSION, logVersion: COMPACT_VERSION, stateVersion: STATE_VERSION };

/** Returns JSON with sorted keys, so equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Returns the SHA-256 of a completed scenario; independent of the notation in its file. */
export function scenarioHash(scenario: Scenario): string {
  return sha256(canonicalJson(scenario));
}

/** SHA-256 of the files a run reads, by their names in the scenario. */
export type FileHashes = Readonly<Record<string, string>>;

/** Returns the hashes of a scenario's files. */
export function fileHashes(files: ScenarioFiles): FileHashes {
  return Object.fromEntries([...files.values()].map(({ name, sha256: hash }) => [name, hash]));
}

export function differingFiles(recorded: FileHashes, found: FileHashes): readonly string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(found)])].flatMap((name) =>
    recorded[name] === found[name]
      ? []
      : [`file ${name}: recorded ${recorded[name] ?? 'none'}, found ${found[name] ?? 'none'}`],
  );
}

/** Returns the differences between two programs' versions, in words; empty when equal. */
export function differingCode(recorded: Code, found: Code = CODE): readonly string[] {
  return (['version', 'logVersion', 'stateVersion'] as const).flatMap((part) =>
    recorded[part] === found[part] ? [] : [`${part}: recorded ${recorded[part]}, this is ${found[part]}`],
  );
}
