import {
  DSO_DEFAULTS,
  Duration,
  formatAutomationConfig,
  MERGE_DEFAULTS,
  parseAutomationConfig,
  PREAPPROVAL_DEFAULTS,
  type AutomationConfig,
  type SweepConfig,
  type ValidatorAutomation,
} from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, provider } from '../ledger-fixture.ts';

const validator: ValidatorAutomation = {
  validator: provider,
  memberId: 'PAR::provider',
  wallets: [provider, alice],
  recordsLiveness: true,
  collectsRewards: true,
  completesOffers: true,
  mintsByDelegation: true,
  sendsTransferCommands: true,
  renewsNames: true,
  topUp: {
    targetThroughput: 100,
    minTopupInterval: Duration.minutes(10),
    pollingInterval: Duration.seconds(30),
    tap: 'when-lacking',
  },
  preapprovals: PREAPPROVAL_DEFAULTS,
  sweeps: {
    [alice]: {
      receiver: bob,
      maxBalanceUSD: amount('100'),
      minBalanceUSD: amount('20'),
      useTransferPreapproval: false,
    },
  },
  walletOffers: 'locked',
  autoAccept: { [alice]: { fromParties: [bob], instructions: 'wallet' } },
  clockSkewGrace: Duration.seconds(5),
};

const config: AutomationConfig = {
  dso: DSO_DEFAULTS,
  superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: alice, weight: 3 }] }],
  validators: [validator],
  mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS }],
};

describe('a configuration of automation', () => {
  it('is read as it was written', () => {
    const json: unknown = JSON.parse(JSON.stringify(formatAutomationConfig(config)));
    expect(parseAutomationConfig(json)).toEqual({ ok: true, value: config });
  });

  it('names what does not fit', () => {
    const json = { ...(formatAutomationConfig(config) as object), dso: { couponBatch: 'many' } };
    const parsed = parseAutomationConfig(json);
    expect(parsed.ok ? [] : parsed.error.map(({ field }) => field)).toContain('dso.couponBatch');
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
