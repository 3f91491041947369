import type { AmuletConfig } from '../contracts/amulet-rules.js';
import type { ProfileName } from '../contracts/settings.js';
import { Amount } from '../kernel/amount.js';

/** The month of a preset. */
export type PresetName = '2025-02' | '2025-07' | '2026-04' | '2026-06';

/** Prices and caps of the network at a date. */
export interface Preset {
  readonly profile: ProfileName;
  /** USD per coin. */
  readonly amuletPrice: string;
  /** USD per megabyte of extra traffic. */
  readonly trafficPrice: string;
  /** USD per validator and round. */
  readonly validatorFaucetCap: string;
  readonly sources: Readonly<Record<'amuletPrice' | 'trafficPrice' | 'validatorFaucetCap', string>>;
}

const CIP = 'https://github.com/global-synchronizer-foundation/cips/blob/main';
const REPORTED_TRAFFIC = 'https://www.catalyx.solutions/blog-posts/canton-network-transaction-fees';
const EXAMPLE_CONFIGURATION = 'extraTrafficPrice of published example configurations';

/** Prices and caps of the network, by month. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  '2025-02': {
    profile: 'legacy-fees',
    amuletPrice: '0.005',
    trafficPrice: '16.67',
    validatorFaucetCap: '2.85',
    sources: {
      amuletPrice: `${CIP}/cip-0048/cip-0048.md`,
      trafficPrice: EXAMPLE_CONFIGURATION,
      validatorFaucetCap: `${CIP}/cip-0048/cip-0048.md`,
    },
  },
  '2025-07': {
    profile: 'legacy-fees',
    amuletPrice: '0.05',
    trafficPrice: '16.67',
    validatorFaucetCap: '2.85',
    sources: {
      amuletPrice: `${CIP}/cip-0070/cip-0070.md`,
      trafficPrice: EXAMPLE_CONFIGURATION,
      validatorFaucetCap: `${CIP}/cip-0070/cip-0070.md`,
    },
  },
  '2026-04': {
    profile: 'feeless',
    amuletPrice: '0.1509',
    trafficPrice: '60',
    validatorFaucetCap: '0.6',
    sources: {
      amuletPrice: 'https://cnews-cc-production.up.railway.app/learn/canton-transaction-fees',
      trafficPrice: REPORTED_TRAFFIC,
      validatorFaucetCap: `${CIP}/cip-0096/cip-0096.md`,
    },
  },
  '2026-06': {
    profile: 'feeless',
    amuletPrice: '0.1558',
    trafficPrice: '60',
    validatorFaucetCap: '0',
    sources: {
      amuletPrice: 'https://coinstats.app/ai/a/price-potential-canton-network',
      trafficPrice: REPORTED_TRAFFIC,
      validatorFaucetCap: `${CIP}/cip-0096/cip-0096.md`,
    },
  },
};

/** Names of {@link PRESETS}, oldest first. */
export const PRESET_NAMES: readonly PresetName[] = ['2025-02', '2025-07', '2026-04', '2026-06'];

/** Prices and caps that replace those of a configuration; texts in USD, or in coin for the cap of featured apps. */
export interface ConfiguredPrices {
  readonly trafficPrice?: string | undefined;
  readonly holdingFee?: string | undefined;
  readonly validatorFaucetCap?: string | undefined;
  readonly featuredAppRewardCap?: string | undefined;
}

/** Returns a configuration with other prices and caps, at every age of the network. */
export function withPrices(config: AmuletConfig, prices: ConfiguredPrices): AmuletConfig {
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
