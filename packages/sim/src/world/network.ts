import {
  Amount,
  genesisConfig,
  openEngine,
  PartyId,
  rulesOf,
  type AmuletConfig,
  type Command,
  type Engine,
  type EngineOptions,
  type Entry,
} from '@coinlab/core';
import type { Prices, Scenario } from '../scenario/scenario.js';
import type { Population } from './population.js';

/** The DSO of a simulated network. */
export const DSO: PartyId = PartyId.of('DSO');
/** Its super validator. */
export const SV: PartyId = PartyId.of('sv-0');

/** Submits a command at the time of the ledger's driver; null: the ledger rejected it. */
export type Submit = (command: Command, ...actAs: readonly PartyId[]) => Entry | null;

/** Receives the entries of the log. */
export type Listener = Pick<EngineOptions, 'onEntry'>;

/** A ledger under the rules and prices of a scenario. */
export function openNetwork({ seed, network }: Scenario, listener: Listener): Engine {
  const { profile, prices } = network;
  const config = genesisConfig(profile);
  return openEngine({
    seed,
    profile,
    amuletPrice: Amount.of(prices.amuletPrice),
    isDevNet: true,
    config: {
      ...priced(config, prices),
      transferConfigUsd: { ...priced(config, prices).transferConfigUsd, maxNumInputs: network.maxInputs },
      // What moves the coin that is measured is payments; a preapproval for the whole run would cost a wallet its opening.
      transferPreapprovalFeeUsd: Amount.zero,
    },
    ...listener,
  });
}

/** A configuration at other prices; what a change does not name stays. */
function priced(config: AmuletConfig, prices: { readonly [Price in keyof Prices]?: string | undefined }): AmuletConfig {
  const { trafficPrice, holdingFee, validatorFaucetCap, featuredAppRewardCap } = prices;
  return {
    ...config,
    transferConfigUsd: { ...config.transferConfigUsd, ...(holdingFee && { holdingFee: Amount.of(holdingFee) }) },
    traffic: { ...config.traffic, ...(trafficPrice && { extraTrafficPriceUsd: Amount.of(trafficPrice) }) },
    issuanceCurve: config.issuanceCurve.map(({ from, issuance }) => ({
      from,
      issuance: {
        ...issuance,
        ...(validatorFaucetCap && { validatorFaucetCapUsd: Amount.of(validatorFaucetCap) }),
        ...(featuredAppRewardCap && { featuredAppRewardCap: Amount.of(featuredAppRewardCap) }),
      },
    })),
  };
}

/** Changes of regime: the DSO sets the prices that a change names. */
export function applyChange(
  engine: Engine,
  submit: Submit,
  { amuletPrice, ...prices }: Scenario['network']['changes'][number],
): void {
  const baseConfig = rulesOf(engine.state)?.config;
  if (!baseConfig) throw new RangeError('the ledger has no rules yet');
  const newConfig = priced(baseConfig, prices);
  submit({ type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig, newConfig } }, DSO);
  if (amuletPrice) submit({ type: 'VoteAmuletPrice', sv: SV, amuletPrice: Amount.of(amuletPrice) }, SV);
}

/** The DSO with its super validator, and validators with their licenses. */
export function foundNetwork({ network }: Scenario, population: Population, submit: Submit): void {
  submit(
    { type: 'BootstrapDso', svs: [{ party: SV, name: 'SV 0', rewardWeight: 10_000, participantId: nodeOf(SV) }] },
    DSO,
  );
  submit({ type: 'VoteAmuletPrice', sv: SV, amuletPrice: Amount.of(network.prices.amuletPrice) }, SV);
  for (const { group, start, count } of population.groups) {
    for (let i = start; i < start + count; i++) {
      const party = population.party(i);
      if (group.temperament === 'validator' && network.rewards)
        submit({ type: 'GrantValidatorLicense', validator: party, sponsor: SV, version: '0.6.6' }, DSO);
      if (group.featured) submit({ type: 'GrantFeaturedAppRight', provider: party }, DSO);
    }
  }
}

/** The node of a party, whose traffic is counted. */
export function nodeOf(party: PartyId): string {
  return `PAR::${party}`;
}
