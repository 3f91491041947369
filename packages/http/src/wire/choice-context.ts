import { z } from '@hono/zod-openapi';
import { allOf, createdEventBlob } from '@coinlab/core/views';
import { ContractId, rulesOf, settingsOf, type Instant } from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { Problem } from '../problem.js';
import type { LedgerView } from '../history/ledger-view.js';
import { synchronizerOf } from './contract.js';
import { payloadOf } from './payloads.js';
import { placeOf, templateIdOf, type NetworkContract } from './templates.js';
import { rfc3339 } from './values.js';

/** A contract that a client hands in with its submission, because the submitter cannot see it. Source: specification of the API §2.1. */
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

/** What a choice of the token standard is exercised with. */
export const choiceContextSchema = z
  .object({
    choiceContextData: z.object({ values: z.record(z.string(), z.object({ tag: z.string(), value: z.unknown() })) }),
    disclosedContracts: z.array(disclosedContractSchema),
  })
  .openapi('ChoiceContext');

/** What a choice of the token standard is exercised with. */
export type ChoiceContext = z.infer<typeof choiceContextSchema>;

/** A value of the context by its key, and a contract that backs it. */
export interface ContextContract {
  readonly key: string;
  readonly contract: NetworkContract;
}

/** Parts of a context: values for keys, and the contracts to disclose, in order. */
export interface ContextParts {
  /** Contracts that are named under a key, and disclosed first. */
  readonly named: readonly ContextContract[];
  /** Contracts that are disclosed only, after those. */
  readonly disclosed: readonly NetworkContract[];
  /** Whether an unexpired lock can be ended; left out where no lock is concerned. */
  readonly expiresLock?: boolean;
}

/** A context from its parts. Without debug fields those are left out, not null. Source: specification of the API §10. */
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

/** The time at which a request asks: the clock's, unless the log is ahead of it. */
export function nowOf(ledger: LedgerView): Instant {
  const { time } = ledger.state;
  const now = ledger.now();
  return now > time ? now : time;
}

/** The rules and the newest usable round, which most contexts name; 404 before there are any. Source: specification of the API §2.1, §10.2. */
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

/** The state that stands for rules and round where the profile uses such; none otherwise. Source: specification of the API §10.1. */
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
  const disclosed = {
    templateId: templateIdOf(contract),
    contractId: ContractId.format(contract.id),
    createdEventBlob: createdEventBlob(contract),
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
