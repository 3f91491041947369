import { Amount, rulesOf } from '@coinlab/core';
import { DEFAULT_PRESET, PRESET_NAMES, PRESETS } from '@coinlab/core/rules';
import { openRoundsOf } from '@coinlab/core/views';
import { createServer, parseServerConfig, type ServerConfigInput } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

async function opened(settings: ServerConfigInput): Promise<{ prices: object; profile: string; balance: string }> {
  const server = await createServer({ clock: 'manual', ...settings });
  const token = await server.token('ledger-api-user');
  const headers = { authorization: `Bearer ${token}` };
  await server.fetch('/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"1"}' });
  const balance = await (await server.fetch('/v0/wallet/balance', { headers })).json();
  const config = rulesOf(server.state)?.config;
  const capsOf = (cap: 'validatorFaucetCapUsd' | 'featuredAppRewardCap'): string =>
    [...new Set(config?.issuanceCurve.map(({ issuance }) => Amount.short(issuance[cap])))].join();
  const prices = {
    amuletPrice: Amount.short(openRoundsOf(server.state)[0]?.amuletPrice ?? Amount.zero),
    trafficPrice: config && Amount.short(config.traffic.extraTrafficPriceUsd),
    validatorFaucetCap: capsOf('validatorFaucetCapUsd'),
    featuredAppRewardCap: capsOf('featuredAppRewardCap'),
  };
  await server.close();
  return {
    prices,
    profile: server.config.profile,
    balance: (balance as { effective_unlocked_qty: string }).effective_unlocked_qty,
  };
}

describe('the setting preset', () => {
  it.each(PRESET_NAMES)('opens a ledger with the rules, prices and caps of %s', async (preset) => {
    const { profile, amuletPrice, trafficPrice, validatorFaucetCap, featuredAppRewardCap } = PRESETS[preset];
    const on = await opened({ preset });
    const short = (text: string): string => Amount.short(Amount.of(text));
    expect(on.profile).toBe(profile);
    expect(on.prices).toEqual({
      amuletPrice,
      trafficPrice: short(trafficPrice),
      validatorFaucetCap: short(validatorFaucetCap),
      featuredAppRewardCap: short(featuredAppRewardCap),
    });
    const coin = Amount.div(Amount.of('1'), Amount.of(amuletPrice));
    expect(Amount.of(on.balance)).toBe(coin);
  });

  it('is overridden by profile and amuletPrice', async () => {
    const on = await opened({ preset: '2026-06', profile: 'feeless-24h', amuletPrice: '0.5' });
    expect(on).toMatchObject({ profile: 'feeless-24h', prices: { amuletPrice: '0.5', trafficPrice: '60.0' } });
  });

  it('defaults to the latest documented month', async () => {
    expect(DEFAULT_PRESET).toBe(PRESET_NAMES.at(-1));
    expect(await opened({})).toEqual(await opened({ preset: DEFAULT_PRESET }));
  });

  it('with the value genesis has the prices of the example configurations', async () => {
    expect(await opened({ preset: 'genesis' })).toMatchObject({
      profile: 'feeless',
      prices: {
        amuletPrice: '0.005',
        trafficPrice: '16.67',
        validatorFaucetCap: '2.85',
        featuredAppRewardCap: '100.0',
      },
    });
  });

  it('caps a featured coupon worth 1 USD at 1.5 USD since 2026', () => {
    expect(PRESET_NAMES.map((name) => [name, PRESETS[name].featuredAppRewardCap])).toEqual([
      ['genesis', '100'],
      ['2025-02', '100'],
      ['2025-07', '100'],
      ['2026-04', '1.5'],
      ['2026-06', '1.5'],
    ]);
  });

  it('refuses an unknown month and lists the known ones', () => {
    const parsed = parseServerConfig({ preset: '2026-05' });
    expect(parsed).toEqual({
      ok: false,
      faults: [
        'preset: got "2026-05", expected "genesis", "2025-02", "2025-07", "2026-04", "2026-06"; the nearest is 2026-04',
      ],
    });
  });
});

describe('a preset', () => {
  it.each(PRESET_NAMES)('of %s names the source of each number', (name) => {
    const { sources } = PRESETS[name];
    expect(Object.keys(sources).sort()).toEqual([
      'amuletPrice',
      'featuredAppRewardCap',
      'trafficPrice',
      'validatorFaucetCap',
    ]);
    for (const source of Object.values(sources)) expect(source).toMatch(/^https:\/\//);
  });
});
