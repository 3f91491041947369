import { Amount } from '@coinlab/core';
import { messageBytesOf } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const { alice, bob } = createTestLedger().parties;

describe('the report of a test ledger', () => {
  it('counts updates, refusals, traffic and burned coin by command and party', () => {
    const world = createTestLedger({ profile: 'legacy-fees' });
    const paid = [world.as(alice).pay(bob, '2.5'), world.as(alice).pay(bob, '5'), world.as(bob).pay(alice, '1')];
    world.attempt(alice).pay(bob, '99999');
    const tapped = world.as(bob).tap('10');
    const { total, byCommand, byParty, refusals } = world.report();
    const bytes = paid.map((update) => messageBytesOf(update)).reduce((sum, one) => sum + one, 0);
    const burned = Amount.sum(paid.map(({ detail }) => detail.burned));
    expect(burned).toBeGreaterThan(0n);
    const [pays, taps] = byCommand;
    expect(pays).toEqual({ name: 'DirectTransfer', accepted: 3, refused: 1, trafficBytes: bytes, burned });
    expect(taps).toMatchObject({
      name: 'Tap',
      accepted: 1,
      refused: 0,
      trafficBytes: messageBytesOf(tapped),
      burned: 0n,
    });
    expect(total).toMatchObject({ accepted: 4, refused: 1, trafficBytes: bytes + messageBytesOf(tapped), burned });
    expect(byParty.map(({ name, accepted, refused }) => [name, accepted, refused])).toEqual([
      ['alice', 2, 1],
      ['bob', 2, 0],
    ]);
    expect(refusals).toEqual([{ command: 'DirectTransfer', code: 'INSUFFICIENT_FUNDS', count: 1 }]);
  });

  it('prints the totals and one table each for commands, parties and refusals', () => {
    const world = createTestLedger();
    world.as(alice).pay(bob, '2.5');
    world.attempt(alice).pay(bob, '99999');
    world.as(bob).merge();
    expect(String(world.report())).toMatchInlineSnapshot(`
      "3 commands by 2 parties; 2 accepted, 1 refused; 18,000 bytes of traffic, 0.0 burned

      command         accepted  refused  traffic bytes  burned
      ──────────────  ────────  ───────  ─────────────  ──────
      DirectTransfer         1        1          8,800     0.0
      MergeHoldings          1        0          9,200     0.0

      party  accepted  refused  traffic bytes  burned
      ─────  ────────  ───────  ─────────────  ──────
      alice         1        1          8,800     0.0
      bob           1        0          9,200     0.0

      command         refused with        times
      ──────────────  ──────────────────  ─────
      DirectTransfer  INSUFFICIENT_FUNDS      1"
    `);
  });

  it('is empty for a new test ledger and for a copy', () => {
    const world = createTestLedger();
    expect(String(world.report())).toBe(
      '0 commands by 0 parties; 0 accepted, 0 refused; 0 bytes of traffic, 0.0 burned',
    );
    world.as(alice).tap('1');
    expect(world.copy().report().total.accepted).toBe(0);
    expect(world.report().total.accepted).toBe(1);
  });
});
