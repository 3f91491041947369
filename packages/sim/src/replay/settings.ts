import type { Amount } from '@coinlab/core';
import { LARGEST_SEED } from '../chance/draws.js';
import type { SelectionName } from '../policies/named.js';

/** How a wallet behaves and what it is allowed; the same for streams and networks. */
export interface WalletSettings {
  readonly policy: SelectionName;
  /** Inputs that one transaction may have, at least 2; null: no cap. */
  readonly cap: number | null;
  /** UTXOs above which a wallet merges after a row, at least 1; null: never. */
  readonly mergeAbove: number | null;
  /** Seed of update ids and of all chance: a whole number of 32 bits. */
  readonly seed: number;
}

/** How a stream is replayed. */
export interface StreamSettings extends WalletSettings {
  /** A payment that the wallet cannot cover yet waits in order, or is dropped and counted. */
  readonly whenShort: 'wait' | 'drop';
  /** The UTXOs that the wallet begins with, in order of creation. */
  readonly opening: readonly Amount[];
}

/** How a network is replayed. */
export interface NetworkSettings extends WalletSettings {
  /** Holding fee in coin per round, by which coins become dust and expire; null: none expires. */
  readonly holdingRate: Amount | null;
}

/** What is not said. */
export const DEFAULT_SETTINGS: StreamSettings & NetworkSettings = {
  policy: 'oldest-first',
  cap: 100,
  mergeAbove: null,
  seed: 1,
  whenShort: 'wait',
  opening: [],
  holdingRate: null,
};

/** Throws a RangeError for settings that no replay can honour. */
export function requireSettings({ cap, mergeAbove, seed }: WalletSettings): void {
  const whole = (name: string, value: number | null, least: number, most: number): void => {
    if (value !== null && !(Number.isInteger(value) && value >= least && value <= most))
      throw new RangeError(`${name}: got ${value}, expected a whole number from ${least} to ${most}`);
  };
  whole('cap', cap, 2, MOST_INPUTS);
  whole('mergeAbove', mergeAbove, 1, Number.MAX_SAFE_INTEGER);
  whole('seed', seed, 0, LARGEST_SEED);
}

/** The cap that stands for none: more inputs than a transaction could ever name. */
export const MOST_INPUTS: number = 2 ** 31 - 1;
