interface TokenCoin {
  readonly id: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly lockedBy: string | null;
}

interface TokenOffer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
}

const MAX_INPUTS = 100;

/** A small token ledger with coins in a map, like a user's first version: it throws an error to refuse. */
export class MapToken {
  readonly #coins: Map<string, TokenCoin> = new Map();
  readonly #offers: Map<string, TokenOffer> = new Map();
  #ids = 0;

  issue(owner: string, amount: bigint): void {
    this.#add(owner, amount, null);
  }

  pay(caller: string, from: string, to: string, amount: bigint, inputs?: readonly string[]): void {
    require(caller === from, 'not the owner');
    this.#take(from, amount, inputs);
    this.#add(to, amount, null);
  }

  merge(caller: string, owner: string, inputs: readonly string[]): void {
    require(caller === owner && inputs.length > 0, 'not the owner');
    const worth = this.#spend(owner, inputs, 0n);
    this.#add(owner, worth, null);
  }

  offer(caller: string, offer: TokenOffer): string {
    require(caller === offer.from, 'not the owner');
    this.#take(offer.from, offer.amount);
    const id = `offer-${(this.#ids += 1)}`;
    this.#offers.set(id, offer);
    this.#add(offer.from, offer.amount, id);
    return id;
  }

  accept(caller: string, id: string, now: number): void {
    const offer = this.#open(id);
    require(caller === offer.to, 'not the receiver');
    require(now < offer.deadline, 'too late');
    this.#end(id, offer.to);
  }

  reject(caller: string, id: string): void {
    const offer = this.#open(id);
    require(caller === offer.to, 'not the receiver');
    this.#end(id, offer.from);
  }

  withdraw(caller: string, id: string): void {
    const offer = this.#open(id);
    require(caller === offer.from, 'not the sender');
    this.#end(id, offer.from);
  }

  coinsOf(owner: string): readonly TokenCoin[] {
    return [...this.#coins.values()].filter((coin) => coin.owner === owner);
  }

  /** Unlocks the coin of an offer for a party and removes the offer. */
  #end(id: string, owner: string): void {
    const coin = [...this.#coins.values()].find(({ lockedBy }) => lockedBy === id);
    if (coin) this.#coins.set(coin.id, { ...coin, owner, lockedBy: null });
    this.#offers.delete(id);
  }

  #open(id: string): TokenOffer {
    const offer = this.#offers.get(id);
    if (!offer) throw new Refusal('no such offer');
    return offer;
  }

  /** Spends coins that cover an amount, and adds the change. */
  #take(from: string, amount: bigint, inputs?: readonly string[]): void {
    require(amount > 0n, 'no amount');
    const worth = this.#spend(from, inputs ?? this.#enough(from, amount), amount);
    const change = worth - amount;
    if (change > 0n) this.#add(from, change, null);
  }

  /** The oldest unlocked coins that cover an amount. */
  #enough(owner: string, amount: bigint): readonly string[] {
    const chosen: string[] = [];
    let worth = 0n;
    for (const coin of this.coinsOf(owner)) {
      if (coin.lockedBy !== null || worth >= amount) continue;
      chosen.push(coin.id);
      worth += coin.amount;
    }
    return chosen;
  }

  #spend(owner: string, inputs: readonly string[], least: bigint): bigint {
    require(inputs.length <= MAX_INPUTS, 'too many coins');
    require(new Set(inputs).size === inputs.length, 'a coin twice');
    const coins = inputs.map((id) => this.#coins.get(id));
    require(coins.every((coin) => coin?.owner === owner && coin.lockedBy === null), 'bad inputs');
    const worth = coins.reduce((sum, coin) => sum + (coin?.amount ?? 0n), 0n);
    require(worth >= least, 'too little coin');
    for (const id of inputs) this.#coins.delete(id);
    return worth;
  }

  #add(owner: string, amount: bigint, lockedBy: string | null): void {
    const id = `coin-${(this.#ids += 1)}`;
    this.#coins.set(id, { id, owner, amount, lockedBy });
  }
}

export class Refusal extends Error {}

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new Refusal(otherwise);
}
