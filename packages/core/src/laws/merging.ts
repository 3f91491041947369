import { contractsByKey, countOf, find, type LedgerState } from '../contracts/state.js';
import { archivedOf } from '../rules/consent.js';
import type { PartyId } from '../kernel/ids.js';
import type { Law, Step } from './law.js';
import { createdOf, isFeeless, isKind, totalOf } from './touched.js';

export const mergingLaws: readonly Law[] = [
  {
    name: 'only the operator merges, only the delegate mints',
    invariant: 32,
    holds: (step) => {
      const { before } = step;
      const acts = (party: PartyId | undefined): boolean => party !== undefined && step.update.actAs.includes(party);
      if (isKind(step, 'DelegatedHoldingsMerged'))
        return step.update.detail.calls.every(({ delegation, owner }) => {
          const agreed = find(before, 'MergeDelegation', delegation);
          return agreed?.owner === owner && acts(agreed.operator);
        });
      if (!isKind(step, 'MintedForBeneficiary')) return true;
      const agreed = find(before, 'MintingDelegation', step.update.detail.delegation);
      return (
        agreed?.beneficiary === step.update.detail.sender &&
        acts(agreed.delegate) &&
        step.update.recordTime < agreed.expiresAt
      );
    },
  },
  {
    name: 'a delegated merge keeps the total of its owner, plus the extra transfer',
    invariant: 33,
    holds: (step) => {
      if (!isKind(step, 'DelegatedHoldingsMerged') || !isFeeless(step.before)) return true;
      const { calls, operator } = step.update.detail;
      const owners = new Set(calls.map(({ owner }) => owner));
      owners.delete(operator);
      return [...owners].every((owner) => {
        let given = 0n;
        for (const call of calls) if (call.owner === owner) given += call.extra;
        return totalOf(step.after, owner) - totalOf(step.before, owner) === given;
      });
    },
  },
  {
    name: 'a delegated mint adds all minted coin to the beneficiary and takes none',
    invariant: 33,
    holds: (step) => {
      if (!isKind(step, 'MintedForBeneficiary') || !isFeeless(step.before)) return true;
      const { sender, minted } = step.update.detail;
      return totalOf(step.after, sender) - totalOf(step.before, sender) === minted;
    },
  },
  {
    name: 'accepting a minting delegation replaces the one it names',
    invariant: 49,
    holds: (step) => {
      if (!isKind(step, 'MintingDelegationAccepted')) return true;
      const { beneficiary, delegate, replaced } = step.update.detail;
      const count = (state: LedgerState): number =>
        [...contractsByKey(state, 'MintingDelegation', `delegation:${beneficiary}:${delegate}`)].length;
      return count(step.after) === count(step.before) + (replaced === null ? 1 : 0);
    },
  },
  {
    name: 'a delegated merge leaves fewer coins than it takes',
    invariant: 50,
    holds: (step) =>
      !isKind(step, 'DelegatedHoldingsMerged') ||
      (step.update.detail.calls.every(({ inputs, holdings }) => inputs === 0 || inputs > holdings.length) &&
        coinsGone(step)),
  },
  {
    name: 'a minting delegation merges no further than its limit',
    invariant: 52,
    holds: (step) => {
      if (!isKind(step, 'MintedForBeneficiary')) return true;
      const { delegation, sender } = step.update.detail;
      const limit = find(step.before, 'MintingDelegation', delegation)?.amuletMergeLimit ?? 0;
      return countOf(step.after, sender) >= Math.min(limit, countOf(step.before, sender));
    },
  },
];

function coinsGone(step: Step): boolean {
  if (!isKind(step, 'DelegatedHoldingsMerged')) return true;
  const { calls, operator } = step.update.detail;
  const given = new Set(calls.flatMap(({ owner, extra }) => (extra > 0n ? [owner] : [])));
  return calls.every(({ owner }) => {
    if (given.has(owner) || owner === operator) return true;
    const mine = ({ owner: of }: { readonly owner: PartyId }): boolean => of === owner;
    return archivedOf(step, 'Holding').filter(mine).length > createdOf(step, 'Holding').filter(mine).length;
  });
}
