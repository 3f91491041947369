import {
  find,
  settingsOf,
  type ContractId,
  type ContractOf,
  type Instant,
  type LedgerState,
  type PartyId,
  type TemplateName,
} from '@coinlab/core';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { RefusedCommand } from './faults.js';

export interface Submitted {
  readonly state: LedgerState;
  readonly now: Instant;
  readonly readers: ReadonlySet<PartyId>;
  readonly disclosed: ReadonlySet<ContractId>;
}

export class Site {
  readonly state: LedgerState;
  readonly now: Instant;
  readonly dso: PartyId;
  readonly used: Set<ContractId> = new Set();
  readonly #submitted: Submitted;
  readonly #target: ContractId | null;

  constructor(submitted: Submitted, target: ContractId | null) {
    this.#submitted = submitted;
    this.#target = target;
    this.state = submitted.state;
    this.now = submitted.now;
    this.dso = settingsOf(submitted.state).dso;
  }

  get target(): ContractId {
    if (this.#target === null) throw new Error('a create command exercises no contract');
    return this.#target;
  }

  contract<Name extends TemplateName>(template: Name, id: ContractId): ContractOf<Name> {
    const found = find(this.state, template, id);
    if (!found || !this.#sees(found.id, stakeholdersOf(found, this.dso)))
      throw new RefusedCommand({ code: 'CONTRACT_NOT_FOUND', contract: id, wanted: template });
    this.used.add(id);
    return found;
  }

  openRound(id: ContractId): void {
    const { opensAt } = this.contract('OpenMiningRound', id);
    if (opensAt > this.now) throw new RefusedCommand({ code: 'ROUND_NOT_OPEN', opensAt, at: this.now });
  }

  expectDso(expected: PartyId | null): void {
    if (expected !== null && expected !== this.dso)
      throw new RefusedCommand({ code: 'DSO_MISMATCH', expected: this.dso, actual: expected });
  }

  expectSame(field: string, expected: string, actual: string, contract: ContractId | null = null): void {
    if (expected !== actual) throw new RefusedCommand({ code: 'GROUP_MISMATCH', contract, field, expected, actual });
  }

  #sees(id: ContractId, stakeholders: readonly PartyId[]): boolean {
    const { disclosed, readers } = this.#submitted;
    return disclosed.has(id) || stakeholders.some((party) => readers.has(party));
  }
}
