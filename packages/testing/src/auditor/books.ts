import {
  settingsOf,
  type Contract,
  type ContractOf,
  type TemplateName,
  type LedgerState,
  type LedgerSettings,
  type ContractId,
  type PartyId,
  type Instant,
  type Update,
} from '@coinlab/core';
import { scanContracts } from '@coinlab/core/views';

export interface LedgerView {
  readonly settings: LedgerSettings;
  find(id: ContractId): Contract | undefined;
  all<Name extends TemplateName>(template: Name): ContractOf<Name>[];
  knowsTracking(key: string): boolean;
}

/** The auditor's own copy of the ledger. Lookups scan its maps, because it has no indexes. */
export class Books implements LedgerView {
  readonly #byTemplate: Map<string, Map<ContractId, Contract>> = new Map();
  readonly #tracking: Set<string>;
  readonly #totals: Map<PartyId, bigint>;
  #settings: LedgerSettings | null = null;
  #time: Instant;
  #highest: number;

  constructor(from: LedgerState | Books) {
    if (from instanceof Books) {
      for (const [template, contracts] of from.#byTemplate) this.#byTemplate.set(template, new Map(contracts));
      this.#tracking = new Set(from.#tracking);
      this.#totals = new Map(from.#totals);
      this.#settings = from.#settings;
      this.#time = from.#time;
      this.#highest = from.#highest;
      return;
    }
    this.#tracking = new Set();
    this.#totals = new Map();
    this.#time = from.time;
    this.#highest = from.nextContract - 1;
    for (const contract of scanContracts(from)) this.#add(contract);
    this.#settings ??= from.offset > 0 ? settingsOf(from) : null;
  }

  get time(): Instant {
    return this.#time;
  }

  get isOpen(): boolean {
    return this.#settings !== null;
  }

  get settings(): LedgerSettings {
    // Predictions start only after the ledger is open.
    return this.#settings as LedgerSettings;
  }

  find(id: ContractId): Contract | undefined {
    for (const contracts of this.#byTemplate.values()) {
      const found = contracts.get(id);
      if (found) return found;
    }
    return undefined;
  }

  all<Name extends TemplateName>(template: Name): ContractOf<Name>[] {
    // Each template's map contains only contracts of that template.
    return [...(this.#byTemplate.get(template)?.values() ?? [])] as ContractOf<Name>[];
  }

  knowsTracking(key: string): boolean {
    return this.#tracking.has(key);
  }

  totalOf(party: PartyId): bigint {
    return this.#totals.get(party) ?? 0n;
  }

  get totals(): ReadonlyMap<PartyId, bigint> {
    return this.#totals;
  }

  enter(update: Update): string | null {
    if (update.recordTime < this.#time) return `offset ${update.offset} lies before the update that precedes it`;
    this.#time = update.recordTime;
    for (const id of update.archived) {
      const contract = this.find(id);
      if (!contract) return `#${id} is archived, which is not active`;
      this.#byTemplate.get(contract.template)?.delete(id);
      if (contract.template === 'Holding') this.#move(contract.owner, -contract.amount);
    }
    for (const contract of update.created) {
      if (contract.id <= this.#highest) return `#${contract.id} is created a second time`;
      this.#add(contract);
    }
    return null;
  }

  #add(contract: Contract): void {
    const { id, template } = contract;
    let contracts = this.#byTemplate.get(template);
    if (!contracts) this.#byTemplate.set(template, (contracts = new Map()));
    contracts.set(id, contract);
    this.#highest = Math.max(this.#highest, id);
    if (template === 'Holding') this.#move(contract.owner, contract.amount);
    if (template === 'TrackingRecord')
      this.#tracking.add(trackingKey(contract.subject, contract.owner, contract.trackingId));
    if (template === 'LedgerSettings') this.#settings = contract;
  }

  #move(party: PartyId, amount: bigint): void {
    this.#totals.set(party, this.totalOf(party) + amount);
  }
}

function trackingKey(subject: string, owner: PartyId, trackingId: string): string {
  return `${subject} ${owner} ${trackingId}`;
}

export class Overlay implements LedgerView {
  readonly #under: LedgerView;
  readonly gone: Set<ContractId> = new Set();
  readonly made: Map<ContractId, Contract> = new Map();
  readonly #tracking: Set<string> = new Set();
  #next: { id: number };
  minted = 0n;
  burned = 0n;

  constructor(under: LedgerView) {
    this.#under = under;
    // New contracts have negative ids, because the ledger's ids are unknown.
    this.#next = under instanceof Overlay ? under.#next : { id: -1 };
  }

  get settings(): LedgerSettings {
    return this.#under.settings;
  }

  find(id: ContractId): Contract | undefined {
    return this.gone.has(id) ? undefined : (this.made.get(id) ?? this.#under.find(id));
  }

  all<Name extends TemplateName>(template: Name): ContractOf<Name>[] {
    const here = [...this.made.values()].filter(
      (contract): contract is ContractOf<Name> => contract.template === template,
    );
    return [...this.#under.all(template).filter(({ id }) => !this.gone.has(id)), ...here];
  }

  knowsTracking(key: string): boolean {
    return this.#tracking.has(key) || this.#under.knowsTracking(key);
  }

  track(key: string): void {
    this.#tracking.add(key);
  }

  archive(id: ContractId): void {
    this.made.delete(id);
    this.gone.add(id);
  }

  /**
   * The id is negative, because the ledger never assigns such ids. Casts: the id is outside the ledger's range, and
   * callers pass the fields of the template.
   */
  create(template: TemplateName, contract: object): ContractId {
    const id = this.#next.id-- as ContractId;
    this.made.set(id, { ...contract, template, id } as Contract);
    return id;
  }

  adopt(above: Overlay): void {
    for (const id of above.gone) this.archive(id);
    for (const [id, contract] of above.made) this.made.set(id, contract);
    for (const key of above.#tracking) this.#tracking.add(key);
    this.minted += above.minted;
    this.burned += above.burned;
  }
}
