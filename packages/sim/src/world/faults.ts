import { Amount, Duration, type Holding } from '@coinlab/core';
import type { MergePolicy } from '../policies/merge.js';
import type { WalletHabits } from '../scenario/group.js';
import { ROUND_SPAN } from '../scenario/scenario.js';

/** What is wrong with the wallets of a group. */
export interface WalletFaults {
  /** Amounts that are paid pass through a 64-bit float. */
  readonly floatsAmounts: boolean;
  /** Age in whole rounds of the list of UTXOs that inputs are chosen from; 0: as the round began. Null: it is fresh. */
  readonly staleRounds: number | null;
  /** Coins below it are left alone by merges; null: none. */
  readonly skipsBelow: Amount | null;
}

/** A wallet that works as it should. */
export const NO_FAULTS: WalletFaults = { floatsAmounts: false, staleRounds: null, skipsBelow: null };

/** The faults that a scenario names. Of one kind the last counts. */
export function faultsOf({ faults }: Pick<WalletHabits, 'faults'>): WalletFaults {
  let found = NO_FAULTS;
  for (const { floatAmounts, staleInputs, skipsSmallerThan } of faults) {
    if (floatAmounts) found = { ...found, floatsAmounts: true };
    if (staleInputs !== undefined) found = { ...found, staleRounds: Number(Duration.of(staleInputs) / ROUND_SPAN) };
    if (skipsSmallerThan !== undefined) found = { ...found, skipsBelow: Amount.of(skipsSmallerThan) };
  }
  return found;
}

/** Digits of a coin amount behind the point. */
const PLACES = 10;

/** An amount after it was a decimal number of a 64-bit float: beyond 15 digits it is another one. */
export function throughFloat(amount: Amount): Amount {
  return Amount.of(Number(Amount.format(amount)).toFixed(PLACES));
}

/** A merge policy whose wallet leaves small coins out of what the policy chose. */
export function skipping(policy: MergePolicy, below: Amount): MergePolicy {
  return (state, owner, most) => {
    const kept: readonly Holding[] = policy(state, owner, most).filter(({ amount }) => amount >= below);
    return kept.length > 1 ? kept : [];
  };
}
