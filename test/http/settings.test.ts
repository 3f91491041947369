import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, parseServerConfig, type ServerConfigInput } from '@coinlab/http';
import { Duration } from '@coinlab/core';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const file = readFileSync(join(root, 'packages/http/examples/everything.json'), 'utf8');
const example = JSON.parse(file) as Record<string, Record<string, unknown>> & ServerConfigInput;

describe('the settings of the example with everything', () => {
  it('are good, and complete', () => {
    expect(parseServerConfig(example)).toEqual({ ok: true, value: example });
    const named = [
      ...readFileSync(join(root, 'docs/reference/server-settings.md'), 'utf8').matchAll(/^\| `([^`]+)`/gm),
    ];
    // Of the two ways to tell who calls an example has one.
    const missing = named.filter(([, path = '']) => !has(example, path.split('.')) && path !== 'auth.jwksUrl');
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it('are shown in the guide', () => {
    const guide = readFileSync(join(root, 'docs/guides/serve.md'), 'utf8');
    expect(/```json\n(.*?)```/s.exec(guide)?.[1]).toBe(file);
  });

  it('are what a server starts with, sweeping and accepting', async () => {
    const server = await createServer({ ...example, dev: true, clock: 'manual', walletOffers: 'public' });
    await server.advance(Duration.minutes(2));
    const headers = { authorization: `Bearer ${await server.token('bob')}` };
    const balance = await (await server.app.request('/v0/wallet/balance', { headers })).json();
    expect(Number((balance as Record<string, string>)['effective_unlocked_qty'])).toBeGreaterThan(18_000);
    await server.close();
  });

  it('are what a server has when nothing is said, except the four that are examples', () => {
    const { topUp: _, ...automation } = { ...example['automation'], sweeps: [], autoAccept: [] } as Record<
      string,
      unknown
    >;
    const { startsAt: __, ...settings } = example;
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

/** Whether a path of the settings page leads somewhere; `[]` stands for the first entry. */
function has(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (name === '') return true;
  const field = name.replace('[]', '');
  if (typeof value !== 'object' || value === null || !(field in value)) return false;
  const inner = (value as Readonly<Record<string, unknown>>)[field];
  return has(name.endsWith('[]') ? (inner as readonly unknown[])[0] : inner, rest);
}
