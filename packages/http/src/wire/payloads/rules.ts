import type { ContractOf } from '@coinlab/core';
import { amuletConfigPayload, ansConfigPayload } from './configs.js';
import { cid, time, type Payload, type Terms } from './fields.js';

// Payloads of rules and names. Source: specification of the API §11.1, §11.2, §11.3.

export function amuletRulesPayload({ isDevNet, config }: ContractOf<'AmuletRules'>, terms: Terms): Payload {
  return {
    dso: terms.dso,
    configSchedule: { initialValue: amuletConfigPayload(config, terms), futureValues: [] },
    isDevNet,
    contractStateSchemaVersion: null,
  };
}

export function ansRulesPayload({ config }: ContractOf<'AnsRules'>, terms: Terms): Payload {
  return { dso: terms.dso, config: ansConfigPayload(config, terms) };
}

export function ansEntryPayload(entry: ContractOf<'AnsEntry'>, { dso }: Terms): Payload {
  const { user, name, url, description, expiresAt } = entry;
  return { user, dso, name, url, description, expiresAt: time(expiresAt) };
}

export function ansEntryContextPayload(context: ContractOf<'AnsEntryContext'>, { dso }: Terms): Payload {
  const { user, name, url, description, reference } = context;
  return { dso, user, name, url, description, reference: cid(reference) };
}
