import type { ContractId, Json, TemplateName } from '@coinlab/core';
import { MalformedCommand, RefusedCommand } from './faults.js';
import { cid, isObject, shown, type Fault, type Metadata } from './daml.js';
import type { Site } from './site.js';

export interface ExtraArgs {
  readonly context: { readonly values: Readonly<Record<string, Json>> };
  readonly meta: Metadata;
}

/** Source: specification of the API §10.1. */
const TEMPLATE_OF = {
  'amulet-rules': 'AmuletRules',
  'open-round': 'OpenMiningRound',
  'transfer-preapproval': 'TransferPreapproval',
  'featured-app-right': 'FeaturedAppRight',
  'external-party-config-state': 'ExternalPartyConfigState',
} as const satisfies Readonly<Record<string, TemplateName>>;

type ContextKey = keyof typeof TEMPLATE_OF;

export function checkExtraArgs(extra: ExtraArgs, needed: readonly ContextKey[], site: Site): void {
  // Cast: the keys of the table.
  const keys = Object.keys(TEMPLATE_OF) as ContextKey[];
  const present = new Set(keys.filter((key) => contractInContext(extra, key, site) !== null));
  const missing = present.has('external-party-config-state') ? undefined : needed.find((key) => !present.has(key));
  if (missing !== undefined)
    throw new RefusedCommand({
      code: 'INVALID_ARGUMENT',
      field: `choiceArgument.extraArgs.context.values.${missing}`,
      value: 'nothing',
      expected: 'the contract id of the registry',
    });
}

export function contractInContext(extra: ExtraArgs, key: ContextKey, site: Site): ContractId | null {
  const value = extra.context.values[key];
  if (value === undefined || value === null) return null;
  const field = `choiceArgument.extraArgs.context.values.${key}`;
  if (!isObject(value) || value['tag'] !== 'AV_ContractId')
    throw new MalformedCommand({ field, value: shown(value), expected: '{"tag":"AV_ContractId","value":CONTRACT_ID}' });
  const faults: Fault[] = [];
  const id = cid.read(value['value'], `${field}.value`, faults);
  if (faults[0]) throw new MalformedCommand(faults[0]);
  if (key === 'open-round') site.openRound(id);
  else site.contract(TEMPLATE_OF[key], id);
  return id;
}
