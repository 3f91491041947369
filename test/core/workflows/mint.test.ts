import {
  Amount,
  emptyLedger,
  genesis,
  type Command,
  type Instant,
  type LedgerOptions,
  type PartyId,
} from '@coinlab/core';
import { trackingOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, second, worldOf } from '../ledger-fixture.ts';
import { precedence, type Fault } from '../precedence.ts';

const mint = (value: Amount): Command => ({ type: 'Mint', receiver: alice, amount: value });
const tap = (value: Amount): Command => ({ type: 'Tap', receiver: alice, amount: value });

interface Plan {
  readonly options: LedgerOptions;
  readonly at: Instant;
  readonly actAs: readonly PartyId[];
  readonly value: Amount;
}

const faults = (strangers: readonly PartyId[]): readonly Fault<Plan>[] => [
  ['TIME_IN_PAST', { at: second(-1) }],
  ['NOT_AUTHORISED', { actAs: strangers }],
  ['DEVNET_ONLY', { options: { isDevNet: false } }],
  ['NON_POSITIVE_AMOUNT', { value: Amount.zero }, 'zero'],
  ['NON_POSITIVE_AMOUNT', { value: amount('-1') }, 'negative'],
  ['INVALID_DECIMAL', { value: (Amount.max + 1n) as Amount }],
];

describe.each([
  ['a mint', mint, [dso, alice], [[alice], [dso], [dso, bob]], 'Minted'],
  ['a tap', tap, [alice], [[dso], [bob], []], 'Tapped'],
] as const)('new coin from %s', (_, command, actAs, strangers, kind) => {
  it('mints a coin with the newest usable round and its rate', () => {
    const world = worldOf({ amuletPrice: amount('0.1') });
    const { created, detail } = world.accepted(kind, command(amount('12.5')), ...actAs);
    expect(created).toEqual([
      {
        id: detail.holding,
        template: 'Holding',
        owner: alice,
        amount: amount('12.5'),
        createdAt: 1,
        ratePerRound: amount('0.000190259'),
        lock: null,
      },
    ]);
    expect(detail).toMatchObject({ minted: amount('12.5'), burned: 0n, receiver: alice, amount: amount('12.5') });
    expect(world.state.minted).toBe(amount('12.5'));
  });

  it('mints the smallest and the largest coin', () => {
    const world = worldOf();
    world.submit(command(Amount.unit), ...actAs);
    world.submit(command(Amount.max), ...actAs);
    expect(world.holdings(alice).map((holding) => holding.amount)).toEqual([Amount.unit, Amount.max]);
  });

  describe.each(
    strangers.map((acting) => [acting.map((party) => party.split('::')[0]).join(' and '), acting] as const),
  )('by %s', (_who, acting) => {
    precedence<Plan>(
      { options: {}, at: second(1), actAs, value: amount('1') },
      faults(acting),
      (code, { options, at, actAs: who, value }) => {
        worldOf(options)
          .at(at)
          .refused(code, command(value), ...who);
      },
    );
  });

  it('is refused while no round is open', () => {
    const [open] = genesis({});
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    const context = { now: open!.context.now, actAs };
    expect(opened.value.ledger.check(command(amount('1')), context)?.code).toBe('ROUND_NOT_OPEN');
    expect(opened.value.ledger.check(command(Amount.zero), context)?.code).toBe('NON_POSITIVE_AMOUNT');
  });
});

describe('a tap with a tracking id', () => {
  const named = (trackingId: string): Command => ({ ...tap(amount('2')), trackingId }) as Command;

  it('is recorded as completed in its own wallet only, with the tapped coin', () => {
    const world = worldOf();
    const { detail } = world.accepted('Tapped', named('once'), alice);
    expect(trackingOf(world.state, alice, 'tap', 'once')).toMatchObject({
      status: 'completed',
      contract: detail.holding,
      owner: alice,
    });
    expect(trackingOf(world.state, bob, 'tap', 'once')).toBeNull();
    expect(trackingOf(world.state, alice, 'transfer', 'once')).toBeNull();
  });

  it('succeeds once per tracking id', () => {
    const world = worldOf();
    world.submit(named('once'), alice);
    expect(world.refused('DUPLICATE_TRACKING_ID', named('once'), alice).trackingId).toBe('once');
    world.submit(named('twice'), alice);
    expect(world.coinsOf(alice)).toEqual(['2.0', '2.0']);
  });

  it('is refused when its id is too long, before the round is checked', () => {
    worldOf().refused('INVALID_ARGUMENT', named('x'.repeat(280)), alice);
  });
});
