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
      "DirectTransfer by alice, round 1, 2026-01-01T00:00:00.000000Z
        accepted as TransferCompleted
        in      10000.0 of alice (contract 15)
        out     2.5 of bob (contract 81)
        out     9985.475 of alice (contract 82)
        burned  12.025"
    `);
  });

  it('explains a refusal', () => {
    const world = createTestLedger();
    const trace = world.trace(world.commands(alice).pay(bob, '10002.5'), alice);
    expect(trace.outcome).toEqual({ ok: false, error: { code: 'INSUFFICIENT_FUNDS', missing: Amount.of('2.5') } });
    expect(trace.coinsIn).toEqual(world.holdingsOf(alice));
    expect(trace.coinsOut).toEqual([]);
    expect(String(trace)).toMatchInlineSnapshot(`
      "DirectTransfer by alice, round 1, 2026-01-01T00:00:00.000000Z
        refused with INSUFFICIENT_FUNDS {"missing":"2.5"}
        meaning: the inputs are worth less than the outputs and fees; \`missing\` is the exact difference
        submitted again, it can succeed with facts read again
        in      10000.0 of alice (contract 14)"
    `);
  });

  it('shows locked coins', () => {
    const world = createTestLedger();
    expect(String(world.trace(world.commands(alice).offer(bob, '1'), alice))).toContain(
      'locked until 2026-01-01T01:00:00.000000Z',
    );
  });
});
