import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { VERSION } from '@coinlab/sim';
import type { Sweep } from './sweep.js';

export function hashOf({ definition, base, points, files, policies }: Omit<Sweep, 'hash' | 'flags'>): string {
  const told = {
    version: VERSION,
    definition,
    scenario: base.scenario,
    value: base.value,
    points,
    files: [...files.values()].map(({ name, sha256 }) => [name, sha256]).sort(),
    policies: policies === null ? null : sha256(readFileSync(policies)),
  };
  return sha256(JSON.stringify(told));
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
