import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, LAWS, openLedger, Round } from '@coinlab/core';
import { createTestLedger, LedgerAssertionError, type TestLedger } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { coinlab } from '../../cli/coinlab.ts';

const { alice, bob, carol } = createTestLedger().parties;

function played(): TestLedger {
  const world = createTestLedger().advanceToRound(3);
  world.as(alice).pay(bob, '2.5');
  world.as(bob).offer(carol, '7');
  return world;
}

/** Returns a test ledger with a coin that no command created. */
function withPutCoin(): TestLedger {
  const world = played();
  const coin = { template: 'Holding', createdAt: Round.of(1), ratePerRound: Amount.zero, lock: null } as const;
  world.put({ ...coin, owner: alice, amount: Amount.of('3') });
  return world;
}

describe('a saved ledger', () => {
  it('has the format of the logs that the program coinlab replays', async () => {
    const world = played();
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    const file = join(folder, 'world.ndjson');
    writeFileSync(file, world.save());
    const { code, out } = await coinlab('state', file);
    rmSync(folder, { recursive: true });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(world.hash()) as string });
  });

  it('continues with an equal state, log and time when it is loaded', () => {
    const world = played();
    const again = createTestLedger({ from: world.save() });
    expect(again.hash()).toBe(world.hash());
    expect(again.updates()).toEqual(world.updates());
    expect(again.now).toBe(world.state.time);
    expect(again.isReplayable).toBe(true);
    expect(again.save()).toBe(world.save());
    again.as(carol).pay(alice, '1');
    expect(again.hash()).not.toBe(world.hash());
  });

  it('has the format of a state if its log does not replay to that state', () => {
    const world = withPutCoin();
    const again = createTestLedger({ from: world.save() });
    expect(again.hash()).toBe(world.hash());
    expect(again.isReplayable).toBe(false);
    expect(again.balanceOf(alice).total).toBe(Amount.of('10000.5'));
    again.as(alice).pay(bob, '10000.5');
    expect(createTestLedger({ from: again.save() }).hash()).toBe(again.hash());
  });

  it.each([
    ['', 'line 1'],
    ['nothing', 'line 1: not a JSON object'],
    [`${played().save()}{}`, /line \d+: v: got nothing|line \d+/],
    [withPutCoin().save().replace('"amount":"3.0000000000"', '"amount":"4.0000000000"'), 'the coins are not those'],
  ])('is refused with the number of the damaged line (text %#)', (text, message) => {
    expect(() => createTestLedger({ from: text })).toThrow(LedgerAssertionError);
    expect(() => createTestLedger({ from: text })).toThrow(message);
  });
});

describe('a test ledger created from another ledger', () => {
  it('can continue a test ledger, a ledger, updates or a state', () => {
    const world = played();
    for (const from of [world, world.ledger, world.updates(), world.state])
      expect(createTestLedger({ from }).hash()).toBe(world.hash());
    expect(createTestLedger({ from: world.ledger }).updates()).toEqual(world.updates());
    expect(createTestLedger({ from: world.state }).isReplayable).toBe(false);
    expect(createTestLedger({ from: withPutCoin() }).isReplayable).toBe(false);
    expect(() => createTestLedger({ from: world.updates().slice(1) })).toThrow(/they begin at offset 2/);
  });

  it('allocates and funds no parties', () => {
    const ledger = openLedger();
    expect(createTestLedger({ from: ledger }).hash()).toBe(ledger.hash());
  });

  it('checks all laws, or only the given ones', () => {
    const never = {
      name: 'no taps',
      invariant: 0,
      holds: ({ update }: { update: { kind: string } }) => update.kind !== 'Tapped',
    };
    const from = played();
    expect(() =>
      createTestLedger({ from, laws: [never] })
        .as(alice)
        .tap('1'),
    ).toThrow(/no taps/);
    expect(LAWS.map(({ name }) => name)).not.toContain('no taps');
    expect(createTestLedger({ from }).as(alice).tap('1').kind).toBe('Tapped');
  });
});
