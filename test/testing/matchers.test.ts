import { Amount, LAWS, ledgerFrom, openEngine, PartyId, type Step } from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import {
  assertAcceptedAs,
  assertBalance,
  assertConservesValue,
  assertEqualLedgerValue,
  assertKeepsLaws,
  assertRefusedWith,
  assertUtxosAtMost,
  createTestLedger,
  LedgerAssertionError,
  ledgerMatchers,
} from '@coinlab/testing';
import '@coinlab/testing/vitest';
import { describe, expect, it } from 'vitest';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const tap = { type: 'Tap', receiver: alice, amount: Amount.of('5') } as const;

/** The step of a tap, and the same step with a coin that is slightly larger than the minted amount. */
function steps(): { readonly right: Step; readonly wrong: Step } {
  const ledger = createTestLedger();
  const before = ledger.state;
  const update = ledger.execute(tap, alice);
  const right = { before, update, after: ledger.state };
  const created = update.created.map((contract) =>
    contract.template === 'Holding' ? { ...contract, amount: Amount.add(contract.amount, Amount.unit) } : contract,
  );
  return { right, wrong: { ...right, update: { ...update, created } } };
}

describe('toConserveValue', () => {
  it('passes for a step that conserves value, and fails for others with the expected and the actual amount', () => {
    const { right, wrong } = steps();
    expect(right).toConserveValue();
    expect(wrong).not.toConserveValue();
    assertConservesValue(right);
    expect(() => assertConservesValue(wrong)).toThrow(
      expect.objectContaining({ expected: '5.0', actual: '5.0000000001' }),
    );
  });

  it('accepts a test ledger, a ledger or an engine if its coins sum to its supply', () => {
    const ledger = createTestLedger();
    expect(ledger).toConserveValue();
    expect(ledger.state).toConserveValue();
    expect(ledger.ledger).toConserveValue();
    expect(openEngine()).toConserveValue();
    expect({ ...ledger.state, minted: Amount.add(ledger.state.minted, Amount.unit) }).not.toConserveValue();
  });
});

describe('toHaveUtxosAtMost', () => {
  it('counts the coins of all parties or of the given parties, including locked coins', () => {
    const ledger = createTestLedger();
    ledger.mint(alice, '1');
    expect(ledger).toHaveUtxosAtMost(2);
    expect(ledger).toHaveUtxosAtMost(1, bob);
    expect(ledger).not.toHaveUtxosAtMost(1);
    expect(ledger).not.toHaveUtxosAtMost(1, bob, alice);
    ledger.as(alice).offer(bob, '5');
    expect(ledger).toHaveUtxosAtMost(3, alice);
    assertUtxosAtMost(ledger, 3);
    expect(() => assertUtxosAtMost(ledger, 2, alice)).toThrow(expect.objectContaining({ expected: 2, actual: 3 }));
  });
});

describe('toHaveBalance', () => {
  it('compares all digits of the amount', () => {
    const ledger = createTestLedger();
    ledger.mint(alice, Amount.unit);
    expect(ledger).toHaveBalance(alice, '10000.0000000001');
    expect(ledger).toHaveBalance(alice, Amount.of('10000.0000000001'));
    expect(ledger).not.toHaveBalance(alice, '10000');
    assertBalance(ledger, bob, '10000');
    expect(() => assertBalance(ledger, bob, '1')).toThrow(
      expect.objectContaining({ expected: '1.0', actual: '10000.0' }),
    );
  });
});

describe('toBeRefusedWith and toBeAcceptedAs', () => {
  it('accept the result of submit, or the update or rejection in it', () => {
    const ledger = createTestLedger();
    const context = { now: ledger.now, actAs: [bob] };
    expect(ledger.submit(tap, bob)).toBeRefusedWith('NOT_AUTHORISED');
    expect(ledger.submit(tap, bob)).toBeRefusedWith('NOT_AUTHORISED', { required: alice });
    expect(ledger.ledger.submit(tap, context)).not.toBeRefusedWith('NOT_AUTHORISED', { required: bob });
    expect(ledger.submit(tap, bob)).not.toBeAcceptedAs('Tapped');
    expect(ledger.ledger.submit(tap, { ...context, actAs: [alice] })).toBeAcceptedAs('Tapped', { receiver: alice });
    expect(ledger.submit(tap, alice)).toBeAcceptedAs('Tapped');
    expect(ledger.submit(tap, alice)).not.toBeAcceptedAs('Minted');
    expect(ledger.submit(tap, alice)).not.toBeAcceptedAs('Tapped', { receiver: bob });
    expect(ledger.submit(tap, alice)).not.toBeRefusedWith('NOT_AUTHORISED');
    assertRefusedWith(ledger.submit(tap, bob), 'NOT_AUTHORISED');
    assertAcceptedAs(ledger.submit(tap, alice), 'Tapped');
    expect(() => assertRefusedWith(ledger.submit(tap, alice), 'NOT_AUTHORISED')).toThrow(LedgerAssertionError);
    expect(() => assertAcceptedAs(ledger.submit(tap, bob), 'Tapped')).toThrow(LedgerAssertionError);
  });
});

describe('toEqualLedgerValue', () => {
  const world = createTestLedger();
  const { detail } = world.as(alice).pay(bob, '2.5');

  it('accepts equal values, and refuses missing, different and unexpected fields and items', () => {
    expect(detail).toEqualLedgerValue({ ...detail });
    expect(detail).not.toEqualLedgerValue({ ...detail, amount: Amount.of('2.6') });
    expect(detail).not.toEqualLedgerValue({ ...detail, note: 'rent' });
    const { amount: _, ...others } = detail;
    expect(detail).not.toEqualLedgerValue(others);
    expect([alice, bob]).not.toEqualLedgerValue([alice]);
    assertEqualLedgerValue(world.balanceOf(bob), { ...world.balanceOf(bob) });
  });

  it('shows amounts, times and parties of a difference in readable form', () => {
    const expected = { ...detail, amount: Amount.of('2.6'), receiver: alice };
    expect(() => expect(detail).toEqualLedgerValue(expected)).toThrow(
      expect.objectContaining({
        message: ['expected: equal values', 'found:', '  receiver', '    - "alice"', '    + "bob"', '  amount']
          .concat(['    - "2.6"', '    + "2.5"'])
          .join('\n'),
        expected: expect.objectContaining({ amount: '2.6', receiver: 'alice' }),
        actual: expect.objectContaining({ amount: '2.5', receiver: 'bob' }),
      }),
    );
    expect(() => assertEqualLedgerValue({ a: 1n }, { a: 1n, b: null })).toThrow(/ {2}b\n {4}- null\n {4}\+ nothing/);
  });
});

describe('toKeepTheLaws', () => {
  it('checks all laws, or only the given ones', () => {
    const { right, wrong } = steps();
    expect(right).toKeepTheLaws();
    expect(wrong).not.toKeepTheLaws();
    const ascending = LAWS.filter(({ name }) => name === 'ids ascend and are never used again');
    expect(ascending).toHaveLength(1);
    expect(wrong).toKeepTheLaws(ascending);
    assertKeepsLaws(right);
    expect(() => assertKeepsLaws(wrong)).toThrow(LedgerAssertionError);
  });
});

describe('toKeepTheLaws of a ledger', () => {
  it('accepts a ledger whose log replays to its state', () => {
    const world = createTestLedger().advanceToRound(3);
    expect(world).toKeepTheLaws();
    expect(world.ledger).toKeepTheLaws();
    const never = { name: 'nothing is tapped', invariant: 0, holds: ({ update }: Step) => update.kind !== 'Tapped' };
    expect(world).toKeepTheLaws([never]);
    world.as(alice).tap('5');
    expect(world).not.toKeepTheLaws([never]);
    expect(() => expect(world).toKeepTheLaws([never])).toThrow(/nothing is tapped .*by update \d+, Tapped/);
    const { state } = world.copy().advanceToRound(4).ledger;
    const forged = { state, updates: () => world.updates(), hash: () => createTestLedger().hash() };
    expect(forged).not.toKeepTheLaws();
  });

  it('refuses a ledger whose log replays to another state', () => {
    const world = createTestLedger();
    expect(() => expect(ledgerFrom(world.state)).toKeepTheLaws()).toThrow(/does not lead to its state/);
    const [coin] = world.holdingsOf(alice);
    if (coin) world.take(coin.id);
    expect(() => expect(world).not.toKeepTheLaws()).toThrow(/does not lead to its state/);
  });
});

describe('a matcher with an unsupported subject', () => {
  const world = createTestLedger();
  const update = world.as(alice).tap('5');

  it.each([
    ['toBeRefusedWith', update, 'the result of submit or attempt, but got the update Tapped'],
    ['toBeRefusedWith', Promise.resolve(update), 'but got a promise; await it first'],
    ['toBeAcceptedAs', world, 'the result of submit or attempt, but got a ledger'],
    ['toHaveBalance', undefined, 'a ledger or its state, but got undefined'],
    ['toHaveUtxosAtMost', world.attempt(alice).tap('5'), 'a ledger or its state, but got a result'],
    ['toConserveValue', world.holdingsOf(bob)[0], 'a ledger or its state, but got a Holding'],
    ['toKeepTheLaws', world.state, 'a step { before, update, after } or a ledger with its log, but got {'],
  ] as const)('%s throws an error, also with .not', (matcher, subject, message) => {
    const judge = (wanted: ReturnType<typeof expect<unknown>>): void => {
      if (matcher === 'toHaveBalance') wanted.toHaveBalance(alice, '1');
      else if (matcher === 'toHaveUtxosAtMost') wanted.toHaveUtxosAtMost(1);
      else if (matcher === 'toBeRefusedWith') wanted.toBeRefusedWith('NO_INPUTS');
      else if (matcher === 'toBeAcceptedAs') wanted.toBeAcceptedAs('Tapped');
      else wanted[matcher]();
    };
    expect(() => judge(expect(subject))).toThrow(message);
    expect(() => judge(expect(subject).not)).toThrow(message);
  });
});

describe('a vitest snapshot', () => {
  it('shows amounts and parties of ledger values in readable form', () => {
    const world = createTestLedger();
    const { detail } = world.as(alice).pay(bob, '2.5');
    expect(world.balanceOf(alice)).toMatchInlineSnapshot(`
      {
        "locked": "0.0",
        "total": "9997.5",
        "unlocked": "9997.5",
      }
    `);
    expect(world.holdingsOf(bob)[1]).toMatchInlineSnapshot(`
      {
        "amount": "2.5",
        "createdAt": 1,
        "id": 69,
        "lock": null,
        "owner": "bob",
        "ratePerRound": "0.00380518",
        "template": "Holding",
      }
    `);
    expect(world.submit(tap, bob)).toMatchInlineSnapshot(`
      {
        "error": {
          "actAs": [
            "bob",
          ],
          "code": "NOT_AUTHORISED",
          "required": "alice",
        },
        "ok": false,
      }
    `);
    expect(detail.sender).toMatchInlineSnapshot(`"alice"`);
  });

  it('keeps bigints of other values', () => {
    expect({ count: 5n, text: 'a::b' }).toMatchInlineSnapshot(`
      {
        "count": 5n,
        "text": "a::b",
      }
    `);
  });
});

describe('a failed matcher', () => {
  it('reports the expected and the actual value', () => {
    const { right, wrong } = steps();
    expect(findAny(right.after, right.update.created[0]?.id as never)).not.toBeNull();
    for (const [subject, negated] of [
      [wrong, false],
      [right, true],
    ] as const) {
      const { pass, message } = ledgerMatchers.toConserveValue(subject);
      expect(pass).toBe(negated);
      expect(message()).toContain('Tapped conserves value');
    }
  });
});
