import { mergeDelegatedHoldings, sweep } from '@coinlab/automation';
import {
  AUTOMATION,
  checkAutomation,
  ledgerSystem,
  LedgerCheckFailure,
  parseReplayToken,
  replayToken,
  type AutomationPolicies,
} from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';

const ours: AutomationPolicies = { sweep, mergeDelegatedHoldings };

async function failureOf(policies: AutomationPolicies): Promise<LedgerCheckFailure> {
  try {
    await checkAutomation({ policies, seed });
  } catch (error) {
    if (error instanceof LedgerCheckFailure) return error;
    throw error;
  }
  throw new Error('nothing was found');
}

describe('checkAutomation', () => {
  it('passes with the policies of the core, which act at least once', async () => {
    const report = await checkAutomation({ runs: runs(150), seed });
    expect(report.acted).toBeGreaterThan(report.runs);
  });

  it('finds a merge policy that waits for one coin more than its limit', async () => {
    const late: AutomationPolicies['mergeDelegatedHoldings'] = (operator, config) =>
      mergeDelegatedHoldings(operator, { ...config, mergeAbove: config.mergeAbove + 1 });
    const { finding } = await failureOf({ ...ours, mergeDelegatedHoldings: late });
    expect(finding).toMatchObject({ by: 'automation', invariant: 50 });
  });

  it('finds a sweep that leaves less than the minimum balance', async () => {
    const greedy: AutomationPolicies['sweep'] = (sender, config, form) =>
      sweep(sender, { ...config, minBalanceUSD: 0n as typeof config.minBalanceUSD }, form);
    const { finding } = await failureOf({ ...ours, sweep: greedy });
    expect(finding).toMatchObject({ by: 'automation', invariant: 53 });
  });

  it('finds a policy that decides differently for the same state', async () => {
    let asked = 0;
    const moody: AutomationPolicies['sweep'] = (sender, config, form) => (state, now) =>
      asked++ % 2 === 0 ? sweep(sender, config, form)(state, now) : [];
    const { finding } = await failureOf({ ...ours, sweep: moody });
    expect(finding.by).toBe('automation');
  });

  it('reports a token that repeats the situation, in which the policies of the core pass', async () => {
    const lazy: AutomationPolicies['sweep'] = () => () => [];
    const { story, token } = await failureOf({ ...ours, sweep: lazy });
    const read = parseReplayToken(token);
    if (!read.ok) throw new Error('the token cannot be read');
    expect(read.value.system).toBe(AUTOMATION);
    const replayed = await replayToken(read.value, { system: ledgerSystem() });
    expect(replayed.finding).toBeNull();
    expect(replayed.steps.slice(0, story.steps.length)).toEqual(story.steps);
  });
});
