import { codec, Engine, type LedgerState, type Update } from '@coinlab/core';
import { headOf, headOfLine, readStateLines, stateLines } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, second, worldOf } from '../ledger-fixture.ts';
import { recordedSteps } from '../recorded.ts';

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

describe('a state written as lines', () => {
  it.each(updates.map((_, i) => i + 1))('continues like the original after update %d', (count) => {
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
  const coinOf = (value: string): string => (contracts[coin] ?? '').replace(/"amount":"[^"]*"/, `"amount":"${value}"`);
  const lastId = Number(/"id":(\d+)/.exec(contracts.at(-1) ?? '')?.[1]);
  const withNext = (id: number): string => header.replace(/"nextContract":\d+/, `"nextContract":${id}`);
  it.each([
    ['nothing', [], 1],
    ['another version', [header.replace('"v":1', '"v":2'), ...contracts], 1],
    ['a header that is no JSON', ['x', ...contracts], 1],
    ['a header without a time', [header.replace('"time":', '"when":'), ...contracts], 1],
    ['a line that is no JSON', [header, 'x', ...contracts], 2],
    ['a line that is no contract', [header, '{"template":"Nothing"}', ...contracts], 2],
    [
      'an owner that is no party',
      [header, ...contracts.with(coin, (contracts[coin] ?? '').replace(/"owner":"[^"]*"/, '"owner":"alice"'))],
      coin + 2,
    ],
    ['contracts out of order', [header, ...contracts.toReversed()], 3],
    ['a contract twice', [header, ...contracts.slice(0, 3), ...contracts.slice(2)], 5],
    ['the id of a contract that is still to come', [withNext(lastId), ...contracts], whole.length],
    ['a coin of nothing', [header, ...contracts.with(coin, coinOf('0.0'))], coin + 2],
    ['a coin of less than nothing', [header, ...contracts.with(coin, coinOf('-1.0'))], coin + 2],
    ['a contract too few', whole.slice(0, -1), whole.length - 1],
    [
      'a coin that was never minted',
      [header, ...contracts.with(coin, (contracts[coin] ?? '').replace(/"amount":"\d/, '"amount":"77'))],
      whole.length,
    ],
  ])('is refused with %s', (_, lines, line) => {
    const read = readStateLines(lines);
    expect(read.ok ? null : read.error.line).toBe(line);
  });
});

describe('the head of a line', () => {
  it('gives the same fields as the decoded update', () => {
    const recorded = recordedSteps('feeless').map(({ update }) => update);
    expect(recorded.some(({ created }) => created.length === 0)).toBe(true);
    for (const update of [...updates, ...recorded]) {
      const { offset, updateId, recordTime, kind, archived, created } = update;
      const firstCreated = created[0]?.id ?? null;
      const head = { offset, updateId, recordTime, kind, archived: archived.length, firstCreated };
      expect(headOf(update)).toEqual(head);
      expect(headOfLine(codec.encode(update))).toEqual(head);
    }
  });

  const text = codec.encode(updates[3] as Update);
  const [beforeCreated = '', created = ''] = text.split('"created":');
  it.each([
    '',
    '{}',
    '{"v":1,"offset":1}',
    text.slice(0, 120),
    text.replace(/"updateId":"[^"]*"/, '"updateId":"x"'),
    text.replace(/"recordTime":"[^"]*"/, '"recordTime":"today"'),
    beforeCreated,
    `${beforeCreated}"created":[`,
    `${beforeCreated}"created":${created.slice(0, 20)}`,
  ])('is null for the malformed line %j', (text) => {
    expect(headOfLine(text)).toBeNull();
  });
});
