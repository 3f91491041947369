import { PartyId } from '@coinlab/core';

const UNKNOWN = new Set('unknown n/a na none null nil - – ? external outside coinbase'.split(' '));

const MOST_CHARACTERS = 100;

/** Receives coin paid to parties outside the table. */
export const OUTSIDE = 'outside';

export class PartyNames {
  readonly parties: string[] = [];
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<string>(['DSO']);
  readonly #outside: ReadonlySet<string>;

  constructor(outside: readonly string[] = []) {
    this.#outside = new Set(outside.map((name) => name.trim().toLowerCase()));
  }

  isOutside(name: string): boolean {
    const lower = name.toLowerCase();
    return lower === '' || UNKNOWN.has(lower) || this.#outside.has(lower);
  }

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.parties.length;
    this.#numbers.set(name, number);
    this.parties.push(this.#free(partyOf(name)));
    this.names.push(name);
    return number;
  }

  get renamed(): number {
    return this.parties.filter((party, i) => party !== this.names[i]).length;
  }

  #free(wanted: string): string {
    let party = wanted;
    for (let copy = 2; this.#taken.has(party); copy++) party = `${wanted}-${copy}`;
    this.#taken.add(party);
    return party;
  }
}

function partyOf(name: string): string {
  if (PartyId.parse(name).ok) return name;
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MOST_CHARACTERS);
  return plain === '' ? 'party' : plain;
}
