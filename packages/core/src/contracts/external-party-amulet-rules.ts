import type { ContractBase } from '../kernel/decision.js';
import type { TemplateDeclaration } from './template.js';

/**
 * The factory of registry transfers and of external parties' TransferCommands: exactly one is active once the ledger
 * is open. Separate from the AmuletRules, so that a change of configuration does not replace it.
 * Source: specification §3.11.
 */
export interface ExternalPartyAmuletRules extends ContractBase {
  readonly template: 'ExternalPartyAmuletRules';
}

export const externalPartyAmuletRulesTemplate: TemplateDeclaration<ExternalPartyAmuletRules> = {
  fields: {},
  signatories: (_, dso) => [dso],
};
