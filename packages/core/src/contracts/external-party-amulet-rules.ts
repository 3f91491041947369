import type { ContractBase } from '../kernel/decision.js';
import { none, type Template } from './template.js';

/**
 * The factory of registry transfers and of the TransferCommands of external parties: exactly one is active from the opening of
 * the ledger on. Apart from the AmuletRules, so that a change of configuration does not replace it.
 * Source: specification §3.11.
 */
export interface ExternalPartyAmuletRules extends ContractBase {
  readonly template: 'ExternalPartyAmuletRules';
}

export const externalPartyAmuletRulesTemplate: Template<ExternalPartyAmuletRules> = {
  fields: {},
  signatories: (_, dso) => [dso],
  observers: none,
  dueAt: () => null,
};
