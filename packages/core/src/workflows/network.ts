import { amuletConfig, type AmuletConfig } from '../contracts/amulet-rules.js';
import { Effects } from '../contracts/effects.js';
import { ledgerSettingsTemplate, type RuleProfile } from '../contracts/settings.js';
import { isOpen, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { bool, optional } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import { refuseConfig, refuseRules } from '../rules/governance/config.js';
import { byDso } from '../rules/consent.js';
import { detailShape, shapeOf, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/** The opening of a ledger: the first update of every log, with the rules and the configuration of the network. Source: specification §0, §2.2. */
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
  OpenLedger: { becomes: ['LedgerOpened'], refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS', 'INVALID_ARGUMENT'] },
} as const;

export const network: Workflow<NetworkCommand, NetworkDetails, typeof outcomes> = {
  commands: {
    OpenLedger: shapeOf<OpenLedger>({
      dso,
      isDevNet,
      seed,
      profile,
      config: amuletConfig,
      requireKnownParties: optional(bool),
    }),
  },
  outcomes,
  source: '§0, §2.2',
  updates: { LedgerOpened: { detail: detailShape<ValueDetail>({}), consent: byDso, ends: null, history: null } },
  decide,
};

function decide(command: NetworkCommand, state: LedgerState, context: Context): Decision<NetworkDetails> {
  const unauthorised = refuseUnlessActing(context, command.dso);
  if (unauthorised) return err(unauthorised);
  if (isOpen(state))
    return err({ code: 'ALREADY_EXISTS', what: 'the settings of this ledger', contract: settingsOf(state).id });
  if (!Number.isInteger(command.seed) || command.seed < 0 || command.seed > 0xffff_ffff) {
    return err(invalid('seed', String(command.seed), 'a whole number from 0 to 4294967295'));
  }
  // Update ids are ULIDs, whose time counts from 1970. Assumption: A-02.
  if (context.now < 0n) return err(invalid('now', Instant.format(context.now), 'a ledger time from 1970 on'));
  const refused = refuseRules(command.profile) ?? refuseConfig(command.config, command.profile.name);
  if (refused) return err(refused);
  const effects = new Effects(state);
  effects.create('LedgerSettings', {
    dso: command.dso,
    isDevNet: command.isDevNet,
    seed: command.seed,
    profile: command.profile,
  });
  effects.create('KnownParty', { party: command.dso, displayName: 'DSO' });
  effects.create('AmuletRules', { isDevNet: command.isDevNet, config: command.config });
  effects.create('ExternalPartyAmuletRules', {});
  if (command.requireKnownParties) effects.create('KnownPartiesRequired', {});
  return ok(effects.outcome('LedgerOpened', {}));
}
