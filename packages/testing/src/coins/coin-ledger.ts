import type { Awaitable } from '../checks/port.js';

/** A ledger of plain coins and offers, behind an adapter. */
export interface CoinLedger {
  readonly name: string;
  /** Opens an empty ledger for one run. */
  open(): Awaitable<CoinSession>;
}

/** A ledger during one run. Amounts are whole numbers of its smallest unit, times are whole seconds from 0. */
export interface CoinSession {
  submit(command: CoinCommand): Awaitable<CoinAnswer>;
  /** The coin of a party; zero for a party without coin. */
  balanceOf(party: string): Awaitable<CoinBalance>;
  /** The coins of a party, including locked ones. A ledger of accounts leaves it out. */
  coinsOf?(party: string): Awaitable<readonly Coin[]>;
  close?(): Awaitable<void>;
}

/** The coin of a party. */
export interface CoinBalance {
  /** Including the coin that open offers of the party lock. */
  readonly total: bigint;
  readonly locked: bigint;
}

/** A coin of a ledger whose payments spend whole coins (UTXOs). */
export interface Coin {
  readonly id: string;
  readonly amount: bigint;
  readonly isLocked: boolean;
}

/** The answer of a ledger to a command. */
export type CoinAnswer =
  | {
      readonly accepted: true;
      /** The ledger's id of the offer that `offer` made: later commands name it. */
      readonly id?: string;
      /** Coin that the ledger took as a fee from the party that submitted the command, in addition to the amount; default: none. */
      readonly fee?: bigint;
    }
  | { readonly accepted: false; readonly reason: string }
  /** The ledger has no such command: the run goes on without it. */
  | { readonly skipped: true };

interface MintCoin {
  readonly type: 'mint';
  readonly to: string;
  readonly amount: bigint;
}

interface PayCoin {
  readonly type: 'pay';
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** The coins to spend; drawn only with `draws: ['inputs']`. Default: the ledger chooses. */
  readonly inputs?: readonly string[];
}

/** Makes one coin of several; drawn only with `draws: ['merge']`. */
interface MergeCoins {
  readonly type: 'merge';
  readonly from: string;
  readonly inputs: readonly string[];
}

/** Locks coin for a receiver, who can accept it until the deadline. */
interface OfferCoin {
  readonly type: 'offer';
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
}

/** Ends an offer: the receiver accepts or rejects it, the sender withdraws it. */
interface EndOffer {
  readonly type: 'accept' | 'reject' | 'withdraw';
  readonly offer: string;
}

/** A command, with the party that submits it and the time at which it takes effect. */
export type CoinCommand = (MintCoin | PayCoin | MergeCoins | OfferCoin | EndOffer) & {
  readonly by: string;
  readonly now: number;
};

export const ISSUER = 'issuer';
export const COIN_PARTIES = ['alice', 'bob', 'carol', 'dave'] as const;

/** An offer that the ledger accepted. */
export interface KnownOffer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
  readonly madeAt: number;
  /** The command that ended it; null: it is open, although its deadline may have passed. */
  readonly end: EndOffer['type'] | null;
}

/** The observed balances, coins and offers between two commands. */
export interface CoinView {
  readonly balances: ReadonlyMap<string, CoinBalance>;
  /** Null for a ledger of accounts. */
  readonly coins: ReadonlyMap<string, readonly Coin[]> | null;
  /** Every offer so far, oldest first. */
  readonly offers: readonly KnownOffer[];
}

/** The rules on which ledgers differ. */
export interface CoinRules {
  /** Maximum number of inputs of a command; default: no limit is checked. */
  readonly maxInputs?: number;
  /** Whether an offer can be accepted at its deadline; default: no, only before. */
  readonly acceptsAtDeadline?: boolean;
}

/** A command that the ledger answered, and what was observed before and after it. */
export interface CoinStep {
  readonly command: CoinCommand;
  readonly accepted: boolean;
  /** The fee that the ledger reported. */
  readonly fee: bigint;
  /**
   * For a refused payment with sufficient funds or a refused acceptance in time: whether a new ledger with the same coins accepts it. If
   * not, the ledger has a rule of its own, such as a minimum amount.
   */
  readonly isAcceptedAnew: boolean;
  readonly before: CoinView;
  readonly after: CoinView;
  readonly rules: CoinRules;
}

export function unlockedOf({ balances }: CoinView, party: string): bigint {
  const { total, locked } = balances.get(party) ?? { total: 0n, locked: 0n };
  return total - locked;
}

export function offerOf({ offers }: CoinView, command: CoinCommand): KnownOffer | undefined {
  return 'offer' in command ? offers.find(({ id }) => id === command.offer) : undefined;
}
