import { Amount } from '@coinlab/core';
import { trafficCost } from '@coinlab/core/rules';
import type { Prices } from '../scenario/scenario.js';
import type { GroupFigures } from './group-figures.js';

export type TrafficPrices = Pick<Prices, 'amuletPrice' | 'trafficPrice'>;

export function summaryOf(
  figures: GroupFigures,
  { amuletPrice, trafficPrice }: TrafficPrices,
): readonly (readonly [metric: string, value: number | Amount])[] {
  const { pooled, inputs, samples } = figures;
  const cost = trafficCost(figures.bytes, Amount.of(trafficPrice), Amount.of(amuletPrice));
  const perSample = (sum: number): number => (samples === 0 ? 0 : sum / samples);
  return [
    ['utxosPerParty.mean', pooled.mean],
    ['utxosPerParty.p50', pooled.quantile(0.5)],
    ['utxosPerParty.p95', pooled.quantile(0.95)],
    ['utxosPerParty.p99', pooled.quantile(0.99)],
    ['utxosPerParty.max', pooled.max],
    ['utxosPerParty.over10', pooled.shareAbove(10)],
    ['utxos.max', figures.most],
    ['utxos.final', figures.now.sum],
    ['transfers', figures.transfers],
    ['inputsPerTransfer.mean', inputs.mean],
    ['inputsPerTransfer.p95', inputs.quantile(0.95)],
    ['inputsPerTransfer.max', inputs.max],
    ['capHits', figures.capHits],
    ['merges', figures.merges],
    ['mergeInputs', figures.mergeInputs],
    ['merges.bytes', figures.mergeBytes],
    ['changeRatio', figures.changes === 0 ? 0 : figures.changeRatios / figures.changes],
    ['dust.created', figures.dustCreated],
    ['dust.expired', figures.dustExpired],
    ['dust.expiredValue', Amount.ofUnits(figures.dustExpiredValue)],
    ['traffic.bytes', figures.bytes],
    ['traffic.usd', cost.usd],
    ['traffic.coin', cost.coin],
    ['locked', perSample(figures.lockedSamples)],
    ['pending', perSample(figures.pendingSamples)],
    ['rewards.minted', Amount.ofUnits(figures.minted)],
    ['burned', Amount.ofUnits(figures.burned)],
    ['fees.paid', Amount.ofUnits(figures.fees)],
  ];
}
