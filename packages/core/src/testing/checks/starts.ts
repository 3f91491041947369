import type { ProfileName } from '../../contracts/settings.js';
import type { Ledger } from '../../ledger.js';
import { emptyLedger } from '../../ledger.js';
import { busyNetwork } from '../generator/busy-network.js';
import type { Drawn } from '../generator/commands.js';

/** Where a run begins: in a busy network under a profile, or with nothing at all. */
export type StartName = ProfileName | 'nothing';

/** Everywhere a run can begin; a failure shrinks towards the first. */
export const STARTS: readonly StartName[] = ['feeless', 'legacy-fees', 'feeless-24h', 'nothing'];

/** How often runs begin there, against each other: a network of its own makes little happen in few commands. */
export const START_WEIGHTS: Readonly<Record<StartName, number>> = {
  feeless: 6,
  'legacy-fees': 4,
  'feeless-24h': 4,
  nothing: 1,
};

/** The ledger of a start. */
export function startOf(name: StartName): Ledger {
  return name === 'nothing' ? emptyLedger() : busyNetwork(name);
}

/** What a run from nothing has to begin with; chance is that of the first command drawn. */
export function opening(name: StartName, steps: readonly Drawn[]): readonly Drawn[] {
  if (name !== 'nothing') return [];
  const rolls = steps[0]?.rolls ?? [];
  return (['OpenLedger', 'BootstrapRounds', 'BootstrapDso'] as const).map((type) => ({ type, rolls }));
}
