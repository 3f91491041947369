import type { PartyId } from '@coinlab/core';
import { at } from '@coinlab/core/workflows';
import { GroupFigures } from './group-figures.js';

/** Party ids by number, and the range of numbers of each group. A {@link World}'s population implements it. */
export interface Registry {
  readonly parties: readonly PartyId[];
  readonly groups: readonly {
    readonly group: { readonly name: string };
    readonly start: number;
    readonly count: number;
  }[];
  /** Returns the number of a party; −1 for a party outside all groups. */
  numberOf(party: PartyId): number;
}

/** Returns a registry of any parties; a map finds their numbers. */
export function registryOf(parties: readonly PartyId[], groups: Registry['groups']): Registry {
  const numbers = new Map<PartyId, number>();
  // A map from pairs would need an array for each of millions of parties.
  parties.forEach((party, number) => numbers.set(party, number));
  return { parties, groups, numberOf: (party) => numbers.get(party) ?? -1 };
}

export class PartyFigures {
  readonly all: GroupFigures;
  readonly groups: readonly GroupFigures[];
  readonly named: readonly (readonly [prefix: string, GroupFigures])[];
  readonly #registry: Registry;
  readonly #groupOf: Uint16Array;
  /** The last entry is for parties outside all groups. */
  readonly #pairs: readonly (readonly GroupFigures[])[];
  readonly #allAlone: readonly GroupFigures[];
  // Most updates look up the same two parties repeatedly.
  #party: PartyId | undefined;
  #number = -1;
  #partyBefore: PartyId | undefined;
  #numberBefore = -1;

  constructor(registry: Registry) {
    const { parties, groups } = registry;
    this.#registry = registry;
    this.#groupOf = new Uint16Array(parties.length).fill(groups.length);
    groups.forEach(({ start, count }, i) => this.#groupOf.fill(i, start, start + count));
    this.groups = groups.map(({ count }) => new GroupFigures(count));
    this.all = new GroupFigures(parties.length);
    this.named = [['', this.all], ...groups.map(({ group }, i) => [`${group.name}/`, at(this.groups, i)] as const)];
    this.#allAlone = [this.all];
    this.#pairs = [...this.groups.map((figures) => [figures, this.all]), this.#allAlone];
  }

  of(number: number): readonly GroupFigures[] {
    if (number < 0) return this.#allAlone;
    // Every number has a group and every group a pair; hot path, read twice per payment.
    return this.#pairs[this.#groupOf[number] as number] as readonly GroupFigures[];
  }

  numberOf(party: PartyId): number {
    if (party === this.#party) return this.#number;
    const [number, before] = [this.#number, this.#party];
    this.#number = party === this.#partyBefore ? this.#numberBefore : this.#registry.numberOf(party);
    this.#party = party;
    [this.#numberBefore, this.#partyBefore] = [number, before];
    return this.#number;
  }

  expect(party: PartyId, number: number): void {
    if (number < 0 || this.#registry.parties[number] !== party) return;
    this.#party = party;
    this.#number = number;
  }
}
