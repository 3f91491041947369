import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { hashOf } from './identity.js';
import type { Sweep } from './sweep.js';

interface Packed {
  readonly sweep: Sweep;
  readonly policies: { readonly name: string; readonly text: string } | null;
}

/** Packs a sweep with the files that it needs, for a worker on another machine. */
export function packSweep(sweep: Sweep): Uint8Array {
  const { policies: file } = sweep;
  const policies = file === null ? null : { name: basename(file), text: readFileSync(file, 'utf8') };
  const packed: Packed = { sweep: { ...sweep, policies: null }, policies };
  // Structured clone instead of JSON: traces are typed arrays and maps.
  return serialize(packed);
}

/**
 * Restores a sweep and writes its policy file to a new folder, which the caller removes. Throws an Error when the content differs from
 * the hash.
 * @param parent folder for the new one: the policy file finds packages from there
 */
export function unpackSweep(
  bytes: Uint8Array,
  hash: string,
  parent: string = tmpdir(),
): { readonly sweep: Sweep; readonly folder: string | null } {
  // Cast: the hash below proves that `packSweep` wrote these bytes.
  const { sweep: found, policies } = deserialize(bytes) as Packed;
  let folder: string | null = null;
  let sweep = found;
  if (policies) {
    folder = mkdtempSync(join(parent, '.coinlab-policies-'));
    const file = join(folder, basename(policies.name));
    writeFileSync(file, policies.text);
    sweep = { ...found, policies: file };
  }
  if (sweep.hash !== hash || hashOf(sweep) !== hash)
    throw new Error(`the plan differs from its hash ${hash.slice(0, 12)}: it was changed, or another version wrote it`);
  return { sweep, folder };
}
