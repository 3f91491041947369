import { settingsOf, type Contract, type ContractId, type PartyId, type Update } from '@coinlab/core';
import { createdIn } from '../../history/creation-index.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { LedgerFacts } from '../choices/choice.js';

export function factsBefore(update: Update, ledger: LedgerView): LedgerFacts {
  return new FactsBefore(update, ledger);
}

class FactsBefore implements LedgerFacts {
  readonly #update: Update;
  readonly #ledger: LedgerView;
  readonly #contracts: Map<ContractId, Contract | null> = new Map();

  constructor(update: Update, ledger: LedgerView) {
    this.#update = update;
    this.#ledger = ledger;
  }

  get dso(): PartyId {
    return settingsOf(this.#ledger.state).dso;
  }

  get amuletRules(): ContractId {
    return known(this.#ledger.network.rulesBefore(this.#update.offset), 'AmuletRules').id;
  }

  get factory(): ContractId {
    return known(this.#ledger.network.factoryBefore(this.#update.offset), 'ExternalPartyAmuletRules').id;
  }

  get round(): LedgerFacts['round'] {
    const { offset, recordTime } = this.#update;
    return known(this.#ledger.network.roundBefore(offset, recordTime), 'open round');
  }

  contract(id: ContractId): Contract | null {
    let found = this.#contracts.get(id);
    if (found === undefined) this.#contracts.set(id, (found = contractBefore(id, this.#update, this.#ledger)));
    return found;
  }
}

function known<Found>(found: Found | null, what: string): Found {
  if (found !== null) return found;
  throw new Error(`the update needs an ${what}, and the log has none before it`);
}

function contractBefore(id: ContractId, update: Update, ledger: LedgerView): Contract | null {
  const { network, created } = ledger;
  const rules = network.rulesBefore(update.offset);
  if (rules?.id === id) return rules;
  const factory = network.factoryBefore(update.offset);
  if (factory?.id === id) return factory;
  const offset = created.offsetOf(id);
  return createdIn(offset === update.offset ? update : ledger.history.updateAt(offset), id);
}
