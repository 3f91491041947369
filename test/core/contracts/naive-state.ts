import {
  contractCount,
  contractsByKey,
  countByKey,
  dueBy,
  dueOf,
  dustExpiringAt,
  firstByKey,
  heldLockedBy,
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
  lockedHoldingsOf,
  scanContracts,
  unlockedTotalOf,
  type HoldingOrder,
} from '@coinlab/core/views';
import {
  countOf,
  find,
  holdingsOf,
  inputsCovering,
  inputsToMerge,
  balanceOf,
  settingsOf,
  type Amount,
  type Contract,
  type Holding,
  type Instant,
  type LedgerState,
  type PartyId,
  type Round,
  type TemplateName,
  type Update,
} from '@coinlab/core';
import { expiryRoundOf, stakeholdersOf, TEMPLATES, type Template } from '@coinlab/core/contracts';
import { expect } from 'vitest';

type NoCoin = Exclude<TemplateName, 'Holding'>;
type Found = Iterable<Contract>;
type Keys = ReadonlyMap<string, readonly [NoCoin, string]>;

export interface Asked {
  readonly owners: readonly PartyId[];
  readonly amounts: readonly Amount[];
  readonly rounds: readonly Round[];
  readonly times: readonly Instant[];
  /** Limits on the number of inputs. */
  readonly most: readonly number[];
}

interface Doors {
  size(): number;
  inOrder(owner: PartyId, order: HoldingOrder): Found;
  locked(owner: PartyId): Found;
  held(holder: PartyId): Found;
  count(owner: PartyId): number;
  sums(owner: PartyId): readonly bigint[];
  at(owner: PartyId, index: number): Holding | null;
  exactly(owner: PartyId, amount: Amount): Holding | null;
  below(owner: PartyId, amount: Amount): Found;
  covering(owner: PartyId, amount: Amount, order: HoldingOrder, most: number): readonly number[];
  toMerge(owner: PartyId, most: number): Found;
  dust(round: Round): Found;
  due(time: Instant): Found;
  dueOf(template: NoCoin, time: Instant): Found;
  byKey(template: NoCoin, key: string): Found;
  countByKey(template: NoCoin, key: string): number;
  firstByKey(template: NoCoin, key: string): Contract | null;
}

const ORDERS: readonly HoldingOrder[] = ['largest', 'smallest', 'oldest', 'newest'];

/** The naive twin of a state: every active contract in one list, every question a filter and a sort. */
export class NaiveState implements Doors {
  /** Oldest first. */
  readonly contracts: readonly Contract[];
  readonly #dso: PartyId;
  readonly #dustAtEquality: boolean;
  /** Templates and texts under which contracts are found, or were once. */
  readonly #keys: Keys;
  /** Cache of sorted lists, because tests query coin by coin. */
  readonly #sorted: Map<string, readonly Holding[]> = new Map();

  private constructor(contracts: readonly Contract[], keys: Keys, dso: PartyId, dustAtEquality: boolean) {
    this.contracts = contracts;
    this.#keys = keys;
    this.#dso = dso;
    this.#dustAtEquality = dustAtEquality;
  }

  static of(state: LedgerState): NaiveState {
    const { dso, profile } = settingsOf(state);
    const contracts = [...scanContracts(state)];
    return new NaiveState(contracts, withKeys(new Map(), contracts, dso), dso, profile.dustAtEquality);
  }

  /** The twin of the state after an update. */
  after({ archived, created }: Pick<Update, 'archived' | 'created'>): NaiveState {
    const gone = new Set(archived);
    const left = this.contracts.filter(({ id }) => !gone.has(id));
    const keys = withKeys(this.#keys, created, this.#dso);
    return new NaiveState([...left, ...created], keys, this.#dso, this.#dustAtEquality);
  }

  /** Expects every door of a state to answer as this list does. */
  expectOf(state: LedgerState, asked: Asked): void {
    expect([...scanContracts(state)]).toEqual(this.contracts);
    const from = (this.contracts[this.contracts.length >>> 1]?.id ?? 0) + 1;
    expect(ids(scanContracts(state, from))).toEqual(ids(this.contracts.filter(({ id }) => id >= from)));
    expect(this.contracts.filter(({ id, template }) => find(state, template, id)?.id !== id)).toEqual([]);
    expect(this.#answers(doorsOf(state), asked)).toEqual(this.#answers(this, asked));
  }

  size(): number {
    return this.contracts.length;
  }

  inOrder(owner: PartyId, order: HoldingOrder): readonly Holding[] {
    const key = `${order} of ${owner}`;
    const sorted = this.#sorted.get(key) ?? this.#sort(owner, order);
    this.#sorted.set(key, sorted);
    return sorted;
  }

  #sort(owner: PartyId, order: HoldingOrder): readonly Holding[] {
    const coins = this.#coins(({ owner: whose, lock }) => whose === owner && lock === null);
    switch (order) {
      case 'oldest':
        return coins;
      case 'newest':
        return coins.toReversed();
      case 'smallest':
        return coins.toSorted((a, b) => compare(a.amount, b.amount) || a.id - b.id);
      case 'largest':
        return coins.toSorted((a, b) => compare(b.amount, a.amount) || a.id - b.id);
    }
  }

  locked(owner: PartyId): readonly Holding[] {
    return this.#coins(({ owner: whose, lock }) => whose === owner && lock !== null);
  }

  held(holder: PartyId): Found {
    if (holder === this.#dso) return [];
    return this.#coins(({ owner, lock }) => owner !== holder && lock !== null && lock.holders.includes(holder));
  }

  count(owner: PartyId): number {
    return this.inOrder(owner, 'oldest').length;
  }

  sums(owner: PartyId): readonly bigint[] {
    const [unlocked, locked] = [this.inOrder(owner, 'oldest'), this.locked(owner)].map((coins) =>
      coins.reduce((sum, { amount }) => sum + amount, 0n),
    ) as [bigint, bigint];
    return [unlocked, locked, unlocked + locked];
  }

  at(owner: PartyId, index: number): Holding | null {
    return this.inOrder(owner, 'oldest')[index] ?? null;
  }

  exactly(owner: PartyId, amount: Amount): Holding | null {
    return this.inOrder(owner, 'oldest').find((coin) => coin.amount === amount) ?? null;
  }

  below(owner: PartyId, amount: Amount): Found {
    return this.inOrder(owner, 'largest').filter((coin) => coin.amount < amount);
  }

  covering(owner: PartyId, amount: Amount, order: HoldingOrder, most: number): readonly number[] {
    const taken: number[] = [];
    let missing: bigint = amount;
    for (const coin of this.inOrder(owner, order)) {
      if (missing <= 0n || taken.length === most) return taken;
      taken.push(coin.id);
      missing -= coin.amount;
    }
    return taken;
  }

  toMerge(owner: PartyId, most: number): Found {
    return this.inOrder(owner, 'smallest').slice(0, most);
  }

  dust(round: Round): Found {
    return this.#coins(() => true)
      .map((coin) => ({ coin, from: expiryRoundOf(coin, this.#dustAtEquality) ?? Infinity }))
      .filter(({ from }) => from <= round)
      .sort((a, b) => a.from - b.from || a.coin.id - b.coin.id)
      .map(({ coin }) => coin);
  }

  due(time: Instant): Found {
    return this.contracts
      .flatMap((one) => {
        const at = (TEMPLATES[one.template] as Template<Contract>).dueAt(one);
        return at !== null && at <= time ? [{ one, at }] : [];
      })
      .sort((a, b) => compare(a.at, b.at) || a.one.id - b.one.id)
      .map(({ one }) => one);
  }

  dueOf(template: NoCoin, time: Instant): Found {
    return [...this.due(time)].filter((one) => one.template === template);
  }

  byKey(template: NoCoin, key: string): readonly Contract[] {
    return this.contracts.filter((one) => one.template === template && keysOf(one, this.#dso).includes(key));
  }

  countByKey(template: NoCoin, key: string): number {
    return this.byKey(template, key).length;
  }

  firstByKey(template: NoCoin, key: string): Contract | null {
    return this.byKey(template, key)[0] ?? null;
  }

  #coins(are: (coin: Holding) => boolean): readonly Holding[] {
    return this.contracts.filter((one): one is Holding => one.template === 'Holding' && are(one));
  }

  /** The results of some queries, one line each. */
  #answers(doors: Doors, { owners, amounts, rounds, times, most }: Asked): readonly string[] {
    const lines: string[] = [];
    const tell = (question: string, answer: Found | readonly number[]): void => {
      const found = [...answer].map((one: Contract | number) => (typeof one === 'number' ? one : one.id));
      lines.push(`${question}: ${found.join(' ')}`);
    };
    tell('size', [doors.size()]);
    for (const owner of owners) {
      for (const order of ORDERS) tell(`${order} of ${owner}`, doors.inOrder(owner, order));
      tell(`locked coins of ${owner}`, doors.locked(owner));
      tell(`coins that ${owner} holds`, doors.held(owner));
      const count = doors.count(owner);
      lines.push(`${owner} has ${count}, ${doors.sums(owner).join(' ')}`);
      tell(
        `coins of ${owner} one by one`,
        Array.from({ length: count + 1 }, (_, i) => doors.at(owner, i)?.id ?? 0),
      );
      for (const amount of amounts) {
        tell(`exactly ${amount} of ${owner}`, [doors.exactly(owner, amount)?.id ?? 0]);
        tell(`below ${amount} of ${owner}`, doors.below(owner, amount));
        for (const order of ORDERS)
          for (const limit of most)
            tell(`${limit} ${order} covering ${amount} of ${owner}`, doors.covering(owner, amount, order, limit));
      }
      for (const limit of most) tell(`${limit} coins that ${owner} can merge`, doors.toMerge(owner, limit));
    }
    for (const round of rounds) tell(`dust in round ${round}`, doors.dust(round));
    for (const time of times) tell(`due at ${time}`, doors.due(time));
    for (const [template, key] of this.#keys.values()) {
      tell(`${template} under ${key}`, doors.byKey(template, key));
      tell(`their number`, [doors.countByKey(template, key)]);
      tell(`the first`, [doors.firstByKey(template, key)?.id ?? 0]);
      for (const time of times) tell(`${template} due at ${time}`, doors.dueOf(template, time));
    }
    return lines;
  }
}

function doorsOf(state: LedgerState): Doors {
  return {
    size: () => contractCount(state),
    inOrder: (owner, order) => holdingsOf(state, owner, order),
    locked: (owner) => lockedHoldingsOf(state, owner),
    held: (holder) => heldLockedBy(state, holder),
    count: (owner) => countOf(state, owner),
    sums: (owner) => [unlockedTotalOf(state, owner), balanceOf(state, owner).locked, balanceOf(state, owner).total],
    at: (owner, index) => holdingAt(state, owner, index),
    exactly: (owner, amount) => holdingOfExactly(state, owner, amount),
    below: (owner, amount) => holdingsBelow(state, owner, amount),
    covering: (owner, amount, order, most) => inputsCovering(state, owner, amount, order, most),
    toMerge: (owner, most) => inputsToMerge(state, owner, most),
    dust: (round) => dustExpiringAt(state, round),
    due: (time) => dueBy(state, time),
    dueOf: (template, time) => dueOf(state, template, time),
    byKey: (template, key) => contractsByKey(state, template, key),
    countByKey: (template, key) => countByKey(state, template, key),
    firstByKey: (template, key) => firstByKey(state, template, key),
  };
}

/** Ids of contracts, in the order in which they come. */
export function ids(contracts: Found): readonly number[] {
  return Array.from(contracts, ({ id }) => id);
}

function withKeys(before: Keys, created: readonly Contract[], dso: PartyId): Keys {
  const keys = new Map(before);
  for (const contract of created)
    if (contract.template !== 'Holding')
      for (const text of keysOf(contract, dso)) keys.set(`${contract.template} ${text}`, [contract.template, text]);
  return keys;
}

function keysOf(contract: Contract, dso: PartyId): readonly string[] {
  const template = TEMPLATES[contract.template] as Template<Contract>;
  const { subject } = template;
  const fields: Readonly<Record<string, unknown>> = { ...contract };
  return [
    ...(template.ownKeys ? [] : stakeholdersOf(contract, dso).filter((party) => party !== dso)),
    ...(subject ? [`${subject}:${String(fields[subject])}`] : []),
    ...(template.keys?.(contract, []) ?? []),
    ...(template.ownKeys?.(contract) ?? []).map((parts) => parts.join('')),
  ];
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
