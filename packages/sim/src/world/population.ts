import type { PartyId } from '@coinlab/core';
import { partyOfHint } from '../hash/sha256.js';
import type { Group } from '../scenario/scenario.js';

export interface Members {
  readonly group: Group;
  readonly start: number;
  readonly count: number;
}

/** The parties of a world, numbered densely by group. Stores an array of ids, no object per party. */
export class Population {
  readonly parties: readonly PartyId[];
  readonly groups: readonly Members[];
  readonly #byName: ReadonlyMap<string, Members>;
  readonly #groupOf: Uint16Array;

  constructor(groups: readonly Group[]) {
    const parties: PartyId[] = [];
    this.groups = groups.map((group) => {
      const start = parties.length;
      for (let i = 0; i < group.count; i++) parties.push(partyOfHint(`${group.name}-${i}`));
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

  /** Returns the party with a number. Casts: each payment calls this with a valid number. */
  party(number: number): PartyId {
    return this.parties[number] as PartyId;
  }

  /**
   * Returns the number of a party; −1 for a party outside all groups. Reads the number from the party's hint: a map of a million parties
   * would take a second to fill, and a lookup in it more time than a hint.
   */
  numberOf(party: PartyId): number {
    const end = party.indexOf('::');
    const dash = party.lastIndexOf('-', end);
    const members = this.#byName.get(party.slice(0, dash));
    const number = members ? members.start + Number(party.slice(dash + 1, end)) : -1;
    return this.parties[number] === party ? number : -1;
  }

  /** Returns the group of a party, by number. Throws a RangeError for an unknown number. */
  groupOf(number: number): number {
    const group = this.#groupOf[number];
    if (group === undefined) throw new RangeError(`no party has the number ${number}`);
    return group;
  }

  /** Returns the members of a group. Casts: `#groupOf` holds valid group indices. */
  membersOf(number: number): Members {
    return this.groups[this.groupOf(number)] as Members;
  }

  /**
   * Returns the number of the party that hosts a wallet. A group's wallets are distributed evenly over the parties of its
   * validator group.
   */
  hostOf(number: number): number {
    const { group, start } = this.membersOf(number);
    if (group.validator === null) return number;
    const hosts = this.named(group.validator);
    return hosts.start + ((number - start) % hosts.count);
  }

  partiesOf({ start, count }: Members): readonly PartyId[] {
    return this.parties.slice(start, start + count);
  }

  /** Returns the members of the group with a name. Throws a RangeError for an unknown name. */
  named(name: string): Members {
    const members = this.#byName.get(name);
    if (!members) throw new RangeError(`there is no group named ${name}`);
    return members;
  }
}
