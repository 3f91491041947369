import { type ProfileName, type Ledger, emptyLedger, openLedger } from '@coinlab/core';
import { busyNetwork } from '../generator/busy-network.js';
import type { Drawn } from '../generator/commands.js';

/** The initial ledger of a run: a busy network under a profile, or an empty ledger (`nothing`). */
export type StartName = ProfileName | 'nothing';

/** All initial ledgers. A failure shrinks towards the first. */
export const STARTS: readonly StartName[] = ['feeless', 'legacy-fees', 'feeless-24h', 'nothing'];

/** The empty ledger is rare, because few commands are accepted there. */
export const START_WEIGHTS: Readonly<Record<StartName, number>> = {
  feeless: 6,
  'legacy-fees': 4,
  'feeless-24h': 4,
  nothing: 1,
};

const starts: Map<StartName, Ledger> = new Map();

/**
 * Returns the initial ledger of a name. If a faulty core cannot build the busy network, returns a new network
 * instead, so that a few commands show the fault.
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

export function opening(name: StartName, steps: readonly Drawn[]): readonly Drawn[] {
  if (name !== 'nothing') return [];
  const rolls = steps[0]?.rolls ?? [];
  return (['OpenLedger', 'BootstrapRounds', 'BootstrapDso'] as const).map((type) => ({ type, rolls }));
}
