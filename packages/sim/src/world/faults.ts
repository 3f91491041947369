import { Amount, Duration, type Holding } from '@coinlab/core';
import type { MergePolicy } from '../policies/merge.js';
import type { WalletHabits } from '../scenario/group.js';
import { ROUND_SPAN } from '../scenario/scenario.js';

export interface WalletFaults {
  readonly floatsAmounts: boolean;
  readonly staleRounds: number | null;
  readonly skipsBelow: Amount | null;
}

export const NO_FAULTS: WalletFaults = { floatsAmounts: false, staleRounds: null, skipsBelow: null };

export function faultsOf({ faults }: Pick<WalletHabits, 'faults'>): WalletFaults {
  let found = NO_FAULTS;
  for (const { floatAmounts, staleInputs, skipsSmallerThan } of faults) {
    if (floatAmounts) found = { ...found, floatsAmounts: true };
    if (staleInputs !== undefined) found = { ...found, staleRounds: Number(Duration.of(staleInputs) / ROUND_SPAN) };
    if (skipsSmallerThan !== undefined) found = { ...found, skipsBelow: Amount.of(skipsSmallerThan) };
  }
  return found;
}

const PLACES = 10;

/** A 64-bit float changes amounts of more than 15 digits. */
export function throughFloat(amount: Amount): Amount {
  return Amount.of(Number(Amount.format(amount)).toFixed(PLACES));
}

export function skipping(policy: MergePolicy, below: Amount): MergePolicy {
  return (state, owner, most) => {
    const kept: readonly Holding[] = policy(state, owner, most).filter(({ amount }) => amount >= below);
    return kept.length > 1 ? kept : [];
  };
}
