import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, parseServerConfig, type ServerConfigInput } from '@coinlab/http';
import { Duration } from '@coinlab/core';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const file = readFileSync(join(root, 'packages/http/examples/everything.json'), 'utf8');
const example = JSON.parse(file) as Record<string, Record<string, unknown>> & ServerConfigInput;

describe('the settings of examples/everything.json', () => {
  it('are valid and complete', () => {
    expect(parseServerConfig(example)).toEqual({ ok: true, value: example });
    const named = [...readFileSync(join(root, 'docs/reference/server-settings.md'), 'utf8').matchAll(/^- `([^`]+)`/gm)];
    // An example has one of the two kinds of authentication.
    const missing = named.filter(([, path = '']) => !has(example, path.split('.')) && path !== 'auth.jwksUrl');
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it('are shown in the guide', () => {
    const guide = readFileSync(join(root, 'docs/guides/serve.md'), 'utf8');
    expect(/```json\n(.*?)```/s.exec(guide)?.[1]).toBe(file);
  });

  it('start a server that sweeps and accepts offers', async () => {
    const server = await createServer({ ...example, dev: true, clock: 'manual', walletOffers: 'public' });
    await server.advance(Duration.minutes(2));
    const headers = { authorization: `Bearer ${await server.token('bob')}` };
    const balance = await (await server.app.request('/v0/wallet/balance', { headers })).json();
    expect(Number((balance as Record<string, string>)['effective_unlocked_qty'])).toBeGreaterThan(18_000);
    await server.close();
  });

  it('are the defaults, except for five example values', () => {
    const {
      topUp: _,
      acceptsMergeDelegations: __,
      ...automation
    } = { ...example['automation'], sweeps: [], autoAccept: [] } as Record<string, unknown>;
    const { startsAt: ___, ...settings } = example;
    expect(parseServerConfig({})).toEqual({ ok: true, value: { ...settings, automation } });
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

/** Checks that a path of the settings page exists; `[]` means the first entry. The entries of an empty list are not checked. */
function has(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (name === '') return true;
  const field = name.replace('[]', '');
  if (typeof value !== 'object' || value === null || !(field in value)) return false;
  const inner = (value as Readonly<Record<string, unknown>>)[field];
  if (!name.endsWith('[]')) return has(inner, rest);
  const [first] = inner as readonly unknown[];
  return first === undefined || has(first, rest);
}
