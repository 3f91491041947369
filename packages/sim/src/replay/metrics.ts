import { Amount, type PartyId } from '@coinlab/core';
import { registryOf } from '../metrics/party-figures.js';
import { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import { MOST_INPUTS, type NetworkSettings, type WalletSettings } from './settings.js';

/** USD and coin have the same value in a replay. */
export function metricsOf(
  parties: readonly PartyId[],
  { cap, holdingRate = null }: WalletSettings & Partial<Pick<NetworkSettings, 'holdingRate'>>,
): ScenarioMetrics {
  const prices = { amuletPrice: '1', holdingFee: holdingRate === null ? '0' : Amount.short(holdingRate) };
  return new ScenarioMetrics(registryOf(parties, []), { network: { maxInputs: cap ?? MOST_INPUTS, prices, fees: {} } });
}
