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

  it('are linked in the guide', () => {
    expect(readFileSync(join(root, 'docs/guides/serve.md'), 'utf8')).toContain(
      'packages/http/examples/everything.json)',
    );
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

  it.each<[object, string]>([
    [{ clock: 'fast' }, 'clock: got "fast", expected "real" or "manual" or number; the nearest is real'],
    [{ clock: -1 }, 'clock: got -1, expected number to be >0'],
    [{ clok: 'real' }, 'clok: got "clok", expected a known field; the nearest is clock'],
    [{ dev: 'yes' }, 'dev: got "yes", expected boolean'],
    [
      { preset: '2026-05' },
      'preset: got "2026-05", expected "genesis", "2025-02", "2025-07", "2026-04", "2026-06"; the nearest is 2026-04',
    ],
    [{ amuletPrice: 'cheap' }, 'amuletPrice: got "cheap", expected a decimal text with at most ten places'],
    [{ amuletPrice: 0.5 }, 'amuletPrice: got 0.5, expected string'],
    [{ automation: [] }, 'automation: got a list, expected object'],
    [{ automation: { topUp: { throughput: 1 } } }, 'automation.topUp.targetThroughput: missing, expected number'],
    [
      { automation: { sweeps: [{ sendr: 'a' }] } },
      'automation.sweeps.0.sendr: got "sendr", expected a known field; the nearest is sender',
    ],
    [{ auth: { algorithm: 'none' } }, 'auth.algorithm: got "none", expected hs-256-unsafe or rs-256'],
    [{ auth: { algorithm: 'hs-256-unsafe', secret: 7 } }, 'auth.secret: expected string'],
    [{ auth: { algorithm: 'rs-256', jwksUrl: 'keys' } }, 'auth.jwksUrl: got "keys", expected a valid URL'],
    [{ limits: { bodyBytes: 1.5 } }, 'limits.bodyBytes: got 1.5, expected int'],
    [{ startsAt: 'today' }, 'startsAt: got "today", expected a UTC time such as 2026-01-01T00:00:00Z'],
    [
      { validators: [{ name: 'A' }] },
      'validators.0.name: got "A", expected a name of lower-case letters, digits and dashes, such as app-user',
    ],
  ])('are refused with the value %j, and the error names value and expectation', (settings, fault) => {
    const parsed = parseServerConfig(settings);
    expect(parsed.ok ? [] : parsed.faults).toContain(fault);
  });

  it.each([
    [{ clock: 0 }, 'clock'],
    [{ automation: { pollSeconds: 0 } }, 'automation.pollSeconds'],
    [{ automation: { sweeps: [{ sender: 'a' }] } }, 'automation.sweeps.0.receiver'],
    [{ auth: { algorithm: 'none' } }, 'auth.algorithm'],
    [{ amuletPrice: 'cheap' }, 'amuletPrice'],
  ])('are refused with the value %j, and the error names the field', (settings, field) => {
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
