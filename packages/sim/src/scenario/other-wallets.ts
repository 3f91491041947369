import { err, ok, type Result } from '@coinlab/core';
import { fieldFaults, nearestText, type FieldFault } from '../input/document.js';
import { crossFaults } from './cross.js';
import { walletSchema, type WalletHabits } from './group.js';
import type { Group, Scenario } from './scenario.js';

/** New policies of wallets, as a scenario writes them; undefined fields stay. */
export interface WalletChange {
  readonly select?: unknown;
  readonly merge?: unknown;
}

const schema = walletSchema.pick({ select: true, merge: true }).partial();

/**
 * Returns the scenario with other wallet policies, or all faults of the change.
 * @param names groups to change; null: all
 */
export function withOtherWallets(
  scenario: Scenario,
  change: WalletChange,
  names: readonly string[] | null,
): Result<Scenario, readonly FieldFault[]> {
  const known = scenario.groups.map(({ name }) => name);
  const strange = names?.filter((name) => !known.includes(name)) ?? [];
  if (strange.length > 0)
    return err(
      strange.map((name) => ({
        path: ['group'],
        reason: `got "${name}", expected one of ${known.join(', ')}${nearestText(name, known)}`,
      })),
    );
  const parsed = schema.safeParse(change);
  if (!parsed.success) return err(fieldFaults(parsed.error.issues, change, schema));
  const { select, merge } = parsed.data;
  const given: Partial<WalletHabits> = {
    ...(change.select !== undefined && select !== undefined && { select }),
    ...(change.merge !== undefined && merge !== undefined && { merge }),
  };
  const changed = (group: Group): Group =>
    names === null || names.includes(group.name) ? { ...group, wallet: { ...group.wallet, ...given } } : group;
  const other = { ...scenario, groups: scenario.groups.map(changed) };
  const crossed = crossFaults(other);
  return crossed.length > 0 ? err(crossed) : ok(other);
}
