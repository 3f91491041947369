import { templateOf, type Contract } from '../contracts/contract.js';
import { archivedIn, archivedOf, dsoOf, type Group } from '../rules/consent.js';
import { isCoupon, type Coupon } from '../rules/rewards/coupons.js';
import { firstByKey } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { UpdateKind, UpdateOf } from '../log/update.js';
import { UPDATE_SPECS } from '../register/register.js';
import type { Law, Step } from './law.js';
import { isKind, transferOf } from './touched.js';

export const authorizationLaws: readonly Law[] = [
  {
    name: 'the controllers of every choice act',
    invariant: 31,
    holds: (step) => {
      return controllersOf(step).some((group) => group.every((party) => acts(step, party)));
    },
  },
  {
    name: 'every exercised contract is active',
    invariant: 31,
    holds: (step) => exercisedIn(step).every((contract) => contract !== null),
  },
  {
    name: 'the signatories of a created contract have agreed to it',
    invariant: 31,
    holds: (step) => {
      const authority = authorityIn(step);
      return step.update.created.every((contract) =>
        signatoriesOf(contract, step).every((party) => authority.has(party)),
      );
    },
  },
  {
    name: 'every archived contract is archived by its own choice or by all its signatories',
    invariant: 31,
    holds: (step) => {
      const authority = authorityIn(step);
      const exercised = new Set(exercisedIn(step).map((contract) => contract?.id));
      return archivedIn(step).every(
        (contract) => exercised.has(contract.id) || consumersOf(contract, step).every((party) => authority.has(party)),
      );
    },
  },
  {
    name: 'no coin except dust is consumed without its owner',
    invariant: 17,
    holds: (step) => {
      if (isKind(step, 'DustExpired')) return true;
      const authority = authorityIn(step);
      return archivedOf(step, 'Holding').every(({ owner }) => authority.has(owner));
    },
  },
  {
    name: 'the inputs of a transfer belong to its sender',
    invariant: 18,
    holds: (step) => {
      const transfer = transferOf(step.update);
      return (
        !transfer ||
        archivedIn(step).every((contract) => {
          if (contract.template === 'Holding') return contract.owner === transfer.sender;
          return !isCoupon(contract) || minterOf(contract, transfer.sender, step) === transfer.sender;
        })
      );
    },
  },
  {
    name: 'the registry takes coins and no coupons',
    invariant: 18,
    holds: (step) =>
      !isKind(step, 'SelfTransferred', 'TransferOffered', 'TransferCompleted', 'DelegatedHoldingsMerged') ||
      !archivedIn(step).some(isCoupon),
  },
  {
    name: 'only the receiver accepts or rejects, only the sender withdraws',
    invariant: 32,
    holds: (step) => {
      if (!isKind(step, 'TransferAccepted', 'TransferRejected', 'TransferWithdrawn')) return true;
      const transfer = archivedOf(step, 'TransferInstruction')[0]?.transfer;
      return acts(step, step.update.kind === 'TransferWithdrawn' ? transfer?.sender : transfer?.receiver);
    },
  },
];

type OneKind<Kind extends UpdateKind> = Step & { readonly update: UpdateOf<Kind> };

function controllersOf<Kind extends UpdateKind>(step: OneKind<Kind>): readonly Group[] {
  return UPDATE_SPECS[step.update.kind].consent.controllers(step);
}

function exercisedIn<Kind extends UpdateKind>(step: OneKind<Kind>): readonly (Contract | null)[] {
  return UPDATE_SPECS[step.update.kind].consent.exercised?.(step) ?? [];
}

function authorityIn(step: Step): ReadonlySet<PartyId> {
  const lent = exercisedIn(step).flatMap((contract) => (contract ? signatoriesOf(contract, step) : []));
  const { throughRules } = UPDATE_SPECS[step.update.kind].consent;
  return new Set([...step.update.actAs, ...lent, ...(throughRules ? [dsoOf(step)] : [])]);
}

function consumersOf(contract: Contract, step: Step): readonly PartyId[] {
  // After its lock has expired the owner controls a coin alone (§3.2).
  if (contract.template === 'Holding' && contract.lock && step.update.recordTime >= contract.lock.expiresAt)
    return [contract.owner, dsoOf(step)];
  if (!isCoupon(contract)) return signatoriesOf(contract, step);
  const transfer = transferOf(step.update);
  const minter = minterOf(contract, transfer?.sender ?? null, step);
  return minter === null ? signatoriesOf(contract, step) : [minter, dsoOf(step)];
}

/** Source: specification §3.6. */
function minterOf(coupon: Coupon, sender: PartyId | null, { before, update }: Step): PartyId | null {
  switch (coupon.template) {
    case 'AppRewardCoupon':
      return coupon.beneficiary ?? coupon.provider;
    case 'ValidatorRewardCoupon':
      return (
        [...(sender === null ? [] : [sender]), ...update.actAs].find((validator) =>
          firstByKey(before, 'ValidatorRight', `right:${coupon.user}:${validator}`),
        ) ?? null
      );
    case 'ValidatorLivenessActivityRecord':
    case 'ValidatorFaucetCoupon':
      return coupon.validator;
    case 'SvRewardCoupon':
    case 'UnclaimedActivityRecord':
    case 'DevelopmentFundCoupon':
      return coupon.beneficiary;
  }
}

function signatoriesOf(contract: Contract, step: Step): readonly PartyId[] {
  return templateOf(contract).signatories(contract, dsoOf(step));
}

function acts({ update }: Step, party: PartyId | undefined): boolean {
  return party !== undefined && update.actAs.includes(party);
}
