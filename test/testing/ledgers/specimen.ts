import type { CoinFeature, CoinLedger, CoinRules } from '@coinlab/testing';
import type { Replacement } from '../../faults/replaced.ts';

/** The kinds of mistakes that `checkCoinLedger` must find in other people's ledgers. */
export type BugKind =
  | 'double spend'
  | 'double accept'
  | 'change rounded up'
  | 'lock kept after withdrawal'
  | 'deadline off by one'
  | 'too many inputs'
  | 'withdrawal by a non-owner'
  | 'wrong receiver'
  | 'payment without funds'
  | 'total not conserved';

/** A mistake in a ledger, planted by replacing one text of its `ledger.ts`. */
export interface Bug extends Replacement {
  readonly kind: BugKind;
  /** Distinguishes bugs of the same kind. */
  readonly detail?: string;
}

/** A small ledger that a user could have written: its folder has `ledger.ts` and `adapter.ts`. */
export interface Specimen {
  readonly folder: string;
  /** The coding style, for the table of results. */
  readonly style: string;
  readonly draws: readonly CoinFeature[];
  readonly rules?: CoinRules;
  readonly bugs: readonly Bug[];
}

export interface Adapter {
  readonly coinLedger: () => CoinLedger;
}

export function bugName({ kind, detail }: Bug): string {
  return detail === undefined ? kind : `${kind}: ${detail}`;
}

const MADE = 'coin is made by mints alone and lost to fees alone';
const MOVED = 'an accepted command moves its amount from its sender to its receiver and moves nothing else';
const ONCE = 'a coin is spent once, by its owner and unlocked';
const FUNDS = 'a payment or an offer has unlocked funds and no negative amount';
const LOCKS = 'the locked coin of a party covers its open offers until their deadlines, and is none without them';
const POSSIBLE = 'unlocked coin can be paid, and an open offer can be accepted before its deadline';

/** The laws that a bug of each kind can break. A failure with another law describes another mistake. */
export const LAWS_OF: Readonly<Record<BugKind, readonly string[]>> = {
  'double spend': [ONCE, FUNDS, MADE, MOVED, LOCKS],
  'double accept': ['an offer ends once'],
  'change rounded up': [MADE, MOVED],
  'lock kept after withdrawal': [LOCKS, POSSIBLE],
  'deadline off by one': ['an offer is accepted before its deadline', POSSIBLE],
  'too many inputs': ['a command takes no more inputs than the limit'],
  'withdrawal by a non-owner': [
    'only the owner pays, only the receiver accepts, only a party of an offer ends it before its deadline',
  ],
  'wrong receiver': [MOVED],
  'payment without funds': [FUNDS, ONCE],
  'total not conserved': [MADE, MOVED],
};
