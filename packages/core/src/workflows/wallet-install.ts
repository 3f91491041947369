import { Effects } from '../contracts/effects.js';
import type { ValidatorRight } from '../contracts/rewards.js';
import { contractsAbout, find, firstByKey, type LedgerState } from '../contracts/state.js';
import { walletUserKey, type WalletAppInstall } from '../contracts/wallet.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, nullable, party, text, type Fields } from '../kernel/shape.js';
import { by, onArchived } from '../rules/consent.js';
import { invalid, notFound, refuseUnlessActing, refuseUnlessAnyActs } from '../rules/refusals.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * A user of a validator: onboarding installs the wallet for a name and a party and gives the validator the right to
 * the user's validator rewards. Offboarding undoes both and changes nothing else of the party.
 * Source: specification §3.14, §3.9.
 */
type WalletInstallCommand = OnboardUser | OffboardUser;

/** Installs a wallet for a name and a party. Acts as the validator and the user. A taken name is refused; the refusal names its install. */
interface OnboardUser {
  readonly type: 'OnboardUser';
  readonly validator: PartyId;
  /** Name of the user, unique at the validator and not empty. Several names may share a party. */
  readonly endUserName: string;
  readonly endUser: PartyId;
}

/** Removes the wallet and its validator right. Acts as the validator or the user. */
interface OffboardUser {
  readonly type: 'OffboardUser';
  readonly install: ContractId;
}

interface WalletInstallDetail extends ValueDetail {
  readonly install: ContractId;
  readonly validator: PartyId;
  readonly endUserName: string;
  readonly endUser: PartyId;
  /** The ValidatorRight that was created or archived. Null when the party has another user name at this validator, which shares the right. */
  readonly validatorRight: ContractId | null;
}

interface WalletInstallDetails {
  readonly UserOnboarded: WalletInstallDetail;
  readonly UserOffboarded: WalletInstallDetail;
}

type Answer = Decision<WalletInstallDetails>;

const user: Fields<Omit<OnboardUser, 'type'>> = { validator: party, endUserName: text, endUser: party };
const detail = detailShape<WalletInstallDetail>({ install: contractId, ...user, validatorRight: nullable(contractId) });

const outcomes = {
  OnboardUser: { becomes: ['UserOnboarded'], refusals: ['NOT_AUTHORISED', 'INVALID_ARGUMENT', 'ALREADY_EXISTS'] },
  OffboardUser: { becomes: ['UserOffboarded'], refusals: ['choice'] },
} as const;

export const walletInstall: Workflow<WalletInstallCommand, WalletInstallDetails, typeof outcomes> = {
  commands: { OnboardUser: shapeOf<OnboardUser>(user), OffboardUser: shapeOf<OffboardUser>({ install: contractId }) },
  outcomes,
  source: '§3.14, §3.9',
  updates: {
    UserOnboarded: unrecorded(detail, by('validator', 'endUser'), null),
    UserOffboarded: unrecorded(
      detail,
      onArchived('WalletAppInstall', ({ validator, endUser }) => [[validator], [endUser]]),
      'install',
    ),
  },
  decide: (command, state, context) =>
    command.type === 'OnboardUser' ? onboard(command, state, context) : offboard(command, state, context),
};

function onboard({ validator, endUserName, endUser }: OnboardUser, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessActing(context, validator, endUser);
  if (unauthorised) return err(unauthorised);
  if (endUserName === '') return err(invalid('endUserName', '', 'a name'));
  const known = firstByKey(state, 'WalletAppInstall', walletUserKey(validator, endUserName));
  if (known) return err({ code: 'ALREADY_EXISTS', what: `user ${endUserName}`, contract: known.id });
  const effects = new Effects(state);
  const { id: install } = effects.create('WalletAppInstall', { validator, endUserName, endUser });
  const validatorRight = rightOf(state, endUser, validator)
    ? null
    : effects.create('ValidatorRight', { user: endUser, validator }).id;
  return ok(effects.outcome('UserOnboarded', { install, validator, endUserName, endUser, validatorRight }));
}

function offboard(command: OffboardUser, state: LedgerState, context: Context): Answer {
  const install = find(state, 'WalletAppInstall', command.install);
  if (!install) return err(notFound(command.install, 'WalletAppInstall'));
  const { id, validator, endUserName, endUser } = install;
  const unauthorised = refuseUnlessAnyActs(context, validator, endUser);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(install);
  const right = hasOtherName(install, state) ? null : rightOf(state, endUser, validator);
  if (right) effects.archive(right);
  return ok(
    effects.outcome('UserOffboarded', {
      install: id,
      validator,
      endUserName,
      endUser,
      validatorRight: right?.id ?? null,
    }),
  );
}

function hasOtherName({ id, validator, endUser }: WalletAppInstall, state: LedgerState): boolean {
  for (const other of contractsAbout(state, 'WalletAppInstall', endUser)) {
    if (other.id !== id && other.validator === validator) return true;
  }
  return false;
}

function rightOf(state: LedgerState, user: PartyId, validator: PartyId): ValidatorRight | null {
  return firstByKey(state, 'ValidatorRight', `right:${user}:${validator}`);
}
