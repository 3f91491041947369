import { z } from '@hono/zod-openapi';
import { settingsOf, type LedgerState, type PartyId } from '@coinlab/core';
import { templateOf } from '@coinlab/core/contracts';
import type { LedgerView } from '../history/ledger-view.js';
import { contractIdText } from './contract-id.js';
import { payloadOf } from './payloads.js';
import { placeOf, templateIdOf, type NetworkContract } from './templates.js';
import { updateIdText } from './update-id.js';
import { cidText, partyText, rfc3339, timeText } from './values.js';

const contractFields = {
  contract_id: cidText,
  template_id: z.string(),
  package_name: z.string(),
  create_arguments: z.record(z.string(), z.unknown()),
  created_at: timeText,
  signatories: z.array(partyText),
  observers: z.array(partyText),
};

export const createdEventSchema = z
  .object({ event_type: z.literal('created_event'), event_id: z.string(), ...contractFields })
  .openapi('CreatedEvent');

export const activeContractSchema = z
  .object({ created_in_update_id: z.string().optional(), ...contractFields })
  .openapi('ActiveContract');

type ContractFields = Omit<z.output<typeof activeContractSchema>, 'created_in_update_id'>;

export function partiesOf(
  contract: NetworkContract,
  state: LedgerState,
): { readonly signatories: PartyId[]; readonly observers: PartyId[] } {
  const { dso } = settingsOf(state);
  const template = templateOf(contract);
  return {
    signatories: unique(template.signatories(contract, dso)),
    observers: unique(template.observers(contract, dso)),
  };
}

function unique(parties: readonly PartyId[]): PartyId[] {
  return parties.length < 2 ? [...parties] : [...new Set(parties)];
}

function contractFieldsOf(contract: NetworkContract, state: LedgerState, ledger: LedgerView): ContractFields {
  return {
    contract_id: contractIdText(contract, ledger),
    template_id: templateIdOf(contract),
    package_name: placeOf(contract).packageName,
    create_arguments: payloadOf(contract, state),
    created_at: rfc3339(ledger.created.timeOf(contract.id)),
    ...partiesOf(contract, state),
  };
}

export function activeContractOf(
  contract: NetworkContract,
  state: LedgerState,
  ledger: LedgerView,
): z.output<typeof activeContractSchema> {
  const { updateId } = ledger.created.updateOf(contract.id);
  return { created_in_update_id: updateIdText(updateId), ...contractFieldsOf(contract, state, ledger) };
}

export function createdEventOf(
  contract: NetworkContract,
  event: { readonly updateId: string; readonly node: number },
  state: LedgerState,
  ledger: LedgerView,
): z.output<typeof createdEventSchema> {
  return {
    event_type: 'created_event',
    event_id: eventIdOf(event),
    ...contractFieldsOf(contract, state, ledger),
  };
}

export function eventIdOf({ updateId, node }: { readonly updateId: string; readonly node: number }): string {
  return `${updateIdText(updateId)}:${node}`;
}
