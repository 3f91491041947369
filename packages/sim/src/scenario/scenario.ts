import { Amount, Duration, genesisConfig, type ProfileName } from '@coinlab/core';
import { PRESETS, type Preset } from '@coinlab/core/rules';
import { z } from 'zod';
import { automation, type WalletAutomation } from './automation.js';
import { group, type Payments, type RawGroup, type Receives, type Income, type WalletHabits } from './group.js';
import type { RawScenario } from './schema.js';
import { TEMPERAMENT_HABITS } from './temperaments.js';
import type { AmountDistribution } from './values.js';

/** A group of parties with equal behaviour; all defaults are filled in. */
export interface Group {
  readonly name: string;
  readonly temperament: RawGroup['temperament'];
  readonly count: number;
  readonly opening: { readonly coins: number; readonly amount: AmountDistribution };
  /** A file of UTXOs that replaces `opening`; null without one. */
  readonly openingFile: string | null;
  /** Coin per unit of `openingFile`. */
  readonly openingUnit: string;
  readonly payments: Payments | null;
  readonly receives: Receives;
  readonly wallet: WalletHabits;
  readonly income: Income | null;
  /** The group that hosts these wallets; null: each party its own. */
  readonly validator: string | null;
  readonly featured: boolean;
  readonly automation: WalletAutomation;
}

/** Prices and caps as decimal strings; see the schema for units. */
export interface Prices {
  readonly amuletPrice: string;
  readonly trafficPrice: string;
  readonly holdingFee: string;
  readonly validatorFaucetCap: string;
  readonly featuredAppRewardCap: string;
}

/** A completed scenario: all defaults are filled in. Runs and hashes use this form. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly seed: number;
  readonly network: {
    readonly preset: string;
    readonly profile: ProfileName;
    readonly maxInputs: number;
    readonly prices: Prices;
    readonly rewards: boolean;
    readonly expiresDust: boolean;
    readonly fees: RawScenario['network']['fees'];
    readonly changes: RawScenario['network']['changes'];
  };
  readonly duration: RawScenario['duration'];
  /** Rounds before metrics are sampled. */
  readonly warmup: number;
  readonly groups: readonly Group[];
  readonly policies: string | null;
  readonly metrics: RawScenario['metrics'];
  readonly thresholds: Readonly<Record<string, string>>;
}

export const ROUND_SPAN: Duration = Duration.minutes(10);

/** One round every ten minutes. Source: specification §2.2. */
export const ROUNDS_PER_DAY = 144;

/** Returns the number of rounds of a run; Infinity when updates end it. */
export function roundsOf({ rounds, days }: Scenario['duration']): number {
  return rounds ?? (days === undefined ? Infinity : Math.max(1, Math.round(days * ROUNDS_PER_DAY)));
}

export function completed(raw: RawScenario): Scenario {
  const { network, parties, policies } = raw;
  const preset: Preset = PRESETS[network.preset];
  const profile = network.profile ?? preset.profile;
  const { transferConfigUsd } = genesisConfig(profile);
  return {
    name: raw.name,
    description: raw.description,
    seed: raw.seed,
    network: {
      preset: network.preset,
      profile,
      maxInputs: network.maxInputs,
      prices: {
        amuletPrice: network.amuletPrice ?? preset.amuletPrice,
        trafficPrice: network.trafficPrice ?? preset.trafficPrice,
        holdingFee: network.holdingFee ?? Amount.short(transferConfigUsd.holdingFee),
        validatorFaucetCap: network.validatorFaucetCap ?? preset.validatorFaucetCap,
        featuredAppRewardCap: network.featuredAppRewardCap ?? preset.featuredAppRewardCap,
      },
      rewards: network.rewards,
      expiresDust: network.expiresDust,
      fees: network.fees,
      changes: network.changes,
    },
    duration: raw.duration,
    warmup: raw.warmup,
    groups: parties.map(completedGroup),
    policies: policies ?? null,
    metrics: raw.metrics,
    thresholds: raw.thresholds,
  };
}

const habits = group.pick({ payments: true, receives: true, income: true, opening: true });

function completedGroup(raw: RawGroup): Group {
  const given = TEMPERAMENT_HABITS[raw.temperament];
  const { payments, receives, income, opening } = z.parse(habits, {
    payments: given.payments,
    receives: given.receives,
    income: given.income,
    opening: given.opening,
  });
  return {
    name: raw.name,
    temperament: raw.temperament,
    count: raw.count,
    opening: raw.opening ?? opening,
    openingFile: raw.openingFile ?? null,
    openingUnit: raw.openingUnit,
    payments: raw.payments === undefined ? (payments ?? null) : raw.payments,
    receives: raw.receives ?? receives,
    wallet: { ...given.wallet, ...raw.wallet },
    income: raw.income === undefined ? (income ?? null) : raw.income,
    validator: raw.validator ?? null,
    featured: raw.featured ?? given.featured ?? false,
    automation: raw.automation ?? automation.parse({}),
  } as Group; // The schema is strict: no field is present with value undefined.
}
