import { PartyId } from '@coinlab/core';
import { Streams, type Draw, type NetworkFile, type PolicyName } from '@coinlab/sim';

/* A naive implementation of the comparison conventions: arrays and sorting, no ledger. Replays must agree with it on every file. */

interface Coin {
  readonly id: number;
  readonly amount: bigint;
  readonly round: number;
}

export interface Habits {
  readonly policy: PolicyName;
  readonly cap: number | null;
  readonly mergeThreshold: number | null;
  readonly seed: number;
}

/** The figures that both must agree on. */
export interface Figures {
  payments: number;
  unpaid: number;
  meanUtxos: number;
  maxUtxos: number;
  finalUtxos: number;
  changeCreated: number;
  inputsSpent: number;
  maxInputs: number;
  capMerges: number;
  merges: number;
  mergeInputs: number;
  expired: number;
  finalBalance: bigint;
}

class World {
  readonly wallets: Coin[][] = [];
  round = 0;
  figures: Figures = {
    payments: 0,
    unpaid: 0,
    meanUtxos: 0,
    maxUtxos: 0,
    finalUtxos: 0,
    changeCreated: 0,
    inputsSpent: 0,
    maxInputs: 0,
    capMerges: 0,
    merges: 0,
    mergeInputs: 0,
    expired: 0,
    finalBalance: 0n,
  };
  #next = 1;
  #sum = 0;
  #rows = 0;
  readonly #habits: Habits;
  readonly #draws: readonly Draw[];

  constructor(habits: Habits, parties: readonly string[]) {
    this.#habits = habits;
    const streams = new Streams(habits.seed);
    this.#draws = parties.map((party) => {
      const stream = streams.named(`${party}/selection`);
      return (below) => stream.below(below);
    });
    this.wallets = parties.map(() => []);
  }

  get total(): number {
    return this.wallets.reduce((sum, wallet) => sum + wallet.length, 0);
  }

  balance(wallet: number): bigint {
    return sum(this.coins(wallet));
  }

  coins(wallet: number): Coin[] {
    return this.wallets[wallet] as Coin[];
  }

  create(wallet: number, amount: bigint): void {
    this.coins(wallet).push({ id: this.#next++, amount, round: this.round });
    this.figures.maxUtxos = Math.max(this.figures.maxUtxos, this.total);
  }

  remove(wallet: number, gone: readonly Coin[]): void {
    this.wallets[wallet] = this.coins(wallet).filter((coin) => !gone.includes(coin));
  }

  pay(from: number, to: number | null, amount: bigint): void {
    const cap = this.#habits.cap ?? Infinity;
    const draw = this.#draws[from] as Draw;
    let selection = select(this.#habits.policy, this.coins(from), amount, cap, draw);
    while (selection.length > cap) {
      this.figures.capMerges += 1;
      this.merge(from, selection.slice(0, cap));
      selection = select(this.#habits.policy, this.coins(from), amount, cap, draw);
    }
    this.remove(from, selection);
    const change = sum(selection) - amount;
    if (change > 0n) this.create(from, change);
    if (to !== null) this.create(to, amount);
    this.figures.payments += 1;
    this.figures.changeCreated += change > 0n ? 1 : 0;
    this.figures.inputsSpent += selection.length;
    this.figures.maxInputs = Math.max(this.figures.maxInputs, selection.length);
  }

  merge(wallet: number, coins: readonly Coin[]): void {
    this.figures.merges += 1;
    this.figures.mergeInputs += coins.length;
    this.remove(wallet, coins);
    this.create(wallet, sum(coins));
  }

  tidy(wallet: number): void {
    const { mergeThreshold, cap } = this.#habits;
    if (mergeThreshold === null || this.coins(wallet).length <= mergeThreshold) return;
    this.merge(wallet, smallestFirst(this.coins(wallet)).slice(0, Math.min(100, cap ?? 100)));
  }

  endRow(): void {
    this.#sum += this.total;
    this.#rows += 1;
  }

  close(): Figures {
    return {
      ...this.figures,
      meanUtxos: Number((this.#sum / this.#rows).toFixed(6)),
      finalUtxos: this.total,
      finalBalance: this.wallets.reduce((all, wallet) => all + sum(wallet), 0n),
    };
  }
}

function partyNamed(name: string): PartyId {
  const whole = PartyId.parse(name);
  return whole.ok ? whole.value : PartyId.of(name);
}

export function naiveStream(
  rows: readonly bigint[],
  habits: Habits & { readonly whenShort: 'wait' | 'drop'; readonly opening: readonly bigint[] },
): Figures {
  const world = new World(habits, [PartyId.of('wallet')]);
  for (const amount of habits.opening) world.create(0, amount);
  const queue: bigint[] = [];
  for (const row of rows) {
    if (row > 0n) world.create(0, row);
    else if (habits.whenShort === 'drop' && -row > world.balance(0)) world.figures.unpaid += 1;
    else queue.push(-row);
    for (let [first] = queue; first !== undefined && first <= world.balance(0); [first] = queue) {
      world.pay(0, null, first);
      queue.shift();
    }
    world.tidy(0);
    world.endRow();
  }
  world.figures.unpaid += queue.length;
  return world.close();
}

/** Replays a network; counts the share over ten directly, party by party. */
export function naiveNetwork(
  { rows, parties }: NetworkFile,
  habits: Habits & { readonly holdingRate: bigint | null },
): Figures & { shareOfPartyRoundsOver10: number; partiesOver10Final: number } {
  const world = new World(habits, parties.map(partyNamed));
  const met = new Set<number>();
  let samples = 0;
  let over = 0;
  rows.forEach(({ round, from, to, amount }, i) => {
    if (round !== rows[i - 1]?.round) {
      world.round = round;
      if (habits.holdingRate !== null) expire(world, habits.holdingRate);
    }
    if (from === null) {
      world.create(to, amount);
    } else {
      if (amount > world.balance(from)) world.figures.unpaid += 1;
      else world.pay(from, to, amount);
      world.tidy(from);
    }
    world.tidy(to);
    world.endRow();
    met.add(to);
    if (from !== null) met.add(from);
    if (rows[i + 1]?.round !== round) {
      for (const party of met) {
        samples += 1;
        if (world.coins(party).length > 10) over += 1;
      }
    }
  });
  return {
    ...world.close(),
    shareOfPartyRoundsOver10: Number((over / samples).toFixed(6)),
    partiesOver10Final: world.wallets.filter((wallet) => wallet.length > 10).length,
  };
}

function expire(world: World, rate: bigint): void {
  for (const [wallet, coins] of world.wallets.entries()) {
    const dust = coins.filter(({ amount, round }) => rate * BigInt(world.round - round) > amount);
    world.figures.expired += dust.length;
    world.remove(wallet, dust);
  }
}

function select(policy: PolicyName, coins: readonly Coin[], amount: bigint, cap: number, draw: Draw): readonly Coin[] {
  switch (policy) {
    case 'largest-first':
      return cover(largestFirst(coins), amount);
    case 'smallest-first':
      return cover(smallestFirst(coins), amount);
    case 'oldest-first':
      return cover(
        coins.toSorted((a, b) => a.id - b.id),
        amount,
      );
    case 'newest-first':
      return cover(
        coins.toSorted((a, b) => b.id - a.id),
        amount,
      );
    case 'exact-or-largest-plus-smallest': {
      const exact = largestFirst(coins).find((coin) => coin.amount === amount);
      const [largest] = largestFirst(coins);
      const rest = smallestFirst(coins).filter((coin) => coin !== largest);
      return exact ? [exact] : cover([largest as Coin, ...rest], amount);
    }
    case 'blackjack': {
      const taken: Coin[] = [];
      for (const coin of largestFirst(coins)) if (coin.amount < amount - sum(taken)) taken.push(coin);
      const skipped = largestFirst(coins).filter((coin) => !taken.includes(coin));
      return cover([...taken, ...skipped], amount);
    }
    case 'random':
      return drawUntil(coins, draw, (taken) => sum(taken) >= amount || taken.length > cap).taken;
    case 'random-improve': {
      const { taken, pool } = drawUntil(coins, draw, (drawn) => sum(drawn) >= amount || drawn.length > cap);
      if (taken.length > cap) return cover(largestFirst(coins), amount);
      for (const gap = (s: bigint): bigint => (s > 2n * amount ? s - 2n * amount : 2n * amount - s); ;) {
        if (taken.length >= cap || pool.length === 0) return taken;
        const coin = drawOne(pool, draw);
        const total = sum(taken) + coin.amount;
        if (total > 3n * amount || gap(total) >= gap(sum(taken))) return taken;
        taken.push(coin);
      }
    }
  }
}

function drawUntil(
  coins: readonly Coin[],
  draw: Draw,
  isEnough: (taken: readonly Coin[]) => boolean,
): { taken: Coin[]; pool: Coin[] } {
  const pool = coins.toSorted((a, b) => a.id - b.id);
  const taken: Coin[] = [];
  do taken.push(drawOne(pool, draw));
  while (!isEnough(taken));
  return { taken, pool };
}

/** Moves the last coin to the place of the drawn one. */
function drawOne(pool: Coin[], draw: Draw): Coin {
  const at = draw(pool.length);
  const coin = pool[at] as Coin;
  pool[at] = pool.at(-1) as Coin;
  pool.pop();
  return coin;
}

function cover(coins: readonly Coin[], amount: bigint): readonly Coin[] {
  const taken: Coin[] = [];
  for (const coin of coins) if (sum(taken) < amount) taken.push(coin);
  return taken;
}

function largestFirst(coins: readonly Coin[]): Coin[] {
  return coins.toSorted((a, b) => (a.amount === b.amount ? a.id - b.id : a.amount > b.amount ? -1 : 1));
}

function smallestFirst(coins: readonly Coin[]): Coin[] {
  return coins.toSorted((a, b) => (a.amount === b.amount ? a.id - b.id : a.amount < b.amount ? -1 : 1));
}

function sum(coins: readonly Coin[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n);
}
