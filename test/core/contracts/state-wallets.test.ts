import {
  Amount,
  Duration,
  Engine,
  genesisConfig,
  holdingsOf,
  Instant,
  ledgerFrom,
  openEngine,
  PartyId,
  Round,
  type Command,
  type ContractId,
  type Holding,
  type Law,
  type Ledger,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { contractsByKey, firstByKey, lockedHoldingsOf } from '@coinlab/core/views';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { alice, bob, carol, dso, second } from '../ledger-fixture.ts';
import { NaiveState, type Asked } from './naive-state.ts';

/*
 * A wallet of at most 32 coins is kept as numbers, a larger one as trees until 12 are left; and transfers between small ones are applied in
 * numbers. Nobody can tell: whatever the commands, the sizes and the forks, the state answers as a list of all contracts would.
 */

const PARTIES = [alice, bob, carol] as const;
const stranger = PartyId.of('stranger');
const EXACT = 2n ** 53n;

const ASKED: Asked = {
  owners: [...PARTIES, stranger, dso],
  amounts: [-1n, 0n, 1n, 2n, 3n, 40n, 1000n, EXACT - 1n, EXACT, EXACT + 1n, 2n * EXACT, 2n ** 70n].map(Amount.ofUnits),
  rounds: [0, 3, 500, 1007, 1008, 1009, 5000].map(Round.of),
  times: [0, 60, 3600, 10 ** 8].map(second),
  most: [0, 1, 3, 32, 100],
};

/** An engine with a law goes the long way with every command: nothing is decided in numbers. */
const THE_LONG_WAY: Law = { name: 'anything holds', invariant: 1, holds: () => true };

/** One ledger in both shells, and in one that goes the long way; all are written alike. And its twin. */
class Branch {
  readonly engine: Engine;
  readonly #long: Engine;
  ledger: Ledger;
  naive: NaiveState;

  constructor(state: LedgerState, long: LedgerState, ledger: Ledger, naive: NaiveState) {
    this.engine = new Engine({}, state);
    this.#long = new Engine({ laws: [THE_LONG_WAY] }, long);
    this.ledger = ledger;
    this.naive = naive;
  }

  fork(): Branch {
    return new Branch(this.engine.snapshot(), this.#long.snapshot(), this.ledger, this.naive);
  }

  submit(command: Command, now: Instant, ...actAs: readonly PartyId[]): Update | null {
    const result = this.engine.submit(command, { now, actAs });
    const persistent = this.ledger.submit(command, { now, actAs });
    const long = this.#long.submit(command, { now, actAs });
    if (!result.ok || !persistent.ok || !long.ok) {
      expect(persistent).toEqual(result);
      expect(long).toEqual(result);
      return null;
    }
    const update = result.value.update;
    expect(long.value.update).toEqual(update);
    expect(persistent.value.update).toEqual(update);
    this.ledger = persistent.value.ledger;
    this.naive = this.naive.after(update);
    return update;
  }

  change(
    created: readonly Omit<Holding, 'id' | 'template'>[],
    archived: readonly ContractId[],
    first: number = this.engine.state.nextContract,
  ): void {
    const { offset, time } = this.engine.state;
    const coins = created.map((coin, i): Holding => ({
      id: (first + i) as ContractId,
      template: 'Holding',
      ...coin,
    }));
    const gone = this.naive.contracts.filter((one): one is Holding => archived.includes(one.id));
    const worth = (list: readonly Holding[]): Amount => Amount.sum(list.map(({ amount }) => amount));
    const update: Update = {
      offset: (offset + 1) as Update['offset'],
      updateId: '01KDT00000000000000000HAND' as Update['updateId'],
      recordTime: time,
      kind: 'PartyAllocated',
      actAs: [],
      archived,
      created: coins,
      detail: { minted: worth(coins), burned: worth(gone), party: dso },
    };
    this.engine.apply(update);
    this.#long.apply(update);
    this.ledger = this.ledger.apply(update);
    this.naive = this.naive.after(update);
  }

  expectAll(asked: Asked = ASKED): void {
    this.naive.expectOf(this.engine.state, asked);
    this.naive.expectOf(this.ledger.state, asked);
    expect(this.ledger.hash()).toBe(this.engine.hash());
    expect(this.#long.hash()).toBe(this.engine.hash());
  }
}

/** A ledger without fees, whose parties may pay each other, each with a number of small coins, many of them equal. */
function founded(sizes: readonly number[]): Branch {
  const engine = openEngine({
    profile: 'feeless',
    config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero },
  });
  const { state } = engine;
  const branch = new Branch(state, state, ledgerFrom(state), NaiveState.of(state));
  for (const [i, receiver] of PARTIES.entries()) {
    const expiresAt = Instant.plus(state.time, Duration.days(30));
    branch.submit(
      { type: 'CreatePreapproval', receiver, provider: dso, expiresAt, inputs: [] },
      second(0),
      receiver,
      dso,
    );
    branch.change(
      Array.from({ length: sizes[i] ?? 0 }, (_, n) => coinOf(receiver, BigInt(1 + (n % 7)))),
      [],
    );
  }
  return branch;
}

function coinOf(owner: PartyId, units: bigint, lock: Holding['lock'] = null): Omit<Holding, 'id' | 'template'> {
  return {
    owner,
    amount: Amount.ofUnits(units),
    createdAt: Round.of(0),
    ratePerRound: Amount.ofUnits(units % 3n),
    lock,
  };
}

describe('wallets of every size in diverging forks', () => {
  interface Step {
    readonly what: 'pay' | 'self' | 'merge' | 'tap' | 'offer' | 'end' | 'consent' | 'round' | 'fork' | 'ask';
    readonly branch: number;
    readonly from: number;
    readonly to: number;
    /** How many coins go in, from which on, in which order. */
    readonly coins: number;
    readonly first: number;
    readonly order: 'largest' | 'smallest' | 'oldest' | 'newest';
    /** Share of their worth that is paid, in percent. */
    readonly share: number;
    readonly units: bigint;
  }

  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom<Step['what'][]>('pay', 'pay', 'self', 'merge') },
      { weight: 8, arbitrary: fc.constant<Step['what']>('tap') },
      { weight: 4, arbitrary: fc.constantFrom<Step['what'][]>('offer', 'end') },
      { weight: 3, arbitrary: fc.constantFrom<Step['what'][]>('fork', 'ask') },
      { weight: 1, arbitrary: fc.constantFrom<Step['what'][]>('round', 'consent') },
    ),
    branch: fc.nat(3),
    from: fc.nat(2),
    to: fc.nat(2),
    coins: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
    ),
    first: fc.nat(40),
    order: fc.constantFrom('largest', 'smallest', 'oldest', 'newest'),
    share: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })),
    units: fc.oneof(
      { weight: 8, arbitrary: fc.bigInt(1n, 9n) },
      { weight: 2, arbitrary: fc.bigInt(1n, 10n ** 12n) },
      { weight: 1, arbitrary: fc.constantFrom(EXACT - 1n, EXACT, EXACT + 1n, EXACT * 3n + 1n) },
    ),
  });

  function perform(branch: Branch, { what, from, to, coins, first, order, share, units }: Step): void {
    const { state } = branch.engine;
    const { time } = state;
    const sender = PARTIES[from] as PartyId;
    const receiver = PARTIES[to] as PartyId;
    const own = [...holdingsOf(state, sender, order)];
    const start = Math.min(first, Math.max(0, own.length - coins));
    const chosen = own.slice(start, start + coins);
    const inputs = chosen.map(({ id }) => id);
    const worth = Amount.sum(chosen.map((coin) => coin.amount));
    const amount = Amount.ofUnits((worth * BigInt(share)) / 100n);
    switch (what) {
      case 'pay': {
        const preapproval = firstByKey(state, 'TransferPreapproval', `receiver:${receiver}`)?.id as ContractId;
        branch.submit({ type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval }, time, sender);
        return;
      }
      case 'self':
        branch.submit({ type: 'SelfTransfer', sender, amount, inputs }, time, sender);
        return;
      case 'merge':
        branch.submit({ type: 'MergeHoldings', owner: sender, inputs }, time, sender);
        return;
      case 'tap':
        branch.submit({ type: 'Tap', receiver, amount: Amount.ofUnits(units) }, time, receiver);
        return;
      case 'offer': {
        const executeBefore = Instant.plus(time, Duration.minutes(1));
        branch.submit({ type: 'CreateOffer', sender, receiver, amount, inputs, executeBefore }, time, sender);
        return;
      }
      case 'end': {
        const instruction = firstByKey(state, 'TransferInstruction', receiver)?.id;
        if (instruction !== undefined) branch.submit({ type: 'AcceptOffer', instruction }, time, receiver);
        const locked = [...lockedHoldingsOf(state, sender)][0]?.id;
        if (locked !== undefined) branch.submit({ type: 'Unlock', holding: locked }, time, sender, receiver, dso);
        return;
      }
      case 'consent': {
        // Given for a while and once more, or taken back: which preapproval is in force is remembered with a wallet.
        const preapproval = [...contractsByKey(state, 'TransferPreapproval', `receiver:${receiver}`)].at(-1)?.id;
        if (share > 50 && preapproval !== undefined)
          branch.submit({ type: 'CancelPreapproval', preapproval }, time, receiver);
        const expiresAt = Instant.plus(time, Duration.minutes(share));
        const given = { receiver, provider: sender, expiresAt, inputs: [] };
        if (share < 60) branch.submit({ type: 'CreatePreapproval', ...given }, time, receiver, sender);
        return;
      }
      case 'round':
        branch.submit(
          { type: 'AdvanceOpenRounds', amuletPrice: Amount.of('0.01') },
          Instant.plus(time, Duration.minutes(20)),
          dso,
        );
        return;
      case 'fork':
      case 'ask':
        return branch.expectAll({ ...ASKED, most: [coins], times: [time] });
    }
  }

  it('give the same results as a naive list, in each fork and in every earlier state', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 2, 11, 12, 13, 30, 31, 32, 33, 34, 45), { minLength: 3, maxLength: 3 }),
        fc.array(step, { minLength: 1, maxLength: 80 }),
        (sizes, steps) => {
          const branches = [founded(sizes)];
          const left: { readonly ledger: Ledger; readonly naive: NaiveState }[] = [];
          for (const one of steps) {
            const branch = branches[one.branch % branches.length] as Branch;
            if (one.what === 'fork') {
              left.push({ ledger: branch.ledger, naive: branch.naive });
              if (branches.length < 4) branches.push(branch.fork());
            }
            perform(branch, one);
          }
          for (const branch of branches) branch.expectAll();
          for (const { ledger, naive } of left) naive.expectOf(ledger.state, ASKED);
        },
      ),
      { numRuns: runs(15) },
    );
  });
});

describe('a wallet that gains and loses coins one by one', () => {
  const few: Asked = {
    owners: [alice],
    amounts: [5n, 20n, EXACT].map(Amount.ofUnits),
    rounds: [30].map(Round.of),
    times: [],
    most: [3, 100],
  };

  it.each<[string, (nth: number) => bigint]>([
    ['all of one amount', () => 20n],
    ['each larger than the last', (nth) => BigInt(1 + nth)],
    ['each smaller than the last', (nth) => BigInt(99 - nth)],
    ['each the twin of another', (nth) => BigInt(1 + (nth % 20))],
    ['one of them too large for a double', (nth) => (nth === 7 ? EXACT : BigInt(1 + (nth % 3)))],
    ['together too large for a double', () => EXACT - 1n],
  ])('has all its coins at every size and does not affect its fork: %s', (_, unitsOf) => {
    let branch = founded([]);
    const grow = (on: Branch, nth: number): void => on.change([coinOf(alice, unitsOf(nth))], []);
    const spend = (on: Branch, nth: number): void => {
      const coins = on.naive.inOrder(alice, nth % 2 === 0 ? 'smallest' : 'oldest');
      const coin = coins[(nth * 7) % coins.length] as Holding;
      on.change([], [coin.id]);
    };
    // The fork is written while the other stays, and then the other way round.
    const step = (nth: number, here: typeof grow, there: typeof grow): void => {
      const fork = branch.fork();
      const [one, other] = nth % 2 === 0 ? [branch, fork] : [fork, branch];
      here(one, nth);
      other.expectAll(few);
      if (other.naive.count(alice) > 0) there(other, nth);
      other.expectAll(few);
      one.expectAll(few);
      branch = one;
    };
    for (let nth = 0; nth < 40; nth++) step(nth, grow, spend);
    expect(branch.naive.count(alice)).toBe(40);
    for (let nth = 0; nth < 40; nth++) step(nth, spend, grow);
    expect(branch.naive.count(alice)).toBe(0);
  });
});

describe('coins whose ids are far apart', () => {
  const asked: Asked = {
    owners: [alice, bob],
    amounts: [5n, 20n].map(Amount.ofUnits),
    rounds: [30].map(Round.of),
    times: [],
    most: [3],
  };

  it('are found in order and removed one by one', () => {
    const branch = founded([]);
    const left: Branch[] = [];
    for (const bits of [10, 14, 15, 16, 20, 25, 30, 31, 32, 33, 35, 40, 45, 50]) {
      // The largest number of each bit length, and one below and above.
      for (const near of [-1, 31]) {
        const first = 2 ** bits + near;
        branch.change([coinOf(alice, 7n), coinOf(bob, 9n)], [], first);
        branch.naive.expectOf(branch.engine.state, asked);
      }
      if (bits % 5 === 0) left.push(branch.fork());
    }
    for (const owner of [alice, bob])
      for (const nth of [20, 0, 7, 7, 3, 0, 10, 1]) {
        const coin = branch.naive.at(owner, nth) as Holding;
        branch.change([], [coin.id]);
        branch.naive.expectOf(branch.engine.state, asked);
      }
    branch.expectAll(asked);
    for (const fork of left) fork.expectAll(asked);
  });
});

describe('coins with the same id in diverged forks', () => {
  it('are found in their own fork and wallet only', () => {
    const asked = { owners: PARTIES, amounts: [5n].map(Amount.ofUnits), rounds: [], times: [], most: [2] };
    const one = founded([3, 3, 3]);
    const others = PARTIES.map(() => one.fork());
    for (let more = 0; more < 40; more++) {
      for (const [i, other] of others.entries()) other.change([coinOf(PARTIES[i] as PartyId, 5n)], []);
      if (more % 10 > 0) continue;
      for (const each of [one, ...others]) each.naive.expectOf(each.engine.state, asked);
      expect(new Set(others.map(({ engine }) => engine.state.nextContract)).size).toBe(1);
    }
  });
});

describe('coins with a sum above the exact range of a double', () => {
  it('cover an amount exactly to one unit', () => {
    const most = EXACT - 1n;
    const branch = founded([]);
    branch.change(
      [2n, most, most, most].map((units) => coinOf(alice, units)),
      [],
    );
    const amounts = [0n, 1n, 2n].flatMap((by) =>
      [most, most + 2n, 2n * most, 2n * most + 2n, 3n * most].map((sum) => sum + by),
    );
    const asked = { owners: [alice], amounts: amounts.map(Amount.ofUnits), rounds: [], times: [], most: [1, 2, 3, 4] };
    branch.naive.expectOf(branch.engine.state, asked);
    branch.naive.expectOf(branch.ledger.state, asked);
  });
});

describe('thousands of coins of one owner', () => {
  const COUNT = 4200;
  const some: Asked = {
    owners: [alice],
    amounts: [0n, 1n, 999n, 2500n, 5000n].map(Amount.ofUnits),
    rounds: [],
    times: [],
    most: [3, 40],
  };
  function rich(): Branch {
    const branch = founded([]);
    for (let first = 0; first < COUNT; first += 600) {
      // In another order than the ages, a third of them equal to another.
      const units = Array.from({ length: 600 }, (_, i) => BigInt(1 + (((first + i) * 1337) % 2801)));
      branch.change(
        units.map((amount) => coinOf(alice, amount)),
        [],
      );
      branch.naive.expectOf(branch.engine.state, some);
    }
    return branch;
  }

  /** Selects the remaining coins to spend next, a number at a time. */
  type Spending = (coins: readonly Holding[], most: number) => readonly Holding[];

  it.each<[string, 'oldest' | 'smallest', Spending]>([
    ['the oldest first', 'oldest', (coins, most) => coins.slice(0, most)],
    ['the newest first', 'oldest', (coins, most) => coins.slice(-most)],
    ['the smallest first', 'smallest', (coins, most) => coins.slice(0, most)],
    ['the largest first', 'smallest', (coins, most) => coins.slice(-most)],
    ['from the middle of their ages', 'oldest', (coins, most) => coins.slice(coins.length / 2).slice(0, most)],
    ['from the middle of their amounts', 'smallest', (coins, most) => coins.slice(coins.length / 2).slice(0, most)],
    ['here and there', 'oldest', (coins, most) => coins.filter((_, i) => i % 11 !== 3).slice(0, most)],
    ['all but a few of each kind', 'smallest', (coins, most) => coins.filter((_, i) => i % 40 > 1).slice(-most)],
  ])('can be spent in any order, and recreated in a fork made half-way: %s', (_, order, spending) => {
    const before = rich();
    const branch = before.fork();
    let fork: Branch | null = null;
    while (branch.naive.count(alice) > 0) {
      const left = branch.naive.inOrder(alice, order);
      const next = spending(left, left.length > 1000 ? 250 : 90);
      const gone = next.length > 0 ? next : left;
      branch.change(
        [],
        gone.map(({ id }) => id),
      );
      branch.naive.expectOf(branch.engine.state, some);
      if (!fork && left.length < COUNT / 3) fork = branch.fork();
      fork?.change(
        gone.map(({ amount }) => coinOf(alice, amount)),
        [],
      );
    }
    fork?.naive.expectOf(fork.engine.state, some);
    expect(fork?.naive.count(alice)).toBeGreaterThan(1400);
    before.naive.expectOf(before.engine.state, some);
  });

  it('are found after a gap was filled and its neighbours were joined', () => {
    const branch = founded([]);
    const ten = (from: number, to: number): readonly bigint[] =>
      Array.from({ length: to - from }, (_, i) => BigInt(10 * (from + i) + 10));
    for (let from = 0; from < 3000; from += 500)
      branch.change(
        ten(from, from + 500).map((units) => coinOf(alice, units)),
        [],
      );
    // Entered by amount, 1,024 of them fill a part to the brim.
    branch.naive.expectOf(branch.engine.state, some);
    const spend = (from: number, to: number): void => {
      const amounts = new Set(ten(from, to));
      const coins = branch.naive.inOrder(alice, 'smallest').filter(({ amount }) => amounts.has(amount));
      branch.change(
        [],
        coins.map(({ id }) => id),
      );
    };
    spend(1024, 1056);
    const gap = ten(1030, 1034);
    branch.change(
      gap.map((units) => coinOf(alice, units)),
      [],
    );
    spend(1300, 2048);
    spend(200, 1024);
    const asked = { ...some, amounts: gap.map(Amount.ofUnits) };
    branch.naive.expectOf(branch.engine.state, asked);
    spend(1031, 1033);
    branch.naive.expectOf(branch.engine.state, asked);
  });
});
