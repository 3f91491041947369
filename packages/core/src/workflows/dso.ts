import { ansConfig, type AnsConfig } from '../contracts/ans.js';
import { dsoRulesConfig, type DsoRulesConfig, type SuperValidator } from '../contracts/governance/dso-rules.js';
import { Effects } from '../contracts/effects.js';
import { governanceAction, type GovernanceAction } from '../contracts/governance/vote-request.js';
import { settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, integer, list, optional, party, record, text, type Shape } from '../kernel/shape.js';
import {
  applyAction,
  byName,
  currentRound,
  refuseAnsConfig,
  refuseDsoConfig,
  refuseSuperValidator,
} from '../rules/governance/governance.js';
import { ANS_CONFIG, DSO_CONFIG } from '../rules/governance/profile.js';
import { dsoRulesOf } from '../rules/governance/super-majority.js';
import { byDso } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/**
 * The foundation of the DSO, and actions on its own authority. The super validators' confirmation of an action among
 * themselves is not modelled; on the ledger they decide by votes.
 * Source: specification §3.19. Assumption: A-17.
 */
type DsoCommand = BootstrapDso | ExecuteAction;

type FoundingSv = Omit<SuperValidator, 'joinedAsOfRound'>;

/** Creates the DsoRules and the AnsRules. Acts as the DSO. */
interface BootstrapDso {
  readonly type: 'BootstrapDso';
  /** The founding super validators, at least one. */
  readonly svs: readonly FoundingSv[];
  /** Settings of the DSO; default: those of the specification. */
  readonly config?: DsoRulesConfig;
  readonly ansConfig?: AnsConfig;
}

/** Executes an action without a vote. Acts as the DSO. */
interface ExecuteAction {
  readonly type: 'ExecuteAction';
  readonly action: GovernanceAction;
}

interface DsoDetails {
  readonly DsoBootstrapped: ValueDetail & { readonly dsoRules: ContractId; readonly svs: readonly FoundingSv[] };
  readonly ActionExecuted: ValueDetail & { readonly action: GovernanceAction };
}

const foundingSv: Shape<FoundingSv> = record<FoundingSv>({
  party,
  name: text,
  rewardWeight: integer,
  participantId: text,
});

const outcomes = {
  BootstrapDso: { becomes: ['DsoBootstrapped'], refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS', 'INVALID_ARGUMENT'] },
  ExecuteAction: {
    becomes: ['ActionExecuted'],
    refusals: [
      'NOT_AUTHORISED',
      'NOT_BOOTSTRAPPED',
      'INVALID_ARGUMENT',
      'ALREADY_EXISTS',
      'GROUP_MISMATCH',
      'CONTRACT_NOT_FOUND',
      'NON_POSITIVE_AMOUNT',
      'DEADLINE_PASSED',
      'INSUFFICIENT_FUNDS',
    ],
  },
} as const;

export const dso: Workflow<DsoCommand, DsoDetails, typeof outcomes> = {
  commands: {
    BootstrapDso: shapeOf<BootstrapDso>({
      svs: list(foundingSv),
      config: optional(dsoRulesConfig),
      ansConfig: optional(ansConfig),
    }),
    ExecuteAction: shapeOf<ExecuteAction>({ action: governanceAction }),
  },
  outcomes,
  source: '§3.19',
  updates: {
    DsoBootstrapped: unrecorded(
      detailShape<DsoDetails['DsoBootstrapped']>({ dsoRules: contractId, svs: list(foundingSv) }),
      byDso,
      null,
    ),
    ActionExecuted: unrecorded(detailShape<DsoDetails['ActionExecuted']>({ action: governanceAction }), byDso, null),
  },
  decide,
};

function decide(command: DsoCommand, state: LedgerState, context: Context): Decision<DsoDetails> {
  const unauthorised = refuseUnlessActing(context, settingsOf(state).dso);
  if (unauthorised) return err(unauthorised);
  if (command.type === 'BootstrapDso') return bootstrap(command, state);
  const effects = new Effects(state);
  const refused = applyAction(command.action, state, effects, context.now);
  return refused ? err(refused) : ok(effects.outcome('ActionExecuted', { action: command.action }));
}

function bootstrap(command: BootstrapDso, state: LedgerState): Decision<DsoDetails> {
  const { svs: founders, config = DSO_CONFIG, ansConfig: names = ANS_CONFIG } = command;
  const existing = dsoRulesOf(state);
  if (existing) return err({ code: 'ALREADY_EXISTS', what: 'the DsoRules', contract: existing.id });
  if (founders.length === 0) return err(invalid('svs', '[]', 'at least one super validator'));
  const svs: SuperValidator[] = [];
  for (const founder of founders) {
    const refused = refuseSuperValidator(founder, svs, null);
    if (refused) return err(refused);
    svs.push({ ...founder, joinedAsOfRound: currentRound(state) });
  }
  const refused = refuseDsoConfig(config) ?? refuseAnsConfig(names);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const { id: dsoRules } = effects.create('DsoRules', { epoch: 0, svs: byName(svs), offboardedSvs: [], config });
  effects.create('AnsRules', { config: names });
  return ok(effects.outcome('DsoBootstrapped', { dsoRules, svs: founders }));
}
