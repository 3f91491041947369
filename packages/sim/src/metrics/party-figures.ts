import type { PartyId } from '@coinlab/core';
import { at } from '@coinlab/core/workflows';
import { GroupFigures } from './group-figures.js';

/** Who the parties are: ids by number, and where each group begins. A {@link World}'s population is one. */
export interface Registry {
  readonly parties: readonly PartyId[];
  readonly groups: readonly {
    readonly group: { readonly name: string };
    readonly start: number;
    readonly count: number;
  }[];
}

/** The figures of each group and of all parties together, found by party. */
export class PartyFigures {
  readonly all: GroupFigures;
  /** In the order of the registry's groups. */
  readonly groups: readonly GroupFigures[];
  /** The figures of all and of each group, with the prefix of their metrics. */
  readonly named: readonly (readonly [prefix: string, GroupFigures])[];
  readonly #registry: Registry;
  readonly #numbers: ReadonlyMap<PartyId, number>;
  readonly #groupOf: Uint16Array;
  /** By group the figures to which its parties add: those of the group and those of all. Last: those of a party in no group. */
  readonly #pairs: readonly (readonly GroupFigures[])[];
  readonly #allAlone: readonly GroupFigures[];
  // Of most updates two parties are looked up again and again.
  #party: PartyId | undefined;
  #number = -1;
  #partyBefore: PartyId | undefined;
  #numberBefore = -1;

  constructor(registry: Registry) {
    const { parties, groups } = registry;
    this.#registry = registry;
    this.#numbers = new Map(parties.map((party, number) => [party, number]));
    this.#groupOf = new Uint16Array(parties.length).fill(groups.length);
    groups.forEach(({ start, count }, i) => this.#groupOf.fill(i, start, start + count));
    this.groups = groups.map(({ count }) => new GroupFigures(count));
    this.all = new GroupFigures(parties.length);
    this.named = [['', this.all], ...groups.map(({ group }, i) => [`${group.name}/`, at(this.groups, i)] as const)];
    this.#allAlone = [this.all];
    this.#pairs = [...this.groups.map((figures) => [figures, this.all]), this.#allAlone];
  }

  /** The figures to which a party adds; -1: one that is in no group. */
  of(number: number): readonly GroupFigures[] {
    if (number < 0) return this.#allAlone;
    // Every number has a group and every group a pair; each payment reads both.
    return this.#pairs[this.#groupOf[number] as number] as readonly GroupFigures[];
  }

  /** The number of a party, or -1. */
  numberOf(party: PartyId): number {
    if (party === this.#party) return this.#number;
    const [number, before] = [this.#number, this.#party];
    this.#number = party === this.#partyBefore ? this.#numberBefore : (this.#numbers.get(party) ?? -1);
    this.#party = party;
    [this.#numberBefore, this.#partyBefore] = [number, before];
    return this.#number;
  }

  /** Remembers a party for the next {@link numberOf} if it has the number that it is likely to have. */
  expect(party: PartyId, number: number): void {
    if (number < 0 || this.#registry.parties[number] !== party) return;
    this.#party = party;
    this.#number = number;
  }
}
