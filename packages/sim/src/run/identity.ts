import { LOG_VERSION, STATE_VERSION } from '@coinlab/core/codec';
import { sha256 } from '../hash/sha256.js';
import type { ScenarioFiles } from '../scenario/files.js';
import type { Scenario } from '../scenario/scenario.js';

/** Version of the packages; all of coinlab has the same. */
export const VERSION = '0.1.0';

/** The program that made a run: what it is called, and the versions of what it writes. Between releases these may stay while results change. */
export interface Code {
  readonly version: string;
  readonly logVersion: number;
  readonly stateVersion: number;
}

/** This program. */
export const CODE: Code = { version: VERSION, logVersion: LOG_VERSION, stateVersion: STATE_VERSION };

/** JSON with the fields of every object in order of their names: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** SHA-256 of a scenario with nothing left open: of the same one, however it was written. */
export function scenarioHash(scenario: Scenario): string {
  return sha256(canonicalJson(scenario));
}

/** Hashes of the files that a run reads, by the names that its scenario gives them. */
export type FileHashes = Readonly<Record<string, string>>;

/** The hashes of a scenario's files. */
export function fileHashes(files: ScenarioFiles): FileHashes {
  return Object.fromEntries([...files.values()].map(({ name, sha256: hash }) => [name, hash]));
}

/** In which files two runs differ, in words. */
export function differingFiles(recorded: FileHashes, found: FileHashes): readonly string[] {
  return [...new Set([...Object.keys(recorded), ...Object.keys(found)])].flatMap((name) =>
    recorded[name] === found[name]
      ? []
      : [`file ${name}: recorded ${recorded[name] ?? 'none'}, found ${found[name] ?? 'none'}`],
  );
}

/** In which versions two programs differ, in words. */
export function differingCode(recorded: Code, found: Code = CODE): readonly string[] {
  return (['version', 'logVersion', 'stateVersion'] as const).flatMap((part) =>
    recorded[part] === found[part] ? [] : [`${part}: recorded ${recorded[part]}, this is ${found[part]}`],
  );
}
