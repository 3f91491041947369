import type { ContractOf, PartyId } from '@coinlab/core';
import { amuletConfigPayload, ansConfigPayload } from './configs.js';
import { cid, time, type Payload } from './fields.js';

// Payloads of rules and names. Source: specification of the API §11.1, §11.2, §11.3.

export function amuletRulesPayload({ isDevNet, config }: ContractOf<'AmuletRules'>, dso: PartyId): Payload {
  return {
    dso,
    configSchedule: { initialValue: amuletConfigPayload(config), futureValues: [] },
    isDevNet,
    contractStateSchemaVersion: null,
  };
}

export function ansRulesPayload({ config }: ContractOf<'AnsRules'>, dso: PartyId): Payload {
  return { dso, config: ansConfigPayload(config) };
}

export function ansEntryPayload(entry: ContractOf<'AnsEntry'>, dso: PartyId): Payload {
  const { user, name, url, description, expiresAt } = entry;
  return { user, dso, name, url, description, expiresAt: time(expiresAt) };
}

export function ansEntryContextPayload(context: ContractOf<'AnsEntryContext'>, dso: PartyId): Payload {
  const { user, name, url, description, reference } = context;
  return { dso, user, name, url, description, reference: cid(reference) };
}
