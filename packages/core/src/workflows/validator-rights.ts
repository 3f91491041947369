import { Effects } from '../contracts/effects.js';
import { find, firstByKey, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, party } from '../kernel/shape.js';
import { by, onArchived } from '../rules/consent.js';
import { notFound, refuseUnlessActing, refuseUnlessAnyActs } from '../rules/refusals.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The right of a validator to mint the rewards for its users' fees and burns: both sign it when the user is
 * onboarded, either ends it.
 * Source: specification §3.9. Assumption: A-55 (one per user and validator).
 */
type ValidatorRightCommand = CreateValidatorRight | ArchiveValidatorRight;

/** Lets the validator mint the rewards for the user. Acts as the user and the validator. */
interface CreateValidatorRight {
  readonly type: 'CreateValidatorRight';
  readonly user: PartyId;
  readonly validator: PartyId;
}

/** Ends the right. Acts as the user or the validator. */
interface ArchiveValidatorRight {
  readonly type: 'ArchiveValidatorRight';
  readonly right: ContractId;
}

interface ValidatorRightDetail extends ValueDetail {
  readonly right: ContractId;
  readonly user: PartyId;
  readonly validator: PartyId;
}

interface ValidatorRightDetails {
  readonly ValidatorRightCreated: ValidatorRightDetail;
  readonly ValidatorRightArchived: ValidatorRightDetail;
}

const detail = detailShape<ValidatorRightDetail>({ right: contractId, user: party, validator: party });

const outcomes = {
  CreateValidatorRight: { becomes: ['ValidatorRightCreated'], refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS'] },
  ArchiveValidatorRight: { becomes: ['ValidatorRightArchived'], refusals: ['choice'] },
} as const;

export const validatorRights: Workflow<ValidatorRightCommand, ValidatorRightDetails, typeof outcomes> = {
  commands: {
    CreateValidatorRight: shapeOf<CreateValidatorRight>({ user: party, validator: party }),
    ArchiveValidatorRight: shapeOf<ArchiveValidatorRight>({ right: contractId }),
  },
  outcomes,
  source: '§3.9',
  updates: {
    ValidatorRightCreated: unrecorded(detail, by('user', 'validator'), null),
    ValidatorRightArchived: unrecorded(
      detail,
      onArchived('ValidatorRight', ({ user, validator }) => [[user], [validator]]),
      'right',
    ),
  },
  decide: (command, state, context) =>
    command.type === 'CreateValidatorRight' ? create(command, state, context) : archive(command, state, context),
};

function create(
  { user, validator }: CreateValidatorRight,
  state: LedgerState,
  context: Context,
): Decision<ValidatorRightDetails> {
  const unauthorised = refuseUnlessActing(context, user, validator);
  if (unauthorised) return err(unauthorised);
  const existing = firstByKey(state, 'ValidatorRight', `right:${user}:${validator}`);
  if (existing)
    return err({ code: 'ALREADY_EXISTS', what: `a ValidatorRight of ${user} for ${validator}`, contract: existing.id });
  const effects = new Effects(state);
  const { id } = effects.create('ValidatorRight', { user, validator });
  return ok(effects.outcome('ValidatorRightCreated', { right: id, user, validator }));
}

function archive(
  command: ArchiveValidatorRight,
  state: LedgerState,
  context: Context,
): Decision<ValidatorRightDetails> {
  const right = find(state, 'ValidatorRight', command.right);
  if (!right) return err(notFound(command.right, 'ValidatorRight'));
  const { id, user, validator } = right;
  const unauthorised = refuseUnlessAnyActs(context, user, validator);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(right);
  return ok(effects.outcome('ValidatorRightArchived', { right: id, user, validator }));
}
