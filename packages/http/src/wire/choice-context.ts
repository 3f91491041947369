import { z } from '@hono/zod-openapi';
import { allOf } from '@coinlab/core/views';
import { ContractId, rulesOf, settingsOf, type Instant } from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { describeInTransit, inTransitAmong } from '../host/in-transit.js';
import { Problem } from '../problem.js';
import type { LedgerView } from '../history/ledger-view.js';
import { synchronizerOf } from './contract.js';
import { createdEventBlob } from './created-event-blob.js';
import { payloadOf } from './payloads.js';
import { placeOf, templateIdOf, type NetworkContract } from './templates.js';
import { rfc3339 } from './values.js';

/** A contract that the submitter cannot see on the ledger. Source: specification of the API §2.1. */
const disclosedContractSchema = z
  .object({
    templateId: z.string(),
    contractId: z.string(),
    createdEventBlob: z.string(),
    synchronizerId: z.string(),
    debugPackageName: z.string().optional(),
    debugPayload: z.record(z.string(), z.unknown()).optional(),
    debugCreatedAt: z.string().optional(),
  })
  .openapi('DisclosedContract');

export const choiceContextSchema = z
  .object({
    choiceContextData: z.object({ values: z.record(z.string(), z.object({ tag: z.string(), value: z.unknown() })) }),
    disclosedContracts: z.array(disclosedContractSchema),
  })
  .openapi('ChoiceContext');

export type ChoiceContext = z.infer<typeof choiceContextSchema>;

export interface ContextContract {
  readonly key: string;
  readonly contract: NetworkContract;
}

export interface ContextParts {
  readonly named: readonly ContextContract[];
  readonly disclosed: readonly NetworkContract[];
  readonly expiresLock?: boolean;
}

export function choiceContext(parts: ContextParts, excludeDebugFields: boolean, ledger: LedgerView): ChoiceContext {
  const { named, disclosed, expiresLock } = parts;
  return {
    choiceContextData: {
      values: {
        ...Object.fromEntries(
          named.map(({ key, contract }) => [key, { tag: 'AV_ContractId', value: ContractId.format(contract.id) }]),
        ),
        ...(expiresLock === undefined ? {} : { 'expire-lock': { tag: 'AV_Bool', value: expiresLock } }),
      },
    },
    disclosedContracts: [...named.map(({ contract }) => contract), ...disclosed].map((contract) =>
      disclosedContract(contract, excludeDebugFields, ledger),
    ),
  };
}

/** Returns the later of clock and ledger time: the log may be ahead of the clock. */
export function nowOf(ledger: LedgerView): Instant {
  const { time } = ledger.state;
  const now = ledger.now();
  return now > time ? now : time;
}

export function rulesAndRound(ledger: LedgerView): readonly ContextContract[] {
  const state = ledger.state;
  const rules = rulesOf(state);
  const round = newestUsableRound(state, nowOf(ledger));
  if (!rules || !round) throw new Problem(404, 'no open mining round is usable at this time');
  return [
    { key: 'amulet-rules', contract: rules },
    { key: 'open-round', contract: round },
  ];
}

export function configState(ledger: LedgerView): readonly ContextContract[] {
  const state = ledger.state;
  const latest = settingsOf(state).profile.usesConfigStates
    ? [...allOf(state, 'ExternalPartyConfigState')].at(-1)
    : undefined;
  return latest ? [{ key: 'external-party-config-state', contract: latest }] : [];
}

function disclosedContract(
  contract: NetworkContract,
  excludeDebugFields: boolean,
  ledger: LedgerView,
): z.infer<typeof disclosedContractSchema> {
  const { id } = contract;
  const refusal = inTransitAmong([id], ledger.inTransit);
  if (refusal) throw new Problem(409, describeInTransit(refusal));
  const disclosed = {
    templateId: templateIdOf(contract),
    contractId: ContractId.format(id),
    createdEventBlob: createdEventBlob(contract, ledger),
    synchronizerId: synchronizerOf(ledger),
  };
  if (excludeDebugFields) return disclosed;
  return {
    ...disclosed,
    debugPackageName: placeOf(contract).packageName,
    debugPayload: payloadOf(contract, ledger.state),
    debugCreatedAt: rfc3339(ledger.created.timeOf(contract.id)),
  };
}
