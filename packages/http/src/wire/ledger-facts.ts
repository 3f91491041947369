import { settingsOf, type Contract, type ContractId, type Update } from '@coinlab/core';
import { createdIn } from '../history/creation-index.js';
import type { LedgerView } from '../history/ledger-view.js';
import type { LedgerFacts } from './choices/choice.js';

export function factsBefore(update: Update, ledger: LedgerView): LedgerFacts {
  const { offset, recordTime } = update;
  const { network, state } = ledger;
  const contracts = new Map<ContractId, Contract | null>();
  return {
    get dso() {
      return settingsOf(state).dso;
    },
    get amuletRules() {
      return known(network.rulesBefore(offset), 'AmuletRules').id;
    },
    get factory() {
      return known(network.factoryBefore(offset), 'ExternalPartyAmuletRules').id;
    },
    get round() {
      return known(network.roundBefore(offset, recordTime), 'open round');
    },
    contract(id) {
      let found = contracts.get(id);
      if (found === undefined) contracts.set(id, (found = contractBefore(id, update, ledger)));
      return found;
    },
  };
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
