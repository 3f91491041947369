import { Amount, balanceOf, countOf, holdingsOf, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { holdingAt, holdingOfExactly, holdingsBelow } from '@coinlab/core/views';

/**
 * A wallet as user policies see it: its unlocked coins in every order that is cheap to read. Amounts are whole units of 10⁻¹⁰
 * coin. Valid only until the policy returns.
 */
export class WalletView {
  readonly #state: LedgerState;
  readonly owner: PartyId;

  constructor(state: LedgerState, owner: PartyId) {
    this.#state = state;
    this.owner = owner;
  }

  get count(): number {
    return countOf(this.#state, this.owner);
  }

  /** Sum of the unlocked coins, in units. */
  get balance(): bigint {
    return balanceOf(this.#state, this.owner).unlocked;
  }

  /** The unlocked coins from the largest down; of equal amounts the older first. */
  largest(): Iterable<Holding> {
    return holdingsOf(this.#state, this.owner, 'largest');
  }

  /** The unlocked coins from the smallest up; of equal amounts the older first. */
  smallest(): Iterable<Holding> {
    return holdingsOf(this.#state, this.owner, 'smallest');
  }

  oldest(): Iterable<Holding> {
    return holdingsOf(this.#state, this.owner, 'oldest');
  }

  newest(): Iterable<Holding> {
    return holdingsOf(this.#state, this.owner, 'newest');
  }

  /** Returns the coins below an amount of units, largest first. */
  below(units: bigint): Iterable<Holding> {
    return holdingsBelow(this.#state, this.owner, Amount.ofUnits(units));
  }

  /** Returns the oldest coin of exactly this many units, or null. */
  exactly(units: bigint): Holding | null {
    return holdingOfExactly(this.#state, this.owner, Amount.ofUnits(units));
  }

  /** Returns the coin at an index by age, from 0, or null. */
  at(index: number): Holding | null {
    return holdingAt(this.#state, this.owner, index);
  }
}
