import { type ProfileName, type Ledger, emptyLedger, openLedger } from '@coinlab/core';
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

const starts: Map<StartName, Ledger> = new Map();

/**
 * The ledger of a start. When a core is so wrong that no busy network can be built with it, runs begin in a new network instead, so
 * that a few commands tell what is wrong.
 */
export function startOf(name: StartName): Ledger {
  let start = starts.get(name);
  if (!start) starts.set(name, (start = name === 'nothing' ? emptyLedger() : busyOrNew(name)));
  return start;
}

function busyOrNew(profile: ProfileName): Ledger {
  try {
    return busyNetwork(profile);
  } catch {
    return openLedger({ profile });
  }
}

/** Returns the first commands of a run from an empty ledger, drawn with the dice of the first command. */
export function opening(name: StartName, steps: readonly Drawn[]): readonly Drawn[] {
  if (name !== 'nothing') return [];
  const rolls = steps[0]?.rolls ?? [];
  return (['OpenLedger', 'BootstrapRounds', 'BootstrapDso'] as const).map((type) => ({ type, rolls }));
}
