import { TEMPLATES, stakeholdersOf } from '@coinlab/core/contracts';
import type { Contract, ContractId, PartyId, Update } from '@coinlab/core';
import { Column, happeningsOf } from '@coinlab/core/codec';
import { isExercised } from './exercises.js';
import type { Follower } from './follower.js';

export interface OffsetRange {
  readonly begin: number;
  readonly end: number;
}

export interface PartyUpdates {
  /**
   * Returns the ascending offsets of the updates after `begin` up to `end` that create or archive a contract with a party other than
   * the DSO as signatory or observer.
   */
  offsetsOf(party: PartyId, range: OffsetRange): readonly number[];
  /**
   * Returns also the updates with an exercise that the party sees, as its actor or as signatory of the exercised contract.
   */
  witnessedBy(party: PartyId, range: OffsetRange): readonly number[];
}

/** Marks contracts of this ledger that the network does not have, and contracts of the DSO alone. */
const NO_PARTIES = 0;

/**
 * Uses at most four bytes per contract that was ever created, and per update and party. An update names the ids of
 * archived contracts only, so the index keeps the number of the stakeholders of each contract.
 */
export function partyUpdates(follower: Follower): PartyUpdates {
  const index = new Stakes();
  follower.follow(index);
  return {
    offsetsOf(party, range) {
      follower.readAll();
      return within(index.offsets.get(party), range);
    },
    witnessedBy(party, range) {
      follower.readAll();
      const own = within(index.offsets.get(party), range);
      const more = within(index.witnessed.get(party), range);
      return more.length === 0 ? own : [...own, ...more].sort((a, b) => a - b);
    },
  };
}

function within(offsets: Column<number> | undefined, { begin, end }: OffsetRange): readonly number[] {
  return offsets?.slice(offsets.countUntil(begin), offsets.countUntil(end)) ?? [];
}

class Stakes {
  readonly offsets: Map<PartyId, Column<number>> = new Map();
  readonly witnessed: Map<PartyId, Column<number>> = new Map();
  readonly #sets: (readonly PartyId[])[] = [[]];
  readonly #numbers: Map<string, number> = new Map();
  #setOf: Column<number> = Column.ofWords();
  #dso: PartyId | null = null;

  add(update: Update): void {
    const { offset, archived, created } = update;
    for (const id of archived) this.#enter(this.#setOf.at(id) ?? NO_PARTIES, offset);
    for (const contract of created) {
      if (contract.template === 'LedgerSettings') this.#dso = contract.dso;
      const set = this.#numberOf(contract);
      this.#keep(contract.id, set);
      this.#enter(set, offset);
    }
    if (!isExercised(update.kind)) return;
    for (const party of update.actAs) this.#witness(party, offset);
    for (const { kind, detail } of happeningsOf(update)) {
      if (kind !== 'TransferCompleted' && kind !== 'TransferCommandSent') continue;
      for (const party of this.#sets[this.#setOf.at(detail.preapproval) ?? NO_PARTIES] ?? [])
        this.#witness(party, offset);
    }
  }

  #witness(party: PartyId, offset: number): void {
    if (party !== this.#dso && lastOf(this.offsets.get(party)) !== offset) append(this.witnessed, party, offset);
  }

  reset(): void {
    this.offsets.clear();
    this.witnessed.clear();
    this.#setOf = Column.ofWords();
  }

  #keep(id: ContractId, set: number): void {
    // Contract ids ascend; unused ones have no stakeholders.
    while (this.#setOf.length < id) this.#setOf.push(NO_PARTIES);
    this.#setOf.push(set);
  }

  #enter(set: number, offset: number): void {
    for (const party of this.#sets[set] ?? []) append(this.offsets, party, offset);
  }

  #numberOf(contract: Contract): number {
    const dso = this.#dso;
    if (dso === null || TEMPLATES[contract.template].isRecord) return NO_PARTIES;
    // Most contracts are unlocked coins: their owner is the key.
    if (contract.template === 'Holding' && contract.lock === null)
      return this.#numbers.get(contract.owner) ?? this.#newSet(contract.owner, [contract.owner]);
    const parties = stakeholdersOf(contract, dso).filter((party) => party !== dso);
    const key = parties.join(' ');
    return this.#numbers.get(key) ?? (key === '' ? NO_PARTIES : this.#newSet(key, parties));
  }

  #newSet(key: string, parties: readonly PartyId[]): number {
    const number = this.#sets.length;
    this.#numbers.set(key, number);
    this.#sets.push(parties);
    return number;
  }
}

function append(lists: Map<PartyId, Column<number>>, party: PartyId, offset: number): void {
  let offsets = lists.get(party);
  if (!offsets) lists.set(party, (offsets = Column.ofWords()));
  if (lastOf(offsets) !== offset) offsets.push(offset);
}

function lastOf(offsets: Column<number> | undefined): number | undefined {
  return offsets?.at(offsets.length - 1);
}
