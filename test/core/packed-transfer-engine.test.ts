import { createHash } from 'node:crypto';
import {
  Amount,
  countOf,
  Duration,
  Engine,
  GENESIS_TIME,
  genesisConfig,
  holdingsOf,
  Instant,
  openCompactLog,
  openEngine,
  type ContractId,
  type Context,
  type Holding,
  type LedgerState,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { fewOf, pay as payByNumber, walletOf } from '@coinlab/core/simulation';
import { preapprovalOf } from '@coinlab/core/rules';
import type { Sha256 } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, provider } from './ledger-fixture.ts';
import { founded, SEED, type Shells } from './packed-shells.ts';

describe('a wallet that had more than 32 coins, the limit for packed transfers', () => {
  it('pays and receives like any other wallet', () => {
    const shells = founded({ profile: 'feeless', config: 'feeless' });
    const tap = (receiver: PartyId, value: string): boolean =>
      shells.submit({ type: 'Tap', receiver, amount: Amount.of(value) }, { now: GENESIS_TIME, actAs: [receiver] });
    const pay = (sender: PartyId, receiver: PartyId, most: number): boolean => {
      const inputs = [...holdingsOf(shells.state, sender, 'smallest')].slice(0, most).map(({ id }) => id);
      const preapproval = preapprovalOf(shells.state, receiver, GENESIS_TIME)?.id as ContractId;
      return shells.submit(
        { type: 'DirectTransfer', sender, receiver, amount: Amount.of('0.25'), inputs, preapproval },
        { now: GENESIS_TIME, actAs: [sender] },
      );
    };
    for (let i = 0; i < 26; i++) expect(tap(bob, '1')).toBe(true);
    expect(countOf(shells.state, bob)).toBe(31);
    for (let i = 0; i < 4; i++) expect(pay(alice, bob, 2)).toBe(true);
    expect(countOf(shells.state, bob)).toBe(35);
    expect(pay(bob, carol, 30)).toBe(true);
    expect(countOf(shells.state, bob)).toBe(6);
    expect(pay(alice, bob, 1)).toBe(true);
    shells.agree();
  });
});

describe('a packed transfer', () => {
  const WORLD = { profile: 'feeless', config: 'feeless' } as const;
  const at = (...actAs: readonly PartyId[]): Context => ({ now: GENESIS_TIME, actAs });
  const coinsOf = (shells: Shells, owner: PartyId): readonly Holding[] => [
    ...holdingsOf(shells.state, owner, 'smallest'),
  ];
  /** Taps coins until the party has the given number of them, each of another amount. */
  function filled(shells: Shells, receiver: PartyId, count: number): void {
    for (let n = countOf(shells.state, receiver); n < count; n++)
      expect(shells.submit({ type: 'Tap', receiver, amount: Amount.ofUnits(BigInt(1 + n)) }, at(receiver))).toBe(true);
  }

  it('spends the named coins in any order of the command, and returns the exact change', () => {
    const few = coinsOf(founded(WORLD), alice).length;
    expect(few).toBe(5);
    for (let chosen = 1; chosen < 2 ** few; chosen++)
      for (const order of ['smallest', 'largest'] as const) {
        const shells = founded(WORLD);
        const coins = [...holdingsOf(shells.state, alice, order)].filter((_, i) => (chosen >> i) & 1);
        const worth = Amount.sum(coins.map(({ amount }) => amount));
        const inputs = coins.map(({ id }) => id);
        const amount = Amount.sub(worth, Amount.of('0.2'));
        const preapproval = preapprovalOf(shells.state, bob, GENESIS_TIME)?.id as ContractId;
        const pay = { type: 'DirectTransfer', sender: alice, receiver: bob, amount, inputs, preapproval } as const;
        expect(shells.submit(pay, at(alice))).toBe(true);
        expect(coinsOf(shells, alice).map((coin) => coin.amount)).toContain(Amount.of('0.2'));
        expect(countOf(shells.state, alice)).toBe(few - coins.length + 1);
        shells.agree();
      }
  });

  it('spends the smallest coins and one larger coin, and returns the change', () => {
    for (let first = 1; first < 6; first++)
      for (let larger = first + 1; larger < 7; larger++) {
        const shells = founded(WORLD);
        for (const value of ['5', '6'])
          shells.submit({ type: 'Tap', receiver: alice, amount: Amount.of(value) }, at(alice));
        const inputs = coinsOf(shells, alice)
          .filter((_, i) => i < first || i === larger)
          .map(({ id }) => id);
        const preapproval = preapprovalOf(shells.state, bob, GENESIS_TIME)?.id as ContractId;
        const amount = Amount.of('0.2');
        const pay = { type: 'DirectTransfer', sender: alice, receiver: bob, amount, inputs, preapproval } as const;
        expect(shells.submit(pay, at(alice))).toBe(true);
        shells.agree();
      }
  });

  it('sorts the change among the remaining coins, behind a coin of the same amount', () => {
    const order = (coins: readonly Holding[]): readonly (readonly [bigint, number])[] =>
      coins.map(({ amount, id }) => [amount, id]);
    const world = founded(WORLD);
    const own = coinsOf(world, bob).map(({ id }) => id);
    expect(world.submit({ type: 'MergeHoldings', owner: bob, inputs: own }, at(bob))).toBe(true);
    // Five coins of 3 to 7 units, and one of many.
    for (const units of [3n, 4n, 5n, 6n, 7n])
      world.submit({ type: 'Tap', receiver: bob, amount: Amount.ofUnits(units) }, at(bob));
    const preapproval = preapprovalOf(world.state, carol, GENESIS_TIME)?.id as ContractId;
    for (let count = 1; count <= 5; count++) {
      const inputs = coinsOf(world, bob).slice(0, count);
      const worth = Number(Amount.sum(inputs.map(({ amount }) => amount)));
      for (let paid = 1; paid <= worth; paid++) {
        const engine = new Engine({}, world.state);
        const terms = { sender: bob, amount: Amount.ofUnits(BigInt(paid)), inputs: inputs.map(({ id }) => id) };
        const pay = { type: 'DirectTransfer', receiver: carol, preapproval, ...terms } as const;
        expect(engine.submit(pay, at(bob)).ok).toBe(true);
        const left = [...holdingsOf(engine.state, bob, 'smallest')];
        expect(order(left)).toEqual(order(left.toSorted((a, b) => Number(a.amount - b.amount) || a.id - b.id)));
        expect(left).toHaveLength(6 - count + (paid < worth ? 1 : 0));
        // What is asked for can be looked through twice.
        const asked = holdingsOf(engine.state, bob, 'smallest');
        expect([...asked]).toEqual([...asked]);
      }
    }
  });

  it('is refused when it names a coin twice, in any place', () => {
    for (let first = 1; first < 5; first++)
      for (let again = 0; again < first; again++) {
        const shells = founded(WORLD);
        const ids = coinsOf(shells, alice).map(({ id }) => id);
        for (const inputs of [
          [...ids.slice(0, first), ids[again] as ContractId],
          [...ids.slice(0, first + 1).toReversed(), ids[again] as ContractId],
        ])
          expect(shells.submit({ type: 'MergeHoldings', owner: alice, inputs }, at(alice))).toBe(false);
      }
  });

  it.each([29, 30, 31, 32, 33])(
    'to oneself spends one, two, three or all coins of a wallet of %i, with and without change',
    (count) => {
      for (const inputs of [1, 2, 3, count])
        for (const rest of [0n, 1n]) {
          const shells = founded(WORLD);
          filled(shells, alice, count);
          const coins = coinsOf(shells, alice).slice(-inputs);
          const worth = Amount.sum(coins.map(({ amount }) => amount));
          const amount = Amount.ofUnits(worth - rest);
          const self = { type: 'SelfTransfer', sender: alice, amount, inputs: coins.map(({ id }) => id) } as const;
          expect(shells.submit(self, at(alice))).toBe(true);
          expect(countOf(shells.state, alice)).toBe(count - inputs + 1 + Number(rest));
          shells.agree();
        }
    },
  );

  it.each([2, 31, 32, 33])(
    'spends the smallest sufficient coins of a wallet of %i and pays a wallet of the same size',
    (count) => {
      const shells = founded(WORLD);
      for (const party of [alice, bob]) filled(shells, party, count);
      const wallet = coinsOf(shells, alice);
      let sum = 0;
      for (const { amount } of wallet) {
        sum += Number(amount);
        for (const units of [sum - 1, sum, sum + 1].filter((each) => each > 0)) {
          const paying = founded(WORLD);
          for (const party of [alice, bob]) filled(paying, party, count);
          const isEnough = wallet.reduce((total, coin) => total + Number(coin.amount), 0) >= units;
          expect(paying.pay(alice, bob, units, GENESIS_TIME)).toBe(isEnough);
          expect(countOf(paying.state, bob)).toBe(countOf(shells.state, bob) + (isEnough ? 1 : 0));
          if (units % 7 === 0) paying.agree();
        }
      }
    },
  );

  it('keeps any two amounts in the range of doubles exact when it is written and read back', () => {
    const powers = [0, 6, 7, 13, 14, 21, 27, 28, 35, 49, 50, 51, 52].map((bits) => 2n ** BigInt(bits));
    const edges = [0n, ...powers.flatMap((power) => [power - 1n, power, power + 1n]), 2n ** 53n - 1n];
    const amounts = [...new Set(edges)];
    for (const [i, paid] of amounts.entries()) {
      if (paid === 0n) continue;
      const shells = founded(WORLD);
      const preapproval = preapprovalOf(shells.state, bob, GENESIS_TIME)?.id as ContractId;
      for (const [j, change] of [...amounts, paid].entries()) {
        const amount = Amount.ofUnits(paid + change);
        if (amount >= 2n ** 53n || (i + j) % 4 === 0) continue;
        const mint = { type: 'Mint', receiver: alice, amount } as const;
        expect(shells.submit(mint, { now: GENESIS_TIME, actAs: [dso, alice] })).toBe(true);
        const inputs = [[...holdingsOf(shells.state, alice, 'newest')][0]?.id as ContractId];
        const pay = { sender: alice, amount: Amount.ofUnits(paid), inputs };
        const command =
          j % 3 === 0
            ? ({ type: 'SelfTransfer', ...pay } as const)
            : ({ type: 'DirectTransfer', receiver: bob, preapproval, ...pay } as const);
        expect(shells.submit(command, at(alice))).toBe(true);
        const [made] = holdingsOf(shells.state, alice, 'newest');
        const merge = { type: 'MergeHoldings', owner: alice, inputs: made ? [made.id] : [] } as const;
        expect(shells.submit(merge, at(alice))).toBe(made !== undefined);
        // So that both wallets stay small.
        for (const owner of [alice, bob]) {
          const rest = coinsOf(shells, owner).filter((coin) => coin.amount <= 2n ** 40n);
          if (countOf(shells.state, owner) > 20)
            shells.submit({ type: 'MergeHoldings', owner, inputs: rest.map(({ id }) => id) }, at(owner));
        }
      }
      shells.agree();
    }
  });

  it.each([
    ['which ends later', Duration.days(60)],
    ['which ends before the first', Duration.minutes(2)],
  ])(
    'to a receiver with two preapprovals uses the preapproval that the rules choose; the second is of %s',
    (_, lasts) => {
      const shells = founded(WORLD);
      const expiresAt = Instant.plus(GENESIS_TIME, lasts);
      const consent = { type: 'CreatePreapproval', receiver: carol, provider, expiresAt, inputs: [] } as const;
      const pay = (minutes: number): boolean =>
        shells.pay(alice, carol, 5, Instant.plus(GENESIS_TIME, Duration.minutes(minutes)));
      expect(pay(0)).toBe(true);
      expect(shells.submit(consent, at(carol, provider))).toBe(true);
      for (const minutes of [0, 1, 3, 19]) expect(pay(minutes)).toBe(true);
      // The first has ended.
      expect(pay(21)).toBe(lasts > Duration.minutes(30));
      shells.agree();
      const later = Instant.plus(GENESIS_TIME, Duration.minutes(22));
      for (const { id: preapproval } of contractsByKey(shells.state, 'TransferPreapproval', `receiver:${carol}`)) {
        shells.submit({ type: 'CancelPreapproval', preapproval }, { now: later, actAs: [carol] });
        pay(22);
      }
      shells.agree();
    },
  );
});

describe('a compact log continued by another engine', () => {
  it('numbers the parties like that engine', () => {
    const log = openCompactLog(SEED);
    const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
    const first = openEngine({ ...options, log });
    const merge = (engine: Engine, owner: PartyId): void => {
      const inputs = Array.from(holdingsOf(engine.state, owner, 'oldest'), ({ id }) => id);
      const merged = engine.submit({ type: 'MergeHoldings', owner, inputs }, { now: GENESIS_TIME, actAs: [owner] });
      expect(merged.ok).toBe(true);
    };
    for (const receiver of [alice, alice, bob, bob])
      first.submit({ type: 'Tap', receiver, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [receiver] });
    merge(first, alice);
    const strange = new Engine();
    walletOf(strange.state, carol);
    walletOf(strange.state, bob);
    expect(strange.replay(log.whole())).toBeNull();
    const second = new Engine({ log }, strange.state);
    merge(second, bob);
    merge(second, alice);
    const replayed = new Engine();
    expect(replayed.replay(log.whole())).toBeNull();
    expect(replayed.hash()).toBe(second.hash());
  });
});

describe('a compact log replayed by an engine', () => {
  const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
  const at = (...actAs: readonly PartyId[]): Context => ({ now: GENESIS_TIME, actAs });
  const pay = (on: Engine): boolean => {
    const [coin] = holdingsOf(on.state, alice, 'oldest');
    const preapproval = preapprovalOf(on.state, bob, GENESIS_TIME)?.id as ContractId;
    const inputs = coin ? [coin.id] : [];
    return on.submit(
      { type: 'DirectTransfer', sender: alice, receiver: bob, amount: Amount.of('5'), inputs, preapproval },
      at(alice),
    ).ok;
  };
  /** An engine that has paid three times, its state before that, and the log since. */
  function paid(): { readonly engine: Engine; readonly half: LedgerState; readonly bytes: Uint8Array } {
    const log = openCompactLog(SEED);
    const engine = openEngine({ ...options, log });
    engine.submit(
      { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
      at(bob, dso),
    );
    for (let i = 0; i < 6; i++) engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, at(alice));
    const half = engine.snapshot();
    log.take();
    for (let i = 0; i < 3; i++) expect(pay(engine)).toBe(true);
    return { engine, half, bytes: log.whole() };
  }

  it('continues at the offset of the engine', () => {
    const { engine, half, bytes } = paid();
    const later = new Engine({}, half);
    expect(later.replay(bytes)).toBeNull();
    expect(later.hash()).toBe(engine.hash());
  });

  it('is applied up to a truncated segment, and the message names the segment', () => {
    const { half, bytes } = paid();
    const torn = new Engine();
    expect(torn.replay(bytes.subarray(0, bytes.length - 1))).toEqual({
      at: expect.any(Number),
      offset: half.offset,
      reason: 'a torn segment',
    });
    expect(torn.state.offset).toBe(half.offset);
  });

  it('stops before an update that does not fit', () => {
    const { half, bytes } = paid();
    const other = new Engine({}, half);
    const [, second] = [...holdingsOf(half, alice, 'oldest')];
    other.submit({ type: 'MergeHoldings', owner: alice, inputs: [second?.id as ContractId] }, at(alice));
    expect(() => other.replay(bytes)).toThrow(/an archived contract was active|contract ids ascend/);
  });
});

describe('a coin whose id is above 2³³', () => {
  it('is stored as an object, and is spent like any other coin', () => {
    const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
    const engine = openEngine(options);
    engine.submit(
      { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
      { now: GENESIS_TIME, actAs: [bob, dso] },
    );
    engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [alice] });
    const [tapped] = [...holdingsOf(engine.state, alice, 'oldest')];
    const { state } = engine;
    const far = 2 ** 33 - 1;
    const coin = { ...(tapped as Holding), id: far as ContractId };
    const detail = { minted: coin.amount, burned: 0n, receiver: alice, amount: coin.amount, holding: far };
    engine.apply({
      offset: state.offset + 1,
      updateId: '',
      recordTime: state.time,
      kind: 'Minted',
      actAs: [dso],
      archived: [],
      created: [coin],
      detail,
    } as unknown as Update);
    const from = walletOf(engine.state, alice);
    const to = walletOf(engine.state, bob);
    expect([fewOf(engine.state, from), fewOf(engine.state, 1000)]).toEqual([2, 0]);
    expect(payByNumber(engine, { from: from, to: to, units: 70_000_000_000, now: GENESIS_TIME }).ok).toBe(true);
    expect(holdingsIn(engine.state, bob)).toEqual([[2 ** 33, 70_000_000_000n]]);
    expect(holdingsIn(engine.state, alice)).toEqual([[2 ** 33 + 1, 30_000_000_000n]]);
    expect(payByNumber(engine, { from: from, to: to, units: 10_000_000_000, now: GENESIS_TIME }).ok).toBe(true);
    expect(payByNumber(engine, { from: to, to: from, units: 75_000_000_000, now: GENESIS_TIME })).toMatchObject({
      error: { code: 'CONTRACT_NOT_FOUND' },
    });
    expect(holdingsIn(engine.state, bob).map(([id]) => id)).toEqual([2 ** 33 + 2, 2 ** 33]);
  });

  const holdingsIn = (state: LedgerState, owner: PartyId): readonly (readonly [number, bigint])[] =>
    Array.from(holdingsOf(state, owner, 'smallest'), ({ id, amount }) => [id, amount]);
});

describe('a compact log with the SHA-256 of the platform', () => {
  it('has the same bytes as with our SHA-256, and either one can read it', () => {
    const native: Sha256 = (...pieces) =>
      pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
    const logs = [openCompactLog(SEED), openCompactLog(SEED, native)] as const;
    for (const log of logs) {
      const engine = openEngine({ seed: SEED, log });
      for (let i = 0; i < 2_000; i++)
        engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [alice] });
    }
    const bytes = logs[1].whole();
    expect(Buffer.from(bytes).equals(logs[0].whole())).toBe(true);
    for (const sha256 of [undefined, native]) expect(new Engine().replay(bytes, sha256)).toBeNull();
    expect(new Engine().replay(bytes, (...pieces) => native(...pieces).fill(0, 0, 1))).toMatchObject({ offset: 0 });
  });
});
