import { COMMAND_TYPES, LAWS, REJECTION_CODES } from '@coinlab/core';
import { createTestLedger, LedgerCoverage } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const { alice, bob } = createTestLedger().parties;

describe('the coverage of tests', () => {
  it('tells which commands, refusals and laws were covered, over several ledgers and their copies', () => {
    const coverage = new LedgerCoverage();
    const world = createTestLedger({ coverage });
    world.as(alice).pay(bob, '1');
    world.copy().as(bob).merge();
    const other = createTestLedger({ from: world, coverage });
    other.attempt(alice).pay(bob, '99999');
    other.attempt(alice).pay(bob, '99999');
    other.submit({ type: 'Tap', receiver: alice, amount: '1' }, bob);

    expect(coverage.commands().covered).toEqual(['DirectTransfer', 'MergeHoldings']);
    expect(coverage.commands().missing).toHaveLength(COMMAND_TYPES.length - 2);
    expect(coverage.refusals().covered).toEqual(
      REJECTION_CODES.filter((code) => /^INSUFFICIENT_FUNDS|^NOT_AUTH/.test(code)),
    );
    expect(coverage.refusals().missing).toContain('DEADLINE_PASSED');
    expect(coverage.laws()).toEqual({ covered: LAWS.map(({ name }) => name), missing: [] });
    expect(coverage.outcomes()).toEqual([
      { command: 'DirectTransfer', accepted: 1, refusals: new Map([['INSUFFICIENT_FUNDS', 2]]) },
      { command: 'MergeHoldings', accepted: 1, refusals: new Map() },
      { command: 'Tap', accepted: 0, refusals: new Map([['NOT_AUTHORISED', 1]]) },
    ]);
    expect(String(coverage).split('\n\n')[1]).toMatchInlineSnapshot(`
      "command         accepted  refused with
      ──────────────  ────────  ──────────────────────
      DirectTransfer         1  INSUFFICIENT_FUNDS (2)
      MergeHoldings          1  -
      Tap                    0  NOT_AUTHORISED (1)"
    `);
  });

  it('does not count what opens a ledger, nor laws that are not checked', () => {
    const coverage = new LedgerCoverage();
    const world = createTestLedger({ coverage, laws: [] });
    expect(coverage.outcomes()).toEqual([]);
    expect(String(coverage)).toMatch(
      /^commands accepted: 0 of \d+; refusal codes seen: 0 of \d+; laws checked: 0 of \d+$/,
    );
    world.as(alice).tap('1');
    expect(coverage.commands().covered).toEqual(['Tap']);
    expect(coverage.laws().covered).toEqual([]);
  });
});
