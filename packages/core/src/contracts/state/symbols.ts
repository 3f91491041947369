import { HashIndex, type Memo } from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import { PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import { TEMPLATES, type TemplateName } from '../contract.js';
import type { Numbering } from '../packed-transfer.js';
import { COUPON_GROUPS, type RecentKeys } from '../template.js';
import { RecordPacking } from './record-packing.js';

/** V8 refuses more than 2²⁴ entries of a map. */
const MOST_KEYS = 2 ** 23;

/** In what a party is looked up: as a stakeholder of a contract or as its subject. */
export type Part = 'stakeholder' | 'subject';

/** Numbers of lookup keys: one for each text, party or hash of texts that are not kept. */
export class Symbols {
  /** By template, maps of at most {@link MOST_KEYS} keys: all but the last one are full. */
  readonly #ofTexts: Map<TemplateName, Map<string, number>[]> = new Map();
  readonly #ofHash: HashIndex = new HashIndex();
  /** By template, symbols by number of the party. Texts would take three hundred bytes per party and slow lookups. */
  readonly #ofParties: Readonly<Record<Part, Map<TemplateName, number[]>>> = {
    stakeholder: new Map(),
    subject: new Map(),
  };
  #count = 0;
  readonly #owners: Owners;
  readonly recordPacking: RecordPacking = new RecordPacking();
  #last: { template: TemplateName | null; keys: readonly string[]; symbols: readonly number[] };
  readonly recentKeys: RecentKeys = Array.from({ length: COUPON_GROUPS }, () => ({
    round: null,
    account: null,
    keys: [],
  }));

  constructor(owners: Owners) {
    this.#owners = owners;
    this.#last = { template: null, keys: [], symbols: [] };
  }

  findParty(part: Part, template: TemplateName, party: PartyId): number | undefined {
    const number = this.#owners.find(party);
    return number === undefined ? undefined : this.#ofParties[part].get(template)?.[number];
  }

  ofParty(part: Part, template: TemplateName, party: PartyId): number {
    let symbols = this.#ofParties[part].get(template);
    if (!symbols) this.#ofParties[part].set(template, (symbols = []));
    return (symbols[this.#owners.of(party)] ??= this.#count++);
  }

  /** Keeps the symbols of the last list: consecutive coupons mostly have the same one. */
  ofAll(template: TemplateName, keys: readonly string[]): readonly number[] {
    if (this.#last.keys !== keys || this.#last.template !== template)
      this.#last = { template, keys, symbols: keys.map((key) => this.of(template, key)) };
    return this.#last.symbols;
  }

  /** Finds `<field>:<party>` and names of stakeholders too. */
  find(template: TemplateName, key: string): number | undefined {
    for (const map of this.#ofTexts.get(template) ?? []) {
      const symbol = map.get(key);
      if (symbol !== undefined) return symbol;
    }
    // Cast: any text may be looked up. The name of a party may begin like a subject: `receiver::1220…`.
    const stakeholder = this.findParty('stakeholder', template, key as PartyId);
    const prefix = `${TEMPLATES[template].subject ?? ''}:`;
    if (stakeholder !== undefined || !key.startsWith(prefix)) return stakeholder;
    // Cast: as above.
    return this.findParty('subject', template, key.slice(prefix.length) as PartyId);
  }

  of(template: TemplateName, key: string): number {
    const known = this.find(template, key);
    if (known !== undefined) return known;
    let maps = this.#ofTexts.get(template);
    if (!maps) this.#ofTexts.set(template, (maps = []));
    let last = maps.at(-1);
    if (!last || last.size === MOST_KEYS) maps.push((last = new Map()));
    last.set(key, this.#count);
    return this.#count++;
  }

  /** Returns the first symbol of a hash that passes a test, if there is one. */
  findAlike(hash: number, passes: (symbol: number) => boolean): number | undefined {
    return this.#ofHash.find(hash, passes);
  }

  add(hash: number): number {
    this.#ofHash.add(hash, this.#count);
    return this.#count++;
  }
}

/** Numbers owners from 0 without gaps, so that arrays of wallets are dense. */
export class Owners implements Numbering {
  readonly #numbers: Map<string, number> = new Map();
  readonly #parties: PartyId[] = [];
  /** Plain JavaScript may have had a number assigned to another text. */
  readonly #areParties: boolean[] = [];
  /** The last text with a number. At first a text without one, because V8 compares values of one type faster. */
  readonly #last: Memo<string, number | undefined> = { key: '', value: undefined };
  /** The last two texts that were read as parties: a command or an update names its parties several times. */
  #read: Memo<string, PartyId | undefined> = { key: '', value: undefined };
  #readBefore: Memo<string, PartyId | undefined> = { key: '', value: undefined };

  find(owner: PartyId): number | undefined {
    const last = this.#last;
    if (owner === last.key) return last.value;
    const number = this.#numbers.get(owner);
    if (number === undefined) return undefined;
    last.key = owner;
    last.value = number;
    return number;
  }

  of(owner: PartyId): number {
    const known = this.find(owner);
    if (known !== undefined) return known;
    const number = this.#parties.length;
    this.#areParties.push(this.partyOf(owner) !== undefined);
    this.#numbers.set(owner, number);
    this.#parties.push(owner);
    this.#last.key = owner;
    this.#last.value = number;
    return number;
  }

  partyOf(value: unknown): PartyId | undefined {
    if (typeof value !== 'string') return undefined;
    if (value !== this.#read.key) {
      const known = value === this.#readBefore.key ? this.#readBefore : { key: value, value: this.#partyOf(value) };
      this.#readBefore = this.#read;
      this.#read = known;
    }
    return this.#read.value;
  }

  #partyOf(text: string): PartyId | undefined {
    const number = this.find(text as PartyId); // a cast: any text may be looked up
    if (number !== undefined) return this.#areParties[number] ? this.#parties[number] : undefined;
    return PartyId.is(text) ? text : undefined;
  }

  isParty(number: number): boolean {
    return this.#areParties[number] === true;
  }

  at(number: number): PartyId | undefined {
    return this.#parties[number];
  }

  /** Plain JavaScript may have had numbers assigned to values that are no texts. */
  sorted(): readonly PartyId[] {
    return [...this.#parties].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  }
}

export interface Stamp {
  readonly round: Round;
  readonly rate: Amount;
}

export class Stamps {
  readonly #numbers: Map<string, number> = new Map();
  readonly #stamps: Stamp[] = [];
  readonly #last: Memo<Stamp | null, number> = { key: null, value: 0 };

  of(round: Round, rate: Amount): number {
    const last = this.#last;
    if (last.key && last.key.round === round && last.key.rate === rate) return last.value;
    const key = `${round} ${rate}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#stamps.length));
      this.#stamps.push({ round, rate });
    }
    last.key = this.at(number);
    last.value = number;
    return number;
  }

  at(number: number): Stamp {
    // Callers pass numbers that `of` returned.
    return this.#stamps[number] as Stamp;
  }
}
