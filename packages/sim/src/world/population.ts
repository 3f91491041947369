import { PartyId } from '@coinlab/core';
import type { Group } from '../scenario/scenario.js';

/** Parties of one group: numbers `start` to `start + count - 1`. */
export interface Members {
  readonly group: Group;
  readonly start: number;
  readonly count: number;
}

/** The parties of a world, numbered densely by group: an array of ids, never an object per party. */
export class Population {
  readonly parties: readonly PartyId[];
  readonly groups: readonly Members[];
  readonly #byName: ReadonlyMap<string, Members>;
  /** Of each party the place of its group. */
  readonly #groupOf: Uint16Array;

  constructor(groups: readonly Group[]) {
    const parties: PartyId[] = [];
    this.groups = groups.map((group) => {
      const start = parties.length;
      for (let i = 0; i < group.count; i++) parties.push(PartyId.of(`${group.name}-${i}`));
      return { group, start, count: group.count };
    });
    this.parties = parties;
    this.#byName = new Map(this.groups.map((members) => [members.group.name, members]));
    this.#groupOf = new Uint16Array(parties.length);
    this.groups.forEach(({ start, count }, i) => this.#groupOf.fill(i, start, start + count));
  }

  get size(): number {
    return this.parties.length;
  }

  /** The party of a number. Casts: each payment calls this with a number of its own world. */
  party(number: number): PartyId {
    return this.parties[number] as PartyId;
  }

  /** The place of a party's group in the scenario. */
  groupOf(number: number): number {
    const group = this.#groupOf[number];
    if (group === undefined) throw new RangeError(`no party has the number ${number}`);
    return group;
  }

  /** Casts: every place in `#groupOf` is one of `groups`. */
  membersOf(number: number): Members {
    return this.groups[this.groupOf(number)] as Members;
  }

  /** Whose validator runs a party's wallet: wallets are spread over the parties of the group that runs them. */
  hostOf(number: number): number {
    const { group, start } = this.membersOf(number);
    if (group.validator === null) return number;
    const hosts = this.named(group.validator);
    return hosts.start + ((number - start) % hosts.count);
  }

  /** The parties of a group. */
  partiesOf({ start, count }: Members): readonly PartyId[] {
    return this.parties.slice(start, start + count);
  }

  /** A group by name. */
  named(name: string): Members {
    const members = this.#byName.get(name);
    if (!members) throw new RangeError(`no group is called ${name}`);
    return members;
  }
}
