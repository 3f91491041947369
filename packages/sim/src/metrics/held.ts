import type { ContractId, PartyId } from '@coinlab/core';
import type { PartyFigures } from './party-figures.js';

export class Held {
  readonly #figures: PartyFigures;
  readonly #what: 'locked' | 'pending';
  readonly #owners: Map<ContractId, number> = new Map();

  constructor(figures: PartyFigures, what: 'locked' | 'pending') {
    this.#figures = figures;
    this.#what = what;
  }

  add(id: ContractId, owner: PartyId): void {
    const number = this.#figures.numberOf(owner);
    this.#owners.set(id, number);
    for (const figures of this.#figures.of(number)) figures[this.#what] += 1;
  }

  remove(id: ContractId): void {
    const number = this.#owners.size > 0 ? this.#owners.get(id) : undefined;
    if (number === undefined) return;
    this.#owners.delete(id);
    for (const figures of this.#figures.of(number)) figures[this.#what] -= 1;
  }
}
