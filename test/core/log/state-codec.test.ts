import { codec, Engine, headOfLine, readStateLines, stateLines, type LedgerState, type Update } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, second, worldOf } from '../ledger-fixture.ts';

/** The log of a world with coins, locks, records and merges. */
function log(): readonly Update[] {
  const world = worldOf({ profile: 'legacy-fees' });
  for (let i = 0; i < 4; i++) {
    const inputs = [world.fund(alice, '100')];
    const terms = { sender: alice, receiver: bob, amount: amount('30'), executeBefore: second(1_000 + i) };
    const offered = world.accepted(
      'TransferOffered',
      {
        type: 'CreateOffer',
        ...terms,
        inputs,
        meta: { reason: `rent ${i}`, 'splice.lfdecentralizedtrust.org/tracking-id': `t-${i}` },
      },
      alice,
    );
    if (i % 2 === 0) world.submit({ type: 'AcceptOffer', instruction: offered.detail.instruction }, bob);
    world.wait(1);
  }
  return world.ledger.updates();
}

const updates = log();

function stateAfter(count: number): LedgerState {
  const engine = new Engine();
  for (const update of updates.slice(0, count)) engine.apply(update);
  return engine.snapshot();
}

describe('a state as lines', () => {
  it.each(updates.map((_, i) => i + 1))('goes on after update %d as the one that was written', (count) => {
    const state = stateAfter(count);
    const lines = [...stateLines(state)];
    const read = readStateLines(lines);
    if (!read.ok) throw new Error(read.error.reason);
    expect([...stateLines(read.value)]).toEqual(lines);
    const [again, first] = [new Engine({}, read.value), new Engine({}, state)];
    for (const update of updates.slice(count)) {
      again.apply(update);
      first.apply(update);
    }
    expect(again.hash()).toBe(first.hash());
    expect([...stateLines(again.state)]).toEqual([...stateLines(first.state)]);
  });

  const whole = [...stateLines(stateAfter(updates.length))];
  const [header = '', ...contracts] = whole;
  const coin = contracts.findIndex((line) => line.includes('"Holding"'));
  it.each([
    ['nothing', [], 1],
    ['another version', [header.replace('"v":1', '"v":2'), ...contracts], 1],
    ['a line that is no JSON', [header, 'x', ...contracts], 2],
    ['a line that is no contract', [header, '{"template":"Nothing"}', ...contracts], 2],
    ['contracts out of order', [header, ...contracts.toReversed()], 3],
    ['a contract too few', whole.slice(0, -1), whole.length - 1],
    [
      'a coin that nobody minted',
      [header, ...contracts.with(coin, (contracts[coin] ?? '').replace(/"amount":"\d/, '"amount":"77'))],
      whole.length,
    ],
  ])('is refused with %s', (_, lines, line) => {
    const read = readStateLines(lines);
    expect(read.ok ? null : read.error.line).toBe(line);
  });
});

describe('the head of a line', () => {
  it('says of every update what decoding it says', () => {
    for (const update of updates) {
      const { offset, updateId, recordTime, kind, created } = update;
      const firstCreated = created[0]?.id ?? null;
      expect(headOfLine(codec.encode(update))).toEqual({ offset, updateId, recordTime, kind, firstCreated });
    }
  });

  it.each(['', '{}', '{"v":1,"offset":1}', `${codec.encode(updates[0] as Update).slice(0, 120)}`])(
    'is none of %j',
    (text) => {
      expect(headOfLine(text)).toBeNull();
    },
  );
});
