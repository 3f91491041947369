import { amuletConfig, type AmuletConfig } from './contracts/amulet-rules.js';
import { ledgerSettingsTemplate, type ProfileName, type RuleProfile } from './contracts/settings.js';
import type { Amount } from './kernel/amount.js';
import type { Context } from './kernel/decision.js';
import { failArgument } from './kernel/assert.js';
import { explain } from './kernel/explain.js';
import { PartyId } from './kernel/ids.js';
import { describeMalformed, type Malformed } from './kernel/malformed.js';
import { anyParty } from './kernel/parties.js';
import type { Rejection } from './kernel/rejection.js';
import {
  amount,
  bool,
  checkPart,
  duration,
  instant,
  integer,
  oneOf,
  optional,
  party,
  record,
  round,
  type Fields,
  type Shape,
} from './kernel/shape.js';
import { Instant, type Duration, type Round } from './kernel/time.js';
import { genesisConfig, GENESIS_PRICE, PROFILES, PROFILE_NAMES } from './rules/governance/profile.js';
import type { Command } from './register/register.js';

/** Options of a new ledger; every field may be left out. */
export interface OpenOptions {
  /** Rule profile; default: `feeless`. */
  readonly profile?: ProfileName;
  readonly rules?: Partial<RuleProfile>;
  /** Settings that differ from the profile's genesis configuration. */
  readonly config?: Partial<AmuletConfig>;
  /** Ledger time of the genesis; default: 2026-01-01T00:00:00Z. */
  readonly at?: Instant;
  /** Seed of the update ids; default: 1. */
  readonly seed?: number;
  /** Whether coin can be tapped; default: true. */
  readonly isDevNet?: boolean;
  /** Whether payments to a party that is not allocated are refused with UNKNOWN_PARTY; default: false. */
  readonly requireKnownParties?: boolean;
  /** The DSO; default: the party whose hint is `DSO`. */
  readonly dso?: PartyId;
  /** USD per coin; default: 0.005. */
  readonly amuletPrice?: Amount;
  readonly initialRound?: Round;
  readonly round0Duration?: Duration;
}

/** Default ledger time of the genesis. */
export const GENESIS_TIME: Instant = Instant.of('2026-01-01T00:00:00Z');

/** A command with its ledger time and its acting parties. */
export interface Submission {
  readonly command: Command;
  readonly context: Context;
}

const optionsShape: Shape<OpenOptions> = record<OpenOptions>({
  profile: optional(oneOf(PROFILE_NAMES)),
  rules: optional(partial(ledgerSettingsTemplate.fields.profile)),
  config: optional(partial(amuletConfig)),
  at: optional(instant),
  seed: optional(integer),
  isDevNet: optional(bool),
  requireKnownParties: optional(bool),
  dso: optional(party),
  amuletPrice: optional(amount),
  initialRound: optional(round),
  round0Duration: optional(duration),
});

/** Casts: its fields are those of the record. */
function partial<Value extends object>({ fields = {} }: Shape<Value>): Shape<Partial<Value>> {
  const optionals = Object.entries(fields).map(([name, shape]) => [name, optional(shape)]);
  return record<Partial<Value>>(Object.fromEntries(optionals) as Fields<Partial<Value>>);
}

function checkedOptions(options: OpenOptions): OpenOptions {
  const faults: Malformed[] = [];
  const own = checkPart('options', optionsShape, options, faults, anyParty);
  if (faults[0]) failArgument(describeMalformed(faults[0]), true);
  return own;
}

export function failOptions(rejection: Rejection): never {
  const message = `the options of a new ledger are refused with ${rejection.code}: ${explain(rejection)}`;
  failArgument(message, rejection.code === 'INVALID_ARGUMENT');
}

/** Returns the commands with which every ledger begins: open, then bootstrap the rounds. Throws a TypeError that names the first option of a wrong type. */
export function genesis(options: OpenOptions): readonly Submission[] {
  const own = checkedOptions(options);
  const {
    profile = 'feeless',
    at = GENESIS_TIME,
    seed = 1,
    isDevNet = true,
    requireKnownParties = false,
    dso = PartyId.of('DSO'),
    amuletPrice = GENESIS_PRICE,
  } = own;
  const { rules, config, initialRound, round0Duration } = own;
  const context = { now: at, actAs: [dso] };
  return [
    {
      command: {
        type: 'OpenLedger',
        dso,
        isDevNet,
        seed,
        profile: { ...PROFILES[profile], ...rules },
        config: { ...genesisConfig(profile), ...config },
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
