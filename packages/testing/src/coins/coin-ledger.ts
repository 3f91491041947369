import type { Awaitable } from '../checks/port.js';

/** The adapter to a ledger of plain coins and offers. */
export interface CoinLedger {
  readonly name: string;
  /** Opens an empty ledger for one run. */
  open(): Awaitable<CoinSession>;
}

/** A ledger during one run. Amounts are whole numbers of its smallest unit, times are whole seconds from 0. */
export interface CoinSession {
  submit(command: CoinCommand): Awaitable<CoinAnswer>;
  /** Returns the coin of a party; zero for a party that has none. */
  balanceOf(party: string): Awaitable<CoinBalance>;
  /** Returns the coins of a party, including locked ones. A ledger of accounts omits this method. */
  coinsOf?(party: string): Awaitable<readonly Coin[]>;
  close?(): Awaitable<void>;
}

/** The coin of a party, in the ledger's smallest unit. */
export interface CoinBalance {
  /** All coin of the party, including coin locked by its open offers. */
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
      /**
       * The ledger's id of the offer that an `offer` command created; later commands refer to the offer by
       * this id.
       */
      readonly id?: string;
      /** Fee that the submitting party paid in coin, in addition to the amount; default: none. */
      readonly fee?: bigint;
    }
  | { readonly accepted: false; readonly reason: string }
  /** The ledger does not support the command; the run continues without it. */
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
  /** Drawn only with `draws: ['inputs']`. Default: the ledger selects the coins. */
  readonly inputs?: readonly string[];
}

/** Drawn only with `draws: ['merge']`. */
interface MergeCoins {
  readonly type: 'merge';
  readonly from: string;
  readonly inputs: readonly string[];
}

interface OfferCoin {
  readonly type: 'offer';
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
}

interface EndOffer {
  readonly type: 'accept' | 'reject' | 'withdraw';
  readonly offer: string;
}

/** A command with the submitting party and the time of execution in seconds. */
export type CoinCommand = (MintCoin | PayCoin | MergeCoins | OfferCoin | EndOffer) & {
  readonly by: string;
  readonly now: number;
};

export const ISSUER = 'issuer';
export const COIN_PARTIES = ['alice', 'bob', 'carol', 'dave'] as const;

/** An offer that the ledger has created. */
export interface KnownOffer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
  readonly madeAt: number;
  /** The command that ended the offer; null while it is open. An open offer's deadline may have passed. */
  readonly end: EndOffer['type'] | null;
}

/** The balances, coins and offers observed between two commands. */
export interface CoinView {
  readonly balances: ReadonlyMap<string, CoinBalance>;
  /** Coins by party; null if the ledger has accounts instead of coins. */
  readonly coins: ReadonlyMap<string, readonly Coin[]> | null;
  /** Every offer created so far, oldest first. */
  readonly offers: readonly KnownOffer[];
}

/** The rules in which ledgers differ. */
export interface CoinRules {
  /** Maximum number of inputs of a command; default: the limit is not checked. */
  readonly maxInputs?: number;
  /** Whether an offer can be accepted exactly at its deadline; default: false. */
  readonly acceptsAtDeadline?: boolean;
}

/** An executed command, with the observations before and after it. */
export interface CoinStep {
  readonly command: CoinCommand;
  readonly accepted: boolean;
  /** The fee that the ledger reported; zero if it reported none. */
  readonly fee: bigint;
  /**
   * Set for a refused payment with sufficient funds and for a refused acceptance before the deadline: whether
   * a new ledger with the same coins accepts the command. False means that the ledger has its own rule, such
   * as a minimum amount.
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
