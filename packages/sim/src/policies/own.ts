import { Amount, find, type ContractId, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { PolicyFault } from './fault.js';
import type { MergeHabit } from './merge.js';
import type { Demand, Policy } from './policy.js';
import { WalletView } from './view.js';

/** Returns the coins that pay `demand.amount`, in input order. */
export type OwnSelection = (wallet: WalletView, demand: Demand) => Iterable<Holding>;

/**
 * Returns at most `most` coins to merge; fewer than two means no merge now. Called again after each merge until it
 * returns fewer than two.
 */
export type OwnMerging = (wallet: WalletView, most: number) => Iterable<Holding>;

/** The exports of a policy file, named or as the default: policies by the names that a scenario's wallets use. */
export interface PolicyFile {
  readonly selection?: Readonly<Record<string, OwnSelection>>;
  /** For `wallet.merge.custom`. Called after every change of a wallet, or periodically with `every` (for example `1h`). */
  readonly merging?: Readonly<Record<string, OwnMerging | { readonly every: string; readonly coins: OwnMerging }>>;
}

/** User policies in the form that a {@link World} accepts, by name. */
export interface OwnPolicies {
  readonly selection?: Readonly<Record<string, Policy>>;
  readonly merging?: Readonly<Record<string, MergeHabit>>;
}

/** Returns its argument. Gives a policy file its types. */
export function definePolicies(file: PolicyFile): PolicyFile {
  return file;
}

/**
 * Wraps user policies with checks. A wrapped policy throws a {@link PolicyFault} when the policy throws, returns another party's
 * coins, locked coins or duplicates, or covers too little.
 */
export function checkedPolicies({ selection = {}, merging = {} }: PolicyFile): Required<OwnPolicies> {
  return {
    selection: mapped(selection, checkedSelection),
    merging: mapped(merging, (name, given) => ({
      policy: checkedMerging(name, typeof given === 'function' ? given : given.coins),
      every: typeof given === 'function' ? null : given.every,
    })),
  };
}

function checkedSelection(name: string, select: OwnSelection): Policy {
  return (state, owner, demand) => {
    const coins = coinsOf(name, owner, state, () => select(new WalletView(state, owner), demand));
    const sum = Amount.sum(coins.map(({ amount }) => amount));
    if (coins.length <= demand.most && sum < demand.amount)
      throw new PolicyFault(
        name,
        owner,
        `returned ${coins.length} coins of ${Amount.short(sum)} together, expected at least ${Amount.short(demand.amount)}`,
      );
    return coins;
  };
}

function checkedMerging(name: string, choose: OwnMerging): MergeHabit['policy'] {
  return (state, owner, most) => {
    const coins = coinsOf(name, owner, state, () => choose(new WalletView(state, owner), most));
    if (coins.length > most)
      throw new PolicyFault(name, owner, `returned ${coins.length} coins, expected at most ${most}`);
    return coins;
  };
}

function coinsOf(name: string, owner: PartyId, state: LedgerState, ask: () => Iterable<Holding>): readonly Holding[] {
  const coins: Holding[] = [];
  const seen = new Set<ContractId>();
  const fault = (reason: string, cause?: unknown): PolicyFault => new PolicyFault(name, owner, reason, null, cause);
  let returned: Iterable<unknown>;
  try {
    returned = ask();
    // A user's policy may return anything.
    if (typeof (returned as Iterable<unknown> | null | undefined)?.[Symbol.iterator] !== 'function')
      throw fault(`returned ${String(returned)}, expected coins`);
    for (const given of returned) {
      // An element may be of any type too.
      const id = (given as Holding | null | undefined)?.id;
      const coin = id === undefined ? null : find(state, 'Holding', id);
      if (!coin)
        throw fault(`returned ${id === undefined ? String(given) : `coin ${id}`}, which is not a coin of the ledger`);
      if (coin.owner !== owner) throw fault(`returned coin ${coin.id}, which belongs to ${coin.owner}`);
      if (coin.lock) throw fault(`returned coin ${coin.id}, which is locked`);
      if (seen.has(coin.id)) throw fault(`returned coin ${coin.id} twice`);
      seen.add(coin.id);
      coins.push(coin);
    }
  } catch (error) {
    throw error instanceof PolicyFault ? error : fault(`threw ${String(error)}${placeOf(error)}`, error);
  }
  return coins;
}

function placeOf(error: unknown): string {
  const place = error instanceof Error ? error.stack?.split('\n').find((line) => /^\s+at /.test(line)) : undefined;
  return place ? ` (${place.trim()})` : '';
}

function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  change: (name: string, value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
