import { Amount } from '@coinlab/core';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const { alice, bob } = createTestLedger().parties;

describe('the trace of a command', () => {
  it('shows the coins and fees of an accepted command without submitting it', () => {
    const world = createTestLedger({ profile: 'legacy-fees' });
    const hash = world.hash();
    const command = world.commands(alice).pay(bob, '2.5');
    const trace = world.trace(command, alice);
    expect(world.hash()).toBe(hash);
    expect(world.report().total.accepted).toBe(0);
    expect(trace.coinsIn.map(({ id }) => id)).toEqual(command.inputs);
    const update = world.execute(command, alice);
    expect(trace.outcome).toEqual({ ok: true, value: update });
    expect(trace.burned).toBe(update.detail.burned);
    expect(trace.burned).toBeGreaterThan(0n);
    expect(trace.coinsOut).toEqual(update.created.filter(({ template }) => template === 'Holding'));
    expect(trace.round).toBe(1);
    expect(String(trace)).toMatchInlineSnapshot(`
      "DirectTransfer (§7.2, §3.15) by alice, round 1, 2026-01-01T00:00:00.000000Z
        accepted     as TransferCompleted
        passed       §7.9: TIME_IN_PAST, NOT_BOOTSTRAPPED, NOT_AUTHORISED, INVALID_ARGUMENT, UNKNOWN_PARTY
        passed       §7.2, §3.15: NOT_AUTHORISED, ADMIN_MISMATCH, CONTRACT_NOT_FOUND, GROUP_MISMATCH, PREAPPROVAL_EXPIRED
        passed       §3.11: WRONG_INSTRUMENT, NON_POSITIVE_AMOUNT, REQUESTED_IN_FUTURE, DEADLINE_PASSED, NO_INPUTS, INVALID_ARGUMENT, DUPLICATE_TRACKING_ID, ROUND_NOT_OPEN
        passed       §5.2: DUPLICATE_INPUT, CONTRACT_NOT_FOUND, GROUP_MISMATCH, LOCK_NOT_EXPIRED, MAX_INPUTS_EXCEEDED, MAX_OUTPUTS_EXCEEDED, INVALID_DECIMAL, INSUFFICIENT_FUNDS
        in           10000.0 of alice (contract 15)
        out          2.5 of bob (contract 81)
        out          9985.475 of alice (contract 82)
        burned       12.025"
    `);
  });

  it('names the check that refuses the command, and the missing amount', () => {
    const world = createTestLedger();
    const trace = world.trace(world.commands(alice).pay(bob, '10002.5'), alice);
    expect(trace.outcome).toEqual({ ok: false, error: { code: 'INSUFFICIENT_FUNDS', missing: Amount.of('2.5') } });
    expect(trace.coinsIn).toEqual(world.holdingsOf(alice));
    expect(trace.coinsOut).toEqual([]);
    expect(String(trace)).toMatchInlineSnapshot(`
      "DirectTransfer (§7.2, §3.15) by alice, round 1, 2026-01-01T00:00:00.000000Z
        refused      with INSUFFICIENT_FUNDS: 2.5 is missing: the inputs are worth less than the outputs and fees.
        again        the same command can succeed with facts read again
        passed       §7.9: TIME_IN_PAST, NOT_BOOTSTRAPPED, NOT_AUTHORISED, INVALID_ARGUMENT, UNKNOWN_PARTY
        passed       §7.2, §3.15: NOT_AUTHORISED, ADMIN_MISMATCH, CONTRACT_NOT_FOUND, GROUP_MISMATCH, PREAPPROVAL_EXPIRED
        passed       §3.11: WRONG_INSTRUMENT, NON_POSITIVE_AMOUNT, REQUESTED_IN_FUTURE, DEADLINE_PASSED, NO_INPUTS, INVALID_ARGUMENT, DUPLICATE_TRACKING_ID, ROUND_NOT_OPEN
        passed       §5.2: DUPLICATE_INPUT, CONTRACT_NOT_FOUND, GROUP_MISMATCH, LOCK_NOT_EXPIRED, MAX_INPUTS_EXCEEDED, MAX_OUTPUTS_EXCEEDED, INVALID_DECIMAL
        refused      §5.2: INSUFFICIENT_FUNDS
        in           10000.0 of alice (contract 14)"
    `);
  });

  it('lists the checks in order, up to the check that refused', () => {
    const world = createTestLedger();
    const { checks } = world.trace(world.commands(alice).pay(bob, '10002.5'), alice);
    const codes = checks.map(({ code }) => code);
    const refused = codes.indexOf('INSUFFICIENT_FUNDS');
    expect(codes.slice(0, 4)).toEqual(['TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED', 'INVALID_ARGUMENT']);
    expect(checks.every(({ outcome }, i) => outcome === (i < refused ? 'passed' : 'refused'))).toBe(true);

    const unsigned = world.trace(world.commands(alice).pay(bob, '1'), bob).checks;
    expect(unsigned.filter(({ outcome }) => outcome === 'refused')).toEqual([
      { code: 'NOT_AUTHORISED', source: '§7.2, §3.15', outcome: 'refused' },
    ]);
    expect(unsigned.find(({ code }) => code === 'ADMIN_MISMATCH')?.outcome).toBe('not reached');
    const accepted = world.trace(world.commands(alice).pay(bob, '1'), alice).checks;
    expect(new Set(accepted.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
  });

  it('distinguishes the check of a missing input from the check of a missing preapproval', () => {
    const world = createTestLedger({ preapproved: ['bob'] });
    const spent = world.inputsFor(alice, '1');
    world.as(alice).pay(bob, '1');
    const source = (receiver: typeof alice): string | undefined =>
      world
        .trace({ ...world.commands(alice).pay(receiver, '1'), inputs: spent }, alice)
        .checks.find(({ outcome }) => outcome === 'refused')?.source;
    expect(source(bob)).toBe('§5.2');
    expect(source(world.parties.carol)).toBe('§7.2, §3.15');
  });

  it('shows the refusal of an operation after the checks of its batch', () => {
    const world = createTestLedger({ profile: 'feeless-24h' });
    const operations = [{ type: 'Tap', amount: Amount.zero }] as const;
    const inputs = world.inputsFor(alice, '1');
    const { checks } = world.trace(
      { type: 'ExecuteBatch', owner: alice, validator: bob, inputs, operations },
      alice,
      bob,
    );
    expect(checks.map(({ outcome }) => outcome)).toEqual([...checks.slice(1).map(() => 'passed'), 'refused']);
    expect(checks.at(-1)?.code).toBe('NON_POSITIVE_AMOUNT');
  });

  it('shows until when a created coin is locked', () => {
    const world = createTestLedger();
    expect(String(world.trace(world.commands(alice).offer(bob, '1'), alice))).toContain(
      'locked until 2026-01-01T01:00:00.000000Z',
    );
  });
});
