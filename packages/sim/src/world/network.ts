import {
  Amount,
  genesisConfig,
  openEngine,
  PartyId,
  rulesOf,
  type Command,
  type Engine,
  type EngineOptions,
  type Entry,
} from '@coinlab/core';
import { withPrices } from '@coinlab/core/rules';
import type { Scenario } from '../scenario/scenario.js';
import type { Population } from './population.js';

export const DSO: PartyId = PartyId.of('DSO');
export const SV: PartyId = PartyId.of('sv-0');

export type Submit = (command: Command, ...actAs: readonly PartyId[]) => Entry | null;

export type Listener = Pick<EngineOptions, 'onEntry'>;

export function openNetwork({ seed, network }: Scenario, listener: Listener): Engine {
  const { profile, prices } = network;
  const config = genesisConfig(profile);
  return openEngine({
    seed,
    profile,
    amuletPrice: Amount.of(prices.amuletPrice),
    isDevNet: true,
    config: {
      ...withPrices(config, prices),
      transferConfigUsd: { ...withPrices(config, prices).transferConfigUsd, maxNumInputs: network.maxInputs },
      // Only payments move the measured coin; a preapproval for the whole run would cost a wallet its initial balance.
      transferPreapprovalFeeUsd: Amount.zero,
    },
    ...listener,
  });
}

export function applyChange(
  engine: Engine,
  submit: Submit,
  { amuletPrice, ...prices }: Scenario['network']['changes'][number],
): void {
  const baseConfig = rulesOf(engine.state)?.config;
  if (!baseConfig) throw new RangeError('the ledger has no rules yet');
  const newConfig = withPrices(baseConfig, prices);
  submit({ type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig, newConfig } }, DSO);
  if (amuletPrice) submit({ type: 'VoteAmuletPrice', sv: SV, amuletPrice: Amount.of(amuletPrice) }, SV);
}

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

export function nodeOf(party: PartyId): string {
  return `PAR::${party}`;
}
