import { Amount, Engine, rulesOf, settingsOf, type Entry, type LedgerState, type PartyId } from '@coinlab/core';
import { isPacked } from '@coinlab/core/codec';
import { openRoundsOf } from '@coinlab/core/views';
import { registryOf, type Registry } from '../metrics/party-figures.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Measured } from './log-metrics.js';

/** Name of the single group of a log that has no scenario. */
export const PARTIES = 'parties';

/** Collects the parties and the initial rules from a log that has no scenario. */
export class Census {
  readonly #parties = new Set<PartyId>();
  readonly #beginning = new Engine();
  #network: Scenario['network'] | null = null;

  /** The beginning of the log, up to its rules. */
  get state(): LedgerState {
    return this.#beginning.state;
  }

  take(entry: Entry): void {
    // A packed transfer creates coins alone, and none comes before the rules.
    if (isPacked(entry)) return;
    for (const contract of entry.created) if (contract.template === 'KnownParty') this.#parties.add(contract.party);
    for (const contract of entry.created)
      if (contract.template === 'DsoRules') for (const { party } of contract.svs) this.#parties.delete(party);
    if (this.#network) return;
    this.#beginning.apply(entry);
    this.#network = networkOf(this.#beginning);
  }

  /** Returns all parties except the DSO and its super validators, in order of appearance, as one group. */
  registry(): Registry {
    const { dso } = settingsOf(this.#beginning.state);
    const parties = [...this.#parties].filter((party) => party !== dso);
    return registryOf(parties, [{ group: { name: PARTIES }, start: 0, count: parties.length }]);
  }

  /** Returns the prices and limits at the log's start, or null when the log ends before its first round. */
  measured(every: number): Measured | null {
    return this.#network && { network: this.#network, warmup: 0, metrics: { every, perParty: false } };
  }
}

function networkOf({ state }: Engine): Scenario['network'] | null {
  const config = rulesOf(state)?.config;
  const amuletPrice = openRoundsOf(state)[0]?.amuletPrice;
  if (!config || amuletPrice === undefined) return null;
  const issuance = config.issuanceCurve[0]?.issuance;
  const { holdingFee, maxNumInputs } = config.transferConfigUsd;
  return {
    preset: 'log',
    profile: settingsOf(state).profile.name,
    maxInputs: maxNumInputs,
    prices: {
      amuletPrice: Amount.short(amuletPrice),
      trafficPrice: Amount.short(config.traffic.extraTrafficPriceUsd),
      holdingFee: Amount.short(holdingFee),
      validatorFaucetCap: Amount.short(issuance?.validatorFaucetCapUsd ?? Amount.zero),
      featuredAppRewardCap: Amount.short(issuance?.featuredAppRewardCap ?? Amount.zero),
    },
    rewards: true,
    expiresDust: true,
    fees: { network: true },
    changes: [],
  };
}
