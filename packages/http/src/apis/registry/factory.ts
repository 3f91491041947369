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
