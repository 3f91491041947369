import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseServerConfig } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/serve.md'), 'utf8');
const example = JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '') as Record<string, Record<string, unknown>>;

describe('the settings of the guide', () => {
  it('are good, and complete', () => {
    expect(parseServerConfig(example)).toEqual({ ok: true, value: example });
  });

  it('are what a server has when nothing is said, but for the three that are examples', () => {
    const { topUp: _, ...automation } = { ...example['automation'], sweeps: [], autoAccept: [] } as Record<
      string,
      unknown
    >;
    expect(parseServerConfig({})).toEqual({ ok: true, value: { ...example, automation } });
  });

  it.each([
    [{ clock: 0 }, 'clock'],
    [{ automation: { pollSeconds: 0 } }, 'automation.pollSeconds'],
    [{ automation: { sweeps: [{ sender: 'a' }] } }, 'automation.sweeps.0.receiver'],
    [{ auth: { algorithm: 'none' } }, 'auth.algorithm'],
    [{ amuletPrice: 'cheap' }, 'amuletPrice'],
  ])('are refused as %j, naming the field', (settings, field) => {
    const parsed = parseServerConfig(settings);
    expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.split(':')[0])).toContain(field);
  });
});
