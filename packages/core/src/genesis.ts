import type { AmuletConfig } from './contracts/amulet-rules.js';
import type { ProfileName, RuleProfile } from './contracts/settings.js';
import type { Amount } from './kernel/amount.js';
import type { Context } from './kernel/decision.js';
import { PartyId } from './kernel/ids.js';
import type { Round } from './kernel/time.js';
import { Instant, type Duration } from './kernel/time.js';
import { genesisConfig, GENESIS_PRICE, PROFILES } from './rules/profile.js';
import type { Command } from './register/register.js';

/** How a ledger is opened; everything may be left out. */
export interface OpenOptions {
  /** Rule profile; left out: `feeless`. */
  readonly profile?: ProfileName;
  /** Single rules that differ from the profile's. */
  readonly rules?: Partial<RuleProfile>;
  /** Numbers that differ from the profile's genesis configuration. */
  readonly config?: Partial<AmuletConfig>;
  /** Ledger time of the genesis; left out: 2026-01-01T00:00:00Z. */
  readonly at?: Instant;
  /** Seed of the update ids; left out: 1. */
  readonly seed?: number;
  /** Whether coin can be tapped; left out: yes. */
  readonly isDevNet?: boolean;
  /** Whether payments to a party that is not allocated are refused with UNKNOWN_PARTY; left out: no. */
  readonly requireKnownParties?: boolean;
  /** The DSO; left out: the party whose hint is `DSO`. */
  readonly dso?: PartyId;
  /** USD per coin; left out: 0.005. */
  readonly amuletPrice?: Amount;
  readonly initialRound?: Round;
  readonly round0Duration?: Duration;
}

/** Ledger time at which a ledger opens that names no other. */
export const GENESIS_TIME: Instant = Instant.of('2026-01-01T00:00:00Z');

/** A command with the time and the parties it takes effect with. */
export interface Submission {
  readonly command: Command;
  readonly context: Context;
}

/** The commands with which every ledger begins: open, then bootstrap the rounds. */
export function genesis(options: OpenOptions): readonly Submission[] {
  const {
    profile = 'feeless',
    at = GENESIS_TIME,
    seed = 1,
    isDevNet = true,
    requireKnownParties = false,
    dso = PartyId.of('DSO'),
    amuletPrice = GENESIS_PRICE,
  } = options;
  const { initialRound, round0Duration } = options;
  const context = { now: at, actAs: [dso] };
  return [
    {
      command: {
        type: 'OpenLedger',
        dso,
        isDevNet,
        seed,
        profile: { ...PROFILES[profile], ...options.rules },
        config: { ...genesisConfig(profile), ...options.config },
        ...(requireKnownParties ? { requireKnownParties } : {}),
      },
      context,
    },
    {
      command: {
        type: 'BootstrapRounds',
        amuletPrice,
        ...(initialRound === undefined ? {} : { initialRound }),
        ...(round0Duration === undefined ? {} : { round0Duration }),
      },
      context,
    },
  ];
}
