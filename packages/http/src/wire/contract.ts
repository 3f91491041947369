import { z } from '@hono/zod-openapi';
import { ContractId, rulesOf, type LedgerState } from '@coinlab/core';
import { Problem } from '../problem.js';
import type { LedgerView } from '../history/ledger-view.js';
import { contractIdText } from './contract-id.js';
import { createdEventBlob } from './created-event-blob.js';
import { payloadOf } from './payloads.js';
import { templateIdOf, type NetworkContract } from './templates.js';
import { cidText, rfc3339, timeText } from './values.js';

export const contractSchema = z
  .object({
    template_id: z.string(),
    contract_id: cidText,
    payload: z.record(z.string(), z.unknown()),
    created_event_blob: z.string(),
    created_at: timeText,
  })
  .openapi('Contract');

export const contractWithStateSchema = z
  .object({ contract: contractSchema, domain_id: z.string().optional() })
  .openapi('ContractWithState');

export const maybeCachedSchema = z
  .object({ contract: contractSchema.optional(), domain_id: z.string().optional() })
  .openapi('MaybeCachedContractWithState');

export type WireContract = z.infer<typeof contractSchema>;

export function contractOf(contract: NetworkContract, ledger: LedgerView): WireContract {
  return contractAt(contract, ledger.state, ledger);
}

export function contractAt(contract: NetworkContract, state: LedgerState, ledger: LedgerView): WireContract {
  return {
    template_id: templateIdOf(contract),
    contract_id: contractIdText(contract, ledger),
    payload: payloadOf(contract, state),
    created_event_blob: createdEventBlob(contract, ledger),
    created_at: rfc3339(ledger.created.timeOf(contract.id)),
  };
}

export function contractWithState(
  contract: NetworkContract,
  ledger: LedgerView,
): z.infer<typeof contractWithStateSchema> {
  return { contract: contractOf(contract, ledger), ...domainOf(contract, ledger) };
}

export function maybeCached(
  contract: NetworkContract,
  cached: string | undefined,
  ledger: LedgerView,
): z.infer<typeof maybeCachedSchema> {
  if (cached === ContractId.format(contract.id)) return domainOf(contract, ledger);
  return contractWithState(contract, ledger);
}

/** A contract in transit has none. Source: specification of the API §3.1. */
function domainOf({ id }: NetworkContract, ledger: LedgerView): { domain_id?: string } {
  return ledger.inTransit.has(id) ? {} : { domain_id: synchronizerOf(ledger) };
}

export function synchronizerOf(ledger: LedgerView): string {
  const rules = rulesOf(ledger.state);
  if (!rules) throw new Problem(500, 'the ledger is not open yet');
  return rules.config.traffic.activeSynchronizer;
}
