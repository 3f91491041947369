import { Amount, Engine, type ContractId, type Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, bob, tickOf, worldOf } from '../ledger-fixture.ts';

/** A world in which alice has split a coin, the state before that, and the update. */
function split() {
  const world = worldOf();
  world.wait(10);
  const inputs = [world.fund(alice, '5')];
  const before = world.state;
  world.wait(10);
  const command = { type: 'SelfTransfer', sender: alice, amount: Amount.of('2'), inputs } as const;
  return { before, update: world.accepted('SelfTransferred', command, alice), world };
}

describe('an update', () => {
  it.each([
    ['comes after the last one', (update: Update) => ({ offset: update.offset + 1 })],
    ['comes after the last one, not again', (update: Update) => ({ offset: update.offset - 1 })],
    ['is not earlier than the last one', () => ({ recordTime: tickOf(split().before.time, -1) })],
    ['archives what is there', () => ({ archived: [999 as ContractId] })],
    ['archives nothing twice', ({ archived }: Update) => ({ archived: [...archived, ...archived] })],
    ['creates under new ids', ({ created }: Update) => ({ created: created.map((coin) => ({ ...coin, id: 1 })) })],
    ['creates under ascending ids', ({ created }: Update) => ({ created: created.toReversed() })],
    ['makes no coin', ({ created }: Update) => ({ created: [...created, { ...created[0], id: 999 }] })],
    ['loses no coin', ({ created }: Update) => ({ created: created.slice(1) })],
    ['mints what it says', ({ detail }: Update) => ({ detail: { ...detail, minted: Amount.unit } })],
    ['burns what it says', ({ detail }: Update) => ({ detail: { ...detail, burned: Amount.unit } })],
  ])('is refused unless %s, and the immutable ledger is unchanged', (_, change) => {
    const { before, update, world } = split();
    const forged = { ...update, ...change(update) } as unknown as Update;
    expect(() => new Engine({}, before).apply(forged)).toThrow('broken invariant');
    const engine = new Engine({}, before);
    engine.apply({ ...update, recordTime: before.time });
    expect(engine.state.time).toBe(before.time);
    expect(engine.state.offset).toBe(world.state.offset);
  });

  it('is one event in histories, unless it is a batch', () => {
    const { update } = split();
    expect(happeningsOf(update)).toEqual([update]);
    expect(update.actAs).not.toContain(bob);
  });
});
