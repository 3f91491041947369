import { settingVariables, withEnvironment } from 'coinlab';
import { parseServerConfig, serverConfigSchema } from '@coinlab/http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { coinlab } from './coinlab.ts';

afterEach(() => vi.unstubAllEnvs());

describe('settings from environment variables', () => {
  it('have a variable for every setting of the schema', () => {
    const names = [...settingVariables().keys()];
    const tops = Object.keys(serverConfigSchema.shape).map((name) => snake(name));
    expect(tops.filter((top) => !names.some((name) => name === top || name.startsWith(`${top}_`)))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['COINLAB_LIMITS_BODY_BYTES', 'COINLAB_AUTH_JWKS_URL']));
    expect(new Set(names).size).toBe(names.length);
  });

  it('are read by the type of the setting', () => {
    const settings = withEnvironment(
      {},
      {
        COINLAB_PORT: '0',
        COINLAB_DEV: 'true',
        COINLAB_CLOCK: '60',
        COINLAB_AUTH_SECRET: '1234',
        COINLAB_AUTH_ALGORITHM: 'hs-256-unsafe',
        COINLAB_LIMITS_LIST_ELEMENTS: '1000',
        COINLAB_AUTOMATION_TOP_UP_TARGET_THROUGHPUT: '5',
        COINLAB_VALIDATORS: '[{"name":"one"},{"name":"two"}]',
        COINLAB_CORS_ORIGINS: 'https://a.example, https://b.example',
        PATH: '/usr/bin',
      },
    );
    expect(settings).toEqual({
      port: 0,
      dev: true,
      clock: 60,
      auth: { secret: '1234', algorithm: 'hs-256-unsafe' },
      limits: { listElements: 1000 },
      automation: { topUp: { targetThroughput: 5 } },
      validators: [{ name: 'one' }, { name: 'two' }],
      corsOrigins: ['https://a.example', 'https://b.example'],
    });
    expect(parseServerConfig(settings)).toMatchObject({ ok: true });
    expect(withEnvironment({}, { COINLAB_CLOCK: 'manual' })).toEqual({ clock: 'manual' });
  });

  it('override the file, keep its other fields, and add items to its lists', () => {
    const file = { port: 1, limits: { bodyBytes: 10, listElements: 5 }, allowedHosts: ['ledger'] };
    const environment = { COINLAB_LIMITS_BODY_BYTES: '20', COINLAB_ALLOWED_HOSTS: 'x,y', COINLAB_PORT: '' };
    expect(withEnvironment(file, environment)).toEqual({
      port: 1,
      limits: { bodyBytes: 20, listElements: 5 },
      allowedHosts: ['ledger', 'x', 'y'],
    });
    expect(file.limits.bodyBytes).toBe(10);
  });

  it.each([
    ['COINLAB_CLOK', 'manual', 'COINLAB_CLOK: no such variable; the nearest is COINLAB_CLOCK'],
    ['COINLAB_DEV', 'ja', "COINLAB_DEV: got 'ja', expected true or false"],
    ['COINLAB_PORT', '80a', "COINLAB_PORT: got '80a', expected a number"],
    ['COINLAB_VALIDATORS', 'x', "COINLAB_VALIDATORS: got 'x', expected JSON, such as the value in a file of --config"],
    ['COINLAB_LOCALNET', 'x', "COINLAB_LOCALNET: got 'x', expected true or false"],
    ['COINLAB_LIMITS_BODY_BYTES', '-4', 'coinlab: bad settings: limits.bodyBytes: '],
  ])('with an unknown name or an unreadable value are refused by name: %s=%s', async (name, text, message) => {
    vi.stubEnv(name, text);
    const { code, out, err } = await coinlab('serve');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

function snake(name: string): string {
  return `COINLAB_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
