import { Amount, COMMAND_TYPES, LAWS, REJECTION_CODES } from '@coinlab/core';
import { COMMANDS } from '@coinlab/core/workflows';
import { createTestLedger, given, LedgerCoverage } from '@coinlab/testing';
import { collectCoverage } from '@coinlab/testing/vitest';
import { afterAll, describe, expect, it, vi } from 'vitest';

const { alice, bob } = createTestLedger().parties;

describe('the coverage of tests', () => {
  it('lists the covered commands, refusals and laws of several test ledgers and their copies', () => {
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
      {
        command: 'DirectTransfer',
        accepted: 1,
        refusals: new Map([['INSUFFICIENT_FUNDS', 2]]),
        missing: COMMANDS.DirectTransfer.refusals.filter((code) => code !== 'INSUFFICIENT_FUNDS'),
      },
      { command: 'MergeHoldings', accepted: 1, refusals: new Map(), missing: COMMANDS.MergeHoldings.refusals },
      {
        command: 'Tap',
        accepted: 0,
        refusals: new Map([['NOT_AUTHORISED', 1]]),
        missing: COMMANDS.Tap.refusals.filter((code) => code !== 'NOT_AUTHORISED'),
      },
    ]);
    expect(String(coverage).split('\n\n')[1]).toMatchInlineSnapshot(`
      "command         accepted  refused with
      ──────────────  ────────  ──────────────────────
      DirectTransfer         1  INSUFFICIENT_FUNDS (2)
      MergeHoldings          1  -
      Tap                    0  NOT_AUTHORISED (1)"
    `);
  });

  it('counts the commands of given(world), and of a ledger that continues the test ledger', () => {
    const coverage = new LedgerCoverage();
    const world = createTestLedger({ coverage });
    given(world).as(alice).when(world.commands(alice).pay(bob, '1')).then('TransferCompleted');
    given(world).when(world.commands(alice).pay(bob, '1')).then('NOT_AUTHORISED');
    createTestLedger({ from: world }).as(bob).merge();
    expect(coverage.outcomes()).toMatchObject([
      { command: 'DirectTransfer', accepted: 1, refusals: new Map([['NOT_AUTHORISED', 1]]) },
      { command: 'MergeHoldings', accepted: 1 },
    ]);
  });

  it('does not count the commands that set up a ledger, or laws that were not checked', () => {
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

describe('collectCoverage', () => {
  // `afterAll` hooks run in reverse order: first console.log is replaced, then collectCoverage prints, then
  // the text is checked.
  const print = vi.fn();
  afterAll(() => expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^commands accepted: 2 of/)));
  const coverage = collectCoverage();
  afterAll(() => void vi.spyOn(console, 'log').mockImplementation(print));

  it('counts every ledger that the file creates', () => {
    const world = createTestLedger();
    world.as(alice).pay(bob, '1');
    given(world.ledger).as(alice).when({ type: 'Tap', receiver: alice, amount: Amount.one }).then('Tapped');
    expect(coverage.commands().covered).toEqual(['DirectTransfer', 'Tap']);
  });

  it('does not count a ledger that has its own coverage', () => {
    createTestLedger({ coverage: new LedgerCoverage() }).as(bob).merge();
    expect(coverage.commands().covered).not.toContain('MergeHoldings');
  });
});
