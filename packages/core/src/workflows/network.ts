import { amuletConfig, type AmuletConfig, type AmuletRules } from '../contracts/amulet-rules.js';
import { Effects } from '../contracts/effects.js';
import type { ExternalPartyAmuletRules } from '../contracts/external-party-amulet-rules.js';
import type { KnownPartiesRequired, KnownParty } from '../contracts/party.js';
import { ledgerSettingsTemplate, type LedgerSettings, type RuleProfile } from '../contracts/settings.js';
import { isOpen, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { bool, optional, record } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import { refuseUnlessActing } from '../rules/authority.js';
import { refuseConfig, refuseRules } from '../rules/config.js';
import { valueDetail } from '../rules/detail.js';
import { byDso } from '../rules/consent.js';
import type { Workflow, Decision } from '../rules/workflow.js';

/**
 * The opening of a ledger: the first update of every log, with the rules and the configuration of the network.
 * Source: specification §0, §2.2.
 */
type NetworkCommand = OpenLedger;

/** Fixes the DSO, the rule profile and the configuration. Acts as the DSO. */
interface OpenLedger {
  readonly type: 'OpenLedger';
  readonly dso: PartyId;
  readonly isDevNet: boolean;
  /** Seed of the update ids: a whole number from 0 to 4294967295. */
  readonly seed: number;
  readonly profile: RuleProfile;
  readonly config: AmuletConfig;
  /** Whether commands refuse receivers that are not known parties; default: no. */
  readonly requireKnownParties?: boolean;
}

interface NetworkDetails {
  readonly LedgerOpened: ValueDetail;
}

const { dso, isDevNet, seed, profile } = ledgerSettingsTemplate.fields;

const outcomes = {
  OpenLedger: {
    becomes: ['LedgerOpened'],
    refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS', 'INVALID_ARGUMENT'],
    source: '§0, §2.2',
  },
} as const;

export const network: Workflow<NetworkCommand, NetworkDetails, typeof outcomes> = {
  commands: {
    OpenLedger: record<Omit<OpenLedger, 'type'>>({
      dso,
      isDevNet,
      seed,
      profile,
      config: amuletConfig,
      requireKnownParties: optional(bool),
    }),
  },
  outcomes,
  updates: {
    LedgerOpened: { detail: record<ValueDetail>(valueDetail), consent: byDso, ends: null, history: null },
  },
  decide,
};

function decide(command: NetworkCommand, state: LedgerState, context: Context): Decision<NetworkDetails> {
  const unauthorised = refuseUnlessActing(context, command.dso);
  if (unauthorised) return err(unauthorised);
  if (isOpen(state))
    return err({ code: 'ALREADY_EXISTS', what: 'the settings of this ledger', contract: settingsOf(state).id });
  if (!Number.isInteger(command.seed) || command.seed < 0 || command.seed > 0xffff_ffff) {
    return err({
      code: 'INVALID_ARGUMENT',
      field: 'seed',
      value: String(command.seed),
      expected: 'a whole number from 0 to 4294967295',
    });
  }
  // Update ids are ULIDs, whose time counts from 1970. Assumption: A-02.
  if (context.now < 0n) {
    return err({
      code: 'INVALID_ARGUMENT',
      field: 'now',
      value: Instant.format(context.now),
      expected: 'a ledger time from 1970 on',
    });
  }
  const refused = refuseRules(command.profile) ?? refuseConfig(command.config, command.profile.name);
  if (refused) return err(refused);
  const effects = new Effects(state);
  effects.create<LedgerSettings>({
    template: 'LedgerSettings',
    dso: command.dso,
    isDevNet: command.isDevNet,
    seed: command.seed,
    profile: command.profile,
  });
  effects.create<KnownParty>({ template: 'KnownParty', party: command.dso, displayName: 'DSO' });
  effects.create<AmuletRules>({ template: 'AmuletRules', isDevNet: command.isDevNet, config: command.config });
  effects.create<ExternalPartyAmuletRules>({ template: 'ExternalPartyAmuletRules' });
  if (command.requireKnownParties) effects.create<KnownPartiesRequired>({ template: 'KnownPartiesRequired' });
  return ok(effects.outcome('LedgerOpened', {}));
}
