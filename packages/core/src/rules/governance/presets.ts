import type { AmuletConfig } from '../../contracts/amulet-rules.js';
import type { ProfileName } from '../../contracts/settings.js';
import { Amount } from '../../kernel/amount.js';

/** The month of a preset; `genesis`: the figures of an example network before its first vote. */
export type PresetName = 'genesis' | '2025-02' | '2025-07' | '2026-04' | '2026-06';

/** Prices and caps of the network at a date. */
export interface Preset {
  readonly profile: ProfileName;
  /** USD per coin. */
  readonly amuletPrice: string;
  /** USD per megabyte of extra traffic. */
  readonly trafficPrice: string;
  /** USD per validator and round. */
  readonly validatorFaucetCap: string;
  /** Coin per unit of a featured coupon; a payment's coupon has units worth 1 USD. */
  readonly featuredAppRewardCap: string;
  /** Address of a published text with the figure. */
  readonly sources: Readonly<Record<PresetFigure, string>>;
}

type PresetFigure = 'amuletPrice' | 'trafficPrice' | 'validatorFaucetCap' | 'featuredAppRewardCap';

const CIP = 'https://github.com/global-synchronizer-foundation/cips/blob/main';
const REPORTED_TRAFFIC = 'https://www.catalyx.solutions/blog-posts/canton-network-transaction-fees';
const SPLICE = 'https://github.com/hyperledger-labs/splice/blob/main';
const EXAMPLE_CONFIGURATION = `${SPLICE}/cluster/pulumi/common/src/domainFees.ts`;
const EXAMPLE_ISSUANCE = `${SPLICE}/token-standard/splice-token-standard-test/daml/Splice/Testing/Registries/AmuletRegistry/Parameters.daml`;
/** Approved on 2026-01-07, in force at once. */
const FEATURED_CAP = 'https://github.com/canton-foundation/cips/blob/main/cip-0098/cip-0098.md';

/** Prices and caps of the network, by month. No preset has a first round, since no source gives the round of a date: issuance starts at age zero. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  genesis: {
    profile: 'feeless',
    amuletPrice: '0.005',
    trafficPrice: '16.67',
    validatorFaucetCap: '2.85',
    featuredAppRewardCap: '100',
    sources: {
      amuletPrice: `${CIP}/cip-0048/cip-0048.md`,
      trafficPrice: EXAMPLE_CONFIGURATION,
      validatorFaucetCap: EXAMPLE_ISSUANCE,
      featuredAppRewardCap: EXAMPLE_ISSUANCE,
    },
  },
  '2025-02': {
    profile: 'legacy-fees',
    amuletPrice: '0.005',
    trafficPrice: '16.67',
    validatorFaucetCap: '2.85',
    featuredAppRewardCap: '100',
    sources: {
      amuletPrice: `${CIP}/cip-0048/cip-0048.md`,
      trafficPrice: EXAMPLE_CONFIGURATION,
      validatorFaucetCap: `${CIP}/cip-0048/cip-0048.md`,
      featuredAppRewardCap: EXAMPLE_ISSUANCE,
    },
  },
  '2025-07': {
    profile: 'legacy-fees',
    amuletPrice: '0.05',
    trafficPrice: '16.67',
    validatorFaucetCap: '2.85',
    featuredAppRewardCap: '100',
    sources: {
      amuletPrice: `${CIP}/cip-0070/cip-0070.md`,
      trafficPrice: EXAMPLE_CONFIGURATION,
      validatorFaucetCap: `${CIP}/cip-0070/cip-0070.md`,
      featuredAppRewardCap: EXAMPLE_ISSUANCE,
    },
  },
  '2026-04': {
    profile: 'feeless',
    amuletPrice: '0.1509',
    trafficPrice: '60',
    validatorFaucetCap: '0.6',
    featuredAppRewardCap: '1.5',
    sources: {
      amuletPrice: 'https://cnews-cc-production.up.railway.app/learn/canton-transaction-fees',
      trafficPrice: REPORTED_TRAFFIC,
      validatorFaucetCap: `${CIP}/cip-0096/cip-0096.md`,
      featuredAppRewardCap: FEATURED_CAP,
    },
  },
  '2026-06': {
    profile: 'feeless',
    amuletPrice: '0.1558',
    trafficPrice: '60',
    validatorFaucetCap: '0',
    featuredAppRewardCap: '1.5',
    sources: {
      amuletPrice: 'https://coinstats.app/ai/a/price-potential-canton-network',
      trafficPrice: REPORTED_TRAFFIC,
      validatorFaucetCap: `${CIP}/cip-0096/cip-0096.md`,
      featuredAppRewardCap: FEATURED_CAP,
    },
  },
};

/** Names of {@link PRESETS}, oldest first. */
export const PRESET_NAMES: readonly PresetName[] = ['genesis', '2025-02', '2025-07', '2026-04', '2026-06'];

/** The latest documented month. */
export const DEFAULT_PRESET: PresetName = '2026-06';

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
