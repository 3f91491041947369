import { Instant, MERGE_DEFAULTS, mergeDelegatedHoldings, mintForBeneficiaries, type Habit } from '@coinlab/core';
import { roundsIn } from './automation.js';
import type { Submit } from './network.js';
import type { Members, Population } from './population.js';

/** A habit that has its turn every so many rounds. */
export interface PeriodicHabit {
  readonly habit: Habit;
  readonly rounds: number;
}

/** Owners delegate the merging of their coins to a wallet provider, and beneficiaries the minting of their rewards to their validator. */
export function delegate(population: Population, submit: Submit): void {
  for (const members of population.groups) {
    const { merge } = members.group.wallet;
    const { mints } = members.group.automation;
    for (let number = members.start; number < members.start + members.count; number++) {
      const party = population.party(number);
      if (merge.delegated) {
        const operator = operatorOf(population, members, merge.delegated.operator, number);
        const proposed = submit({ type: 'ProposeMergeDelegation', owner: party, operator }, party);
        if (proposed?.kind === 'MergeDelegationProposed')
          submit({ type: 'AcceptMergeDelegation', proposal: proposed.detail.proposal }, operator);
      }
      if (mints) {
        const host = population.party(population.hostOf(number));
        const terms = {
          beneficiary: party,
          delegate: host,
          expiresAt: Instant.latest,
          amuletMergeLimit: mints.mergeLimit,
        };
        const proposed = submit({ type: 'ProposeMintingDelegation', ...terms }, party);
        if (proposed?.kind === 'MintingDelegationProposed')
          submit({ type: 'AcceptMintingDelegation', proposal: proposed.detail.proposal }, host);
      }
    }
  }
}

/** What the wallet providers and the validators do at their periods: each looks at all who have delegated to it. */
export function delegates(population: Population): readonly PeriodicHabit[] {
  const habits = new Map<string, PeriodicHabit>();
  for (const members of population.groups) {
    const { merge } = members.group.wallet;
    const { mints } = members.group.automation;
    for (let number = members.start; number < members.start + members.count; number++) {
      if (merge.delegated) {
        const { above, every, operator: group } = merge.delegated;
        const operator = operatorOf(population, members, group, number);
        const name = `merges of ${operator}`;
        const policy = mergeDelegatedHoldings(operator, { ...MERGE_DEFAULTS, mergeAbove: above });
        habits.set(name, { habit: { name, cadence: 'merges', policy }, rounds: roundsIn(every) });
      }
      if (mints) {
        const host = population.party(population.hostOf(number));
        const name = `delegated minting of ${host}`;
        const policy = mintForBeneficiaries(host);
        habits.set(name, { habit: { name, cadence: 'rewards', policy }, rounds: roundsIn(mints.every) });
      }
    }
  }
  return [...habits.values()];
}

/** Owners are spread over the parties of the operators' group. */
function operatorOf(
  population: Population,
  members: Members,
  operators: string,
  number: number,
): ReturnType<Population['party']> {
  const { start, count } = population.named(operators);
  return population.party(start + ((number - members.start) % count));
}
