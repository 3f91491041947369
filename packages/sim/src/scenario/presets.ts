import type { ProfileName } from '@coinlab/core';

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
export const PRESETS = {
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
} as const satisfies Readonly<Record<string, Preset>>;

/** The month of a preset. */
export type PresetName = keyof typeof PRESETS;

/** Names of {@link PRESETS}, oldest first. */
export const PRESET_NAMES = ['2025-02', '2025-07', '2026-04', '2026-06'] as const satisfies readonly PresetName[];
