import {
  contractsOf,
  countOf,
  holdingsOf,
  Instant,
  type ContractId,
  type Duration,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import type { MintingDelegation } from '@coinlab/core/contracts';
import { mintableCouponsOf, mintableGrantsOf, newestUsableRound } from '@coinlab/core/rules';
import { contractsAbout } from '@coinlab/core/views';
import { firstOf } from '@coinlab/core/workflows';
import { tasksOf, type Policy } from './task.js';
import { withinDecimal } from './treasury.js';

/** Rewards in the order in which a delegate mints them. Source: specification §8.9. */
const REWARDS = [
  'ValidatorLivenessActivityRecord',
  'ValidatorFaucetCoupon',
  'ValidatorRewardCoupon',
  'AppRewardCoupon',
];

/**
 * Returns a policy that mints the rewards of a delegate's beneficiaries. If a beneficiary has at least twice as many
 * coins as its merge limit, the policy also merges the smallest ones down to the limit.
 * Source: specification §8.9.
 */
export function mintForBeneficiaries(delegate: PartyId): Policy {
  return (state, now) => {
    const open = newestUsableRound(state, now);
    if (!open) return [];
    const most = open.transferConfigUsd.maxNumInputs;
    return tasksOf(
      delegate,
      firstDelegations(state, delegate, now).flatMap((delegation) => {
        const inputs = inputsFor(delegation, most, state, now);
        return inputs.length > 0 ? [{ type: 'MintForBeneficiary', delegation: delegation.id, inputs }] : [];
      }),
    );
  };
}

/** Returns a policy that removes a delegate's expired delegations and the expired proposals to it. Source: specification §8.9. */
export function expireMintingDelegations(delegate: PartyId, grace: Duration): Policy {
  return (state, now) => {
    const isOver = ({ expiresAt }: { readonly expiresAt: Instant }): boolean => Instant.plus(expiresAt, grace) <= now;
    const proposals = [...contractsOf(state, 'MintingDelegationProposal', delegate)];
    return [
      ...tasksOf(
        delegate,
        proposals
          .filter((proposal) => proposal.delegate === delegate && isOver(proposal))
          .map(({ id }) => ({ type: 'RejectMintingDelegationProposal', proposal: id })),
      ),
      ...tasksOf(
        delegate,
        [...contractsAbout(state, 'MintingDelegation', delegate)]
          .filter(isOver)
          .map(({ id }) => ({ type: 'RejectMintingDelegation', delegation: id })),
      ),
    ];
  };
}

function firstDelegations(state: LedgerState, delegate: PartyId, now: Instant): readonly MintingDelegation[] {
  const first = new Map<PartyId, MintingDelegation>();
  for (const delegation of contractsAbout(state, 'MintingDelegation', delegate)) {
    if (now < delegation.expiresAt && !first.has(delegation.beneficiary)) first.set(delegation.beneficiary, delegation);
  }
  return [...first.values()];
}

function inputsFor(
  { beneficiary, amuletMergeLimit }: MintingDelegation,
  most: number,
  state: LedgerState,
  now: Instant,
): readonly ContractId[] {
  const coupons = mintableCouponsOf(state, beneficiary, now);
  const rewards = REWARDS.flatMap((template) => coupons.filter(({ coupon }) => coupon.template === template));
  const candidates = [
    ...rewards.map(({ coupon, payout }) => ({ id: coupon.id, worth: payout, isCoin: false })),
    ...mintableGrantsOf(state, beneficiary, now).map(({ id, amount }) => ({ id, worth: amount, isCoin: false })),
    ...firstOf(
      holdingsOf(state, beneficiary, 'smallest'),
      coinsToMerge(countOf(state, beneficiary), amuletMergeLimit),
    ).map(({ id, amount }) => ({ id, worth: amount, isCoin: true })),
  ];
  const inputs = withinDecimal(candidates, ({ worth }) => worth).slice(0, most);
  return inputs.length === 1 && inputs[0]?.isCoin ? [] : inputs.map(({ id }) => id);
}

/**
 * Returns the number of coins to merge into one so that `limit` coins remain; 0 for fewer than twice `limit`. Source:
 * specification §8.9.
 */
export function coinsToMerge(coins: number, limit: number): number {
  return coins >= 2 && coins >= 2 * limit ? coins - Math.max(1, limit) + 1 : 0;
}
