import { err, ok, type Result } from '@coinlab/core';
import { scenarioOf, withOtherWallets, type FieldFault, type WalletChange } from '@coinlab/sim';
import type { SweepFile } from './schema.js';
import { withSettings, type FieldPath } from './settings.js';
import type { Base } from './sweep.js';

/** Changes of a sweep and its scenario that leave their files as they are. */
export interface SweepChanges {
  /** Policy file, instead of the scenario's. */
  readonly policies?: string;
  /** Number of replicates of each point. */
  readonly replicates?: number;
  readonly seed?: number;
  /** Policies of the wallets. */
  readonly wallets?: WalletChange;
  /** Groups whose wallets change; default: all. */
  readonly groups?: readonly string[];
  /** Flags of `coinlab sweep` that make these changes; they are repeated in the command that reruns a single run. */
  readonly flags?: string;
}

const CHANGED = ['select', 'merge'] as const;

export function withReplicates(definition: SweepFile, { replicates }: SweepChanges): SweepFile {
  return replicates === undefined ? definition : { ...definition, replicates };
}

/** The path of a fault begins with the name of the changed field: `group`, `select` or `merge`. */
export function changedBase({ value, scenario }: Base, changes: SweepChanges): Result<Base, readonly FieldFault[]> {
  const { seed, wallets = {} } = changes;
  const other = withOtherWallets(scenario, wallets, changes.groups ?? null);
  if (!other.ok) return other;
  const settings = [
    ...(seed === undefined ? [] : [[[['seed']], seed] as const]),
    ...fieldsChanged(scenario.groups, changes).map(({ key, fields }) => [fields, wallets[key]] as const),
  ];
  if (settings.length === 0) return ok({ value, scenario });
  const changed = withSettings(value, scenario, settings);
  const read = scenarioOf(changed);
  return read.ok ? ok({ value: changed, scenario: read.value }) : err(read.error);
}

/** A change of a field that a parameter varies would have no effect. */
export function uselessChanges(
  { parameters }: SweepFile,
  targets: readonly (readonly FieldPath[])[],
  { scenario }: Base,
  changes: Pick<SweepChanges, 'wallets' | 'groups'>,
): readonly FieldFault[] {
  return fieldsChanged(scenario.groups, changes).flatMap(({ key, fields }) => {
    const paths = fields.map((field) => field.join('.'));
    const by = parameters.find((_, i) => targets[i]?.some((target) => paths.some((path) => begins(target, path))));
    return by ? [{ path: [key], reason: `the sweep's parameter ${by.name} varies it; leave the flag out` }] : [];
  });
}

function begins(target: FieldPath, path: string): boolean {
  return `${target.join('.')}.`.startsWith(`${path}.`);
}

function fieldsChanged(
  known: readonly { readonly name: string }[],
  { wallets = {}, groups }: Pick<SweepChanges, 'wallets' | 'groups'>,
): readonly { readonly key: (typeof CHANGED)[number]; readonly fields: readonly FieldPath[] }[] {
  return CHANGED.filter((key) => wallets[key] !== undefined).map((key) => ({
    key,
    fields: known.flatMap(({ name }, i) =>
      groups === undefined || groups.includes(name) ? [['parties', i, 'wallet', key]] : [],
    ),
  }));
}
