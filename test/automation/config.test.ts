import {
  DSO_DEFAULTS,
  formatAutomationConfig,
  MERGE_DEFAULTS,
  parseAutomationConfig,
  type AutomationConfig,
  type SweepConfig,
  type ValidatorAutomation,
} from '@coinlab/automation';
import { Duration } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, provider } from '../core/ledger-fixture.ts';
import { automated, sweepTo } from './automation-fixture.ts';

const validator = automated(provider, [provider, alice], {
  sweeps: { [alice]: sweepTo(bob, '100', '20') },
  walletOffers: 'locked',
  autoAccept: { [alice]: { fromParties: [bob], instructions: 'wallet' } },
});

const config: AutomationConfig = {
  dso: DSO_DEFAULTS,
  superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: alice, weight: 3 }] }],
  validators: [validator],
  mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS }],
};

describe('an automation configuration', () => {
  it('is equal after it is written as JSON and read back', () => {
    const json: unknown = JSON.parse(JSON.stringify(formatAutomationConfig(config)));
    expect(parseAutomationConfig(json)).toEqual({ ok: true, value: config });
  });

  it('is refused with the field of each faulty value', () => {
    const json = { ...(formatAutomationConfig(config) as object), dso: { couponBatch: 'many' } };
    const parsed = parseAutomationConfig(json);
    expect(parsed.ok ? [] : parsed.error.map(({ field }) => field)).toContain('dso.couponBatch');
  });

  it('is refused when a required field is missing', () => {
    for (const json of [{}, { ...(formatAutomationConfig(config) as object), validators: [{}] }])
      expect(parseAutomationConfig(json).ok).toBe(false);
  });

  it.each<[string, AutomationConfig]>([
    [
      'a DSO that does nothing and validators that buy nothing',
      {
        ...config,
        dso: null,
        validators: [{ ...validator, topUp: null }],
      },
    ],
    ['batches of one', { ...config, dso: { ...DSO_DEFAULTS, expiryBatch: 1, couponBatch: 1, markerBatch: 1 } }],
    [
      'a weight of one',
      { ...config, superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: alice, weight: 1 }] }] },
    ],
    [
      'a top-up of nothing, looked for as often as it buys',
      {
        ...config,
        validators: [
          {
            ...validator,
            topUp: {
              targetThroughput: 0,
              minTopupInterval: Duration.ofMicros(1n),
              pollingInterval: Duration.ofMicros(1n),
              tap: 'never',
            },
          },
        ],
      },
    ],
    [
      'a sweep of everything',
      { ...config, validators: [{ ...validator, sweeps: { [alice]: sweepTo(bob, '100', '0') } }] },
    ],
    [
      'a sweep to one balance',
      { ...config, validators: [{ ...validator, sweeps: { [alice]: sweepTo(bob, '100', '100') } }] },
    ],
    [
      'merges as soon and as small as can be',
      {
        ...config,
        mergeOperators: [
          { operator: provider, ...MERGE_DEFAULTS, mergeAbove: 1, holdingsPerCall: 2, callsPerBatch: 1 },
        ],
      },
    ],
  ])('is accepted with %s', (_, fits) => {
    expect(parseAutomationConfig(formatAutomationConfig(fits))).toEqual({ ok: true, value: fits });
  });

  const topUp = { ...validator.topUp, minTopupInterval: Duration.seconds(29) } as ValidatorAutomation['topUp'];
  const poor = { ...validator.sweeps[alice], minBalanceUSD: amount('100.1') } as SweepConfig;

  it.each<[string, AutomationConfig, string]>([
    [
      'a top-up that looks less often than it may buy',
      { ...config, validators: [{ ...validator, topUp }] },
      'validators[0].topUp.minTopupInterval',
    ],
    [
      'a sweep that leaves more than it allows',
      { ...config, validators: [{ ...validator, sweeps: { [alice]: poor } }] },
      `validators[0].sweeps.${alice}.minBalanceUSD`,
    ],
    [
      'a key that is no party',
      {
        ...config,
        validators: [{ ...validator, autoAccept: { ['x' as never]: validator.autoAccept[alice] } as never }],
      },
      'validators[0].autoAccept',
    ],
    ...(['expiryBatch', 'couponBatch', 'markerBatch'] as const).map((name): [string, AutomationConfig, string] => [
      `no ${name}`,
      { ...config, dso: { ...DSO_DEFAULTS, [name]: 0 } },
      `dso.${name}`,
    ]),
    ...(['targetThroughput', 'pollingInterval'] as const).map((name): [string, AutomationConfig, string] => {
      const wrong = { ...validator.topUp, [name]: name === 'pollingInterval' ? Duration.ofMicros(0n) : -1 };
      const validators = [{ ...validator, topUp: wrong as ValidatorAutomation['topUp'] }];
      return [`a wrong ${name}`, { ...config, validators }, `validators[0].topUp.${name}`];
    }),
    [
      'a sweep that leaves less than nothing',
      { ...config, validators: [{ ...validator, sweeps: { [alice]: sweepTo(bob, '1', '-0.1') } }] },
      `validators[0].sweeps.${alice}.minBalanceUSD`,
    ],
    ...(['mergeAbove', 'callsPerBatch'] as const).map((name): [string, AutomationConfig, string] => [
      `no ${name}`,
      { ...config, mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS, [name]: 0 }] },
      `mergeOperators[0].${name}`,
    ]),
    ['an empty batch', { ...config, dso: { ...DSO_DEFAULTS, expiryBatch: 0 } }, 'dso.expiryBatch'],
    [
      'a beneficiary of nothing',
      { ...config, superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: alice, weight: 0 }] }] },
      'superValidators[0].beneficiaries[0].weight',
    ],
    [
      'a merge of one holding',
      { ...config, mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS, holdingsPerCall: 1 }] },
      'mergeOperators[0].holdingsPerCall',
    ],
  ])('is refused with %s', (_, wrong, field) => {
    const parsed = parseAutomationConfig(formatAutomationConfig(wrong));
    expect(parsed.ok ? [] : parsed.error.map((fault) => fault.field)).toEqual([field]);
  });
});
