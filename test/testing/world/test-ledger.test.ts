import { Amount, Duration, Instant, PartyId, replay, Round, supplyOf, TEST_PARTIES } from '@coinlab/core';
import { createTestLedger, LedgerAssertionError } from '@coinlab/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';

const { alice, bob } = createTestLedger().parties;

describe('a test ledger', () => {
  it('has the ten parties of the development server with one coin of 10,000 each', () => {
    const world = createTestLedger();
    expect(Object.keys(world.parties)).toEqual(TEST_PARTIES);
    expect(alice).toBe(PartyId.of('alice'));
    const balances = TEST_PARTIES.map((name) => Amount.short(world.balanceOf(world.parties[name]).total));
    expect(balances).toEqual(TEST_PARTIES.map(() => '10000.0'));
    expect(TEST_PARTIES.map((name) => world.utxoCountOf(world.parties[name]))).toEqual(TEST_PARTIES.map(() => 1));
    expectTypeOf(world.parties).not.toHaveProperty('zoe');
  });

  it.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)(
    'allows one-step payments to every party under %s',
    (profile) => {
      const world = createTestLedger({ profile });
      for (const name of TEST_PARTIES) {
        const receiver = world.parties[name];
        const sender = receiver === alice ? bob : alice;
        expect(world.as(sender).pay(receiver, '1').detail.amount).toBe(Amount.one);
      }
      expect(supplyOf(world.state).supply).toBe(Amount.sub(Amount.of('100000'), burnedBy(world)));
    },
  );

  it('preapproves the named parties, or no party', () => {
    const paid = { pays: (world: ReturnType<typeof createTestLedger>) => world.attempt(alice).pay(bob, '1').ok };
    expect(paid.pays(createTestLedger({ preapproved: ['bob'] }))).toBe(true);
    expect(paid.pays(createTestLedger({ preapproved: ['alice'] }))).toBe(false);
    expect(paid.pays(createTestLedger({ preapproved: false }))).toBe(false);
  });

  it('starts without coins, or at another time, when the options say so', () => {
    const world = createTestLedger({ funds: '0', at: Instant.of('2027-01-01T00:00:00Z') });
    expect(supplyOf(world.state).supply).toBe(0n);
    expect(Instant.format(world.now)).toBe('2027-01-01T00:00:00.000000Z');
    expect(() => createTestLedger({ funds: 'ten' })).toThrow(/funds is 'ten'/);
  });

  it('has an equal state in every run', () => {
    expect(createTestLedger().hash()).toBe(createTestLedger().hash());
  });

  it('allocates a party with a new name once', () => {
    const world = createTestLedger();
    const zoe = world.party('zoe');
    expect(zoe).toBe(PartyId.of('zoe'));
    expect(world.updates().at(-1)).toMatchObject({ kind: 'PartyAllocated', detail: { party: zoe } });
    const { offset } = world.state;
    expect(world.party('zoe')).toBe(zoe);
    expect(world.party('alice')).toBe(alice);
    expect(world.state.offset).toBe(offset);
  });

  it('throws with the rejection when a command that should be accepted is refused', () => {
    const world = createTestLedger();
    const tap = { type: 'Tap', receiver: alice, amount: '1' } as const;
    const refused = (): unknown => world.execute(tap, bob);
    expect(refused).toThrow(LedgerAssertionError);
    expect(refused).toThrow(expect.objectContaining({ expected: 'accepted', actual: 'NOT_AUTHORISED' }));
    expect(world.submit(tap, bob)).toMatchObject({ ok: false, error: { code: 'NOT_AUTHORISED', required: alice } });
  });

  it('returns the update of an accepted command, narrowed by its type', () => {
    const world = createTestLedger();
    const tapped = world.execute({ type: 'Tap', receiver: alice, amount: '1' }, alice);
    expectTypeOf(tapped.kind).toEqualTypeOf<'Tapped'>();
    expect(tapped.detail.amount).toBe(Amount.one);
    const result = world.submit({ type: 'Tap', receiver: alice, amount: '1' }, alice);
    expect(result.ok && result.value.update.detail.receiver).toBe(alice);
    expect(result.ok && result.value.ledger).toBe(world.ledger);
  });

  it('parses texts in amount fields, and leaves other texts unchanged', () => {
    const world = createTestLedger();
    const meta = { reason: '2.5' };
    const terms = { sender: alice, receiver: bob, executeBefore: world.later('1h'), meta };
    const inputs = world.inputsFor(alice, '2.5');
    const { detail } = world.execute({ type: 'CreateOffer', ...terms, amount: '2.5', inputs }, alice);
    expect(detail).toMatchObject({ amount: Amount.of('2.5'), meta });
    // @ts-expect-error: a number is no amount
    expect(() => world.execute({ type: 'Tap', receiver: alice, amount: 1 }, alice)).toThrow(
      'amount is 1, but must be an Amount',
    );
  });

  it('parses texts in nested amount fields', () => {
    const world = createTestLedger({ preapproved: false });
    const operations = [{ type: 'Tap', amount: '2.5' }] as const;
    const batch = { type: 'ExecuteBatch', owner: alice, validator: bob, inputs: [], operations } as const;
    expect(world.execute(batch, alice, bob)).toMatchObject({
      kind: 'BatchExecuted',
      detail: { minted: Amount.of('2.5') },
    });
  });

  it('selects coins that cover an amount, the largest first', () => {
    const world = createTestLedger();
    const small = world.mint(alice, '1.5');
    const [large] = world.inputsFor(alice, '7');
    expect(world.inputsFor(alice, Amount.of('10001'))).toEqual([large, small]);
    expect(world.holdingsOf(alice, 'smallest').map(({ id }) => id)).toEqual([small, large]);
  });

  it('creates copies that do not affect each other', () => {
    const world = createTestLedger();
    const other = world.copy().advance('1m');
    other.mint(alice, '5');
    expect(world.balanceOf(alice).total).toBe(Amount.of('10000'));
    expect(other.balanceOf(alice).total).toBe(Amount.of('10005'));
    expect(world.now).toBe(other.now - 60_000_000n);
    expect(world.copy().advance('1h').copy().now).toBe(world.later('1h'));
  });

  it('has the hash of a ledger that replays its updates', () => {
    const world = createTestLedger().advanceToRound(4);
    expect(world.isReplayable).toBe(true);
    expect(replay(world.updates()).hash()).toBe(world.hash());
  });
});

describe('the clock of a test ledger', () => {
  it.each([
    ['1h30m', Duration.minutes(90)],
    [Duration.minutes(5), Duration.minutes(5)],
  ])('advances by the duration %s', (span, duration) => {
    const world = createTestLedger();
    const due = world.later(span);
    expect(Instant.between(world.now, due)).toBe(duration);
    expect(world.advance(span).now).toBe(due);
    expect(world.as(alice).tap('1').recordTime).toBe(due);
  });

  it('refuses a time before the current one', () => {
    const world = createTestLedger();
    const start = world.now;
    expect(() => world.advance('5m').advanceTo(start)).toThrow(LedgerAssertionError);
  });

  it('advances the rounds one after another, each at its earliest time', () => {
    const world = createTestLedger();
    expect(world.round).toBe(1);
    world.advanceToRound(2);
    expect(world.updates().filter(({ kind }) => kind === 'RoundsAdvanced')).toHaveLength(0);
    world.advanceToRound(7);
    expect(world.round).toBe(Round.of(7));
    const advances = world.updates().filter(({ kind }) => kind === 'RoundsAdvanced');
    expect(advances).toHaveLength(5);
    expect(world.advanceToRound(7).updates()).toHaveLength(world.updates().length);
    expect(() => world.advanceToRound(6)).toThrow(LedgerAssertionError);
  });
});

/** Returns the coin that transfers burned, without the fees of the preapprovals. */
function burnedBy(world: ReturnType<typeof createTestLedger>): Amount {
  return Amount.sum(
    world.updates().flatMap(({ kind, detail }) => (kind === 'TransferCompleted' ? [detail.burned] : [])),
  );
}
