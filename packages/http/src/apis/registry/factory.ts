import { allOf } from '@coinlab/core/views';
import { ContractId, type LedgerState } from '@coinlab/core';
import type { ExternalPartyAmuletRules } from '@coinlab/core/contracts';
import { Problem } from '../../problem.js';
import type { LedgerView } from '../../history/ledger-view.js';
import {
  choiceContext,
  configState,
  rulesAndRound,
  type ChoiceContext,
  type ContextContract,
} from '../../wire/choice-context.js';

export interface FactoryWithContext {
  readonly factoryId: string;
  readonly choiceContext: ChoiceContext;
}

/**
 * Returns the coin's only factory, for transfers and allocations, with its choice context. Throws 404 when there is no factory or no
 * usable round.
 * @param more contracts for a direct transfer, in addition to rules and round
 * Source: specification of the API §2.4, §10.2.
 */
export function factoryWithContext(
  ledger: LedgerView,
  excludeDebugFields: boolean,
  more: readonly ContextContract[] = [],
): FactoryWithContext {
  const named = [...rulesAndRound(ledger), ...configState(ledger), ...more];
  const factory = factoryOf(ledger.state);
  return {
    factoryId: ContractId.format(factory.id),
    choiceContext: choiceContext({ named, disclosed: [factory] }, excludeDebugFields, ledger),
  };
}

function factoryOf(state: LedgerState): ExternalPartyAmuletRules {
  for (const factory of allOf(state, 'ExternalPartyAmuletRules')) return factory;
  throw new Problem(404, 'this ledger has no transfer factory');
}
