import type { Amount } from '@coinlab/core';
import { LARGEST_SEED } from '../chance/draws.js';
import type { SelectionName } from '../policies/named.js';

/** Behaviour and limits of wallets, for streams and networks. */
export interface WalletSettings {
  readonly policy: SelectionName;
  /** Limit of inputs per transaction, at least 2; null: no limit. */
  readonly cap: number | null;
  /** Number of UTXOs above which a wallet merges them after a row of the stream; at least 1. Null: it never merges. */
  readonly mergeThreshold: number | null;
  /** Seed of update ids and all random draws: an unsigned 32-bit integer. */
  readonly seed: number;
}

/** Settings of a stream replay. */
export interface StreamSettings extends WalletSettings {
  /** `wait`: payments above the balance wait in order; `drop`: they are dropped and counted. */
  readonly whenShort: 'wait' | 'drop';
  /** Initial UTXOs of the wallet, in order of creation. */
  readonly opening: readonly Amount[];
}

/** Settings of a network replay. */
export interface NetworkSettings extends WalletSettings {
  /** Holding fee in coin per round, after which coins expire as dust; null: no coin expires. */
  readonly holdingRate: Amount | null;
}

/** Default settings. */
export const DEFAULT_SETTINGS: StreamSettings & NetworkSettings = {
  policy: 'oldest-first',
  cap: 100,
  mergeThreshold: null,
  seed: 1,
  whenShort: 'wait',
  opening: [],
  holdingRate: null,
};

export function requireSettings({ cap, mergeThreshold, seed }: WalletSettings): void {
  const whole = (name: string, value: number | null, least: number, most: number): void => {
    if (value !== null && !(Number.isInteger(value) && value >= least && value <= most))
      throw new RangeError(`${name}: got ${value}, expected a whole number from ${least} to ${most}`);
  };
  whole('cap', cap, 2, MOST_INPUTS);
  whole('mergeThreshold', mergeThreshold, 1, Number.MAX_SAFE_INTEGER);
  whole('seed', seed, 0, LARGEST_SEED);
}

/** Limit of inputs that has no effect: more inputs than any transaction has. */
export const MOST_INPUTS: number = 2 ** 31 - 1;
