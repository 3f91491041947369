import type { Contract, ContractId, Holding, Update } from '@coinlab/core';
import type { Scenario } from '@coinlab/sim';
import { Prices } from './prices.ts';
import { rounded, SCALE } from './rounding.ts';

/** A violated law, with the update or the party that shows it. */
export interface Broken {
  readonly law: string;
  readonly what: string;
}

interface Coin {
  readonly owner: string;
  readonly amount: bigint;
  readonly createdAt: number;
  readonly rate: bigint;
  readonly isLocked: boolean;
  /** Round of the network in which this contract appeared. */
  readonly since: number;
}

/** Kinds that move coin of users and have the limit of inputs. */
const CAPPED = ['TransferCompleted', 'TransferOffered', 'HoldingsMerged', 'SelfTransferred'];

/** Kinds that cost nothing in the profiles without fees. */
const FREE = [...CAPPED, 'TransferAccepted', 'TransferRejected', 'TransferWithdrawn', 'DelegatedHoldingsMerged'];

/** Kinds after which a wallet may merge. */
const ACTIVE = ['TransferCompleted', 'TransferAccepted', 'Minted'];

/** Rounds between the newest open round and the one in which dust is judged. Source: specification §4.2. */
const DUST_ROUNDS_BEHIND = 2;

/**
 * A naive account of a simulated network from its updates: coins in a map, rules from the specification in plain integers. It
 * shares no code with the ledger. Collects the first violation of each law.
 */
export class Book {
  readonly broken: Map<string, string> = new Map();
  readonly counts: Map<string, number> = new Map();
  /** Owners of coins that payments or receipts of this round created. */
  readonly active: Set<string> = new Set();
  /** Number of times that each law was checked: a law that never applies proves nothing. */
  readonly checked: Map<string, number> = new Map();
  readonly #scenario: Scenario;
  readonly #coins: Map<ContractId, Coin> = new Map();
  readonly #prices: Prices = new Prices();
  readonly #expiring: Map<number, Set<ContractId>> = new Map();
  #round = -1;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  fold(update: Update): void {
    const { kind, archived, created, detail } = update;
    const spent = archived.flatMap((id) => this.#coins.get(id) ?? []);
    const made = created.filter((contract): contract is Holding => contract.template === 'Holding');
    const [before, after] = [spent, made].map((coins) => coins.reduce((sum, { amount }) => sum + amount, 0n));
    this.check('conservation', (after ?? 0n) - (before ?? 0n) === detail.minted - detail.burned, () => told(update));
    if (CAPPED.includes(kind))
      this.check(
        'input cap',
        spent.length <= this.#scenario.network.maxInputs,
        () => `${told(update)}: ${spent.length}`,
      );
    if (kind === 'DelegatedHoldingsMerged')
      for (const { owner, inputs } of callsOf(update, this.#coins))
        this.check(
          'input cap',
          inputs <= this.#scenario.network.maxInputs,
          () => `${told(update)}: ${owner} ${inputs}`,
        );
    this.#checkFees(update, spent);
    if (kind === 'DustExpired') for (const coin of spent) this.#checkDust(coin, update);
    for (const id of archived) this.#remove(id);
    for (const contract of created) this.#add(contract);
    if (ACTIVE.includes(kind)) for (const { owner } of made) this.active.add(owner);
    this.#prices.fold(update);
  }

  begin(): void {
    this.active.clear();
  }

  endRound(): void {
    this.#round += 1;
    this.active.clear();
    if (!this.#scenario.network.expiresDust) return;
    const judged = this.#judgedRound();
    let late = '';
    for (const [expires, ids] of this.#expiring) {
      if (expires > judged) continue;
      for (const id of ids) {
        const coin = this.#coins.get(id);
        // The automation of this round has not seen coins that appeared during it.
        if (coin && !coin.isLocked && coin.since < this.#round) late = `coin ${id}, round ${judged}, due in ${expires}`;
      }
    }
    this.check('dust expires in its round', late === '', () => late);
  }

  check(law: string, holds: boolean, what: () => string): void {
    this.checked.set(law, (this.checked.get(law) ?? 0) + 1);
    if (!holds && !this.broken.has(law)) this.broken.set(law, what());
  }

  #checkFees(update: Update, spent: readonly Coin[]): void {
    const { kind, detail } = update;
    if (!FREE.includes(kind)) return;
    if (this.#scenario.network.profile !== 'legacy-fees') {
      this.check('fees to the unit', detail.burned === 0n, () => `${told(update)} burns ${detail.burned}`);
      return;
    }
    if (update.kind !== 'TransferCompleted' && update.kind !== 'HoldingsMerged') return;
    const { amount, change, rewards, sender, receiver } = update.detail;
    const coin = update.created.find((contract) => contract.template === 'Holding');
    if (rewards !== null || coin?.template !== 'Holding') return;
    const held = spent.reduce((sum, one) => sum + feeOf(one, coin.createdAt), 0n);
    const total = spent.reduce((sum, one) => sum + one.amount, 0n);
    const fees = this.#prices.feesAt(coin.createdAt);
    const expected =
      kind === 'HoldingsMerged'
        ? held + fees.create
        : change === null
          ? total - amount
          : held + fees.create + (sender === receiver ? 0n : fees.stepped(amount)) + fees.create;
    this.check(
      'fees to the unit',
      detail.burned === expected,
      () => `${told(update)}: ${detail.burned}, not ${expected}`,
    );
  }

  #checkDust(coin: Coin, update: Update): void {
    const judged = this.#judgedRound();
    const isDust = coin.rate > 0n && this.#expiryOf(coin) <= judged;
    this.check('only dust expires', isDust, () => `${told(update)}: ${coin.amount} of ${coin.createdAt} in ${judged}`);
  }

  /** First round in which the fee exceeds the coin; with fees, in which it reaches the quotient rounded to ten places. */
  #expiryOf({ amount, rate, createdAt }: Coin): number {
    if (this.#scenario.network.profile !== 'legacy-fees') return createdAt + Number(amount / rate) + 1;
    const quotient = divided(amount, rate);
    return createdAt + Number((quotient + SCALE - 1n) / SCALE);
  }

  #judgedRound(): number {
    if (this.#scenario.network.profile === 'feeless-24h') return this.#prices.configRound;
    return Math.max(0, this.#prices.newestRound - DUST_ROUNDS_BEHIND);
  }

  #remove(id: ContractId): void {
    const coin = this.#coins.get(id);
    if (!coin) return;
    this.#coins.delete(id);
    if (!coin.isLocked) this.counts.set(coin.owner, (this.counts.get(coin.owner) ?? 0) - 1);
    if (coin.rate > 0n) this.#expiring.get(this.#expiryOf(coin))?.delete(id);
  }

  #add(contract: Contract): void {
    if (contract.template !== 'Holding') return;
    const { id, owner, amount, createdAt, ratePerRound: rate, lock } = contract;
    const coin = { owner, amount, createdAt, rate, isLocked: lock !== null, since: this.#round + 1 };
    this.#coins.set(id, coin);
    if (!coin.isLocked) this.counts.set(owner, (this.counts.get(owner) ?? 0) + 1);
    if (rate === 0n) return;
    const expires = this.#expiryOf(coin);
    const ids = this.#expiring.get(expires);
    if (ids) ids.add(id);
    else this.#expiring.set(expires, new Set([id]));
  }
}

function divided(a: bigint, b: bigint): bigint {
  return rounded(a * SCALE, b);
}

function feeOf({ amount, rate, createdAt }: Coin, round: number): bigint {
  const fee = rate * BigInt(Math.max(0, round - createdAt));
  return fee < amount ? fee : amount;
}

function* callsOf(
  { archived }: Update,
  coins: ReadonlyMap<ContractId, Coin>,
): Generator<{ readonly owner: string; readonly inputs: number }> {
  const inputs = new Map<string, number>();
  for (const id of archived) {
    const owner = coins.get(id)?.owner;
    if (owner !== undefined) inputs.set(owner, (inputs.get(owner) ?? 0) + 1);
  }
  for (const [owner, count] of inputs) yield { owner, inputs: count };
}

function told({ kind, offset }: Update): string {
  return `${kind} at offset ${offset}`;
}
