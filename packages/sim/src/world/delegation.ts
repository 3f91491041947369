import { at } from '@coinlab/core/workflows';
import { contractsOf, Instant, type Engine, type PartyId } from '@coinlab/core';
import {
  MERGE_DEFAULTS,
  mergeDelegatedHoldings,
  mintForBeneficiaries,
  runHabits,
  type Habit,
} from '@coinlab/automation';
import type { Group } from '../scenario/scenario.js';
import { roundsIn } from './automation.js';
import type { Submit } from './network.js';
import type { Members, Population } from './population.js';

interface PeriodicHabit {
  readonly habit: Habit;
  readonly rounds: number;
}

export function delegate(population: Population, submit: Submit): void {
  for (const members of population.groups) {
    delegateMerging(population, members, submit);
    delegateMinting(population, members, submit);
  }
}

export class Delegates {
  readonly #population: Population;
  #groups: readonly Members[];
  #habits: readonly PeriodicHabit[];
  #changes: readonly (readonly [before: Members, after: Members])[] = [];

  constructor(population: Population) {
    this.#population = population;
    this.#groups = population.groups;
    this.#habits = habitsOf(population, this.#groups);
  }

  adopt(groups: readonly Group[]): void {
    const before = this.#groups;
    this.#groups = before.map((members, i) => ({ ...members, group: groups[i] ?? members.group }));
    this.#habits = habitsOf(this.#population, this.#groups);
    this.#changes = this.#groups.flatMap((after, i) => {
      const was = at(before, i);
      const [old, other] = [was, after].map(({ group }) => JSON.stringify(group.wallet.merge.delegated?.operator));
      return old === other ? [] : [[was, after] as const];
    });
  }

  beginRound(engine: Engine, submit: Submit): void {
    for (const [before, after] of this.#changes) {
      for (const owner of this.#population.partiesOf(before))
        for (const delegation of Array.from(contractsOf(engine.state, 'MergeDelegation', owner), ({ id }) => id))
          submit({ type: 'WithdrawMergeDelegation', delegation }, owner);
      delegateMerging(this.#population, after, submit);
    }
    this.#changes = [];
  }

  endRound(engine: Engine, now: Instant, round: number): void {
    for (const { habit, rounds } of this.#habits) if ((round + 1) % rounds === 0) runHabits(engine, [habit], now);
  }
}

function delegateMerging(population: Population, members: Members, submit: Submit): void {
  const { delegated } = members.group.wallet.merge;
  if (!delegated) return;
  for (let number = members.start; number < members.start + members.count; number++) {
    const owner = population.party(number);
    const operator = operatorOf(population, members, delegated.operator, number);
    const proposed = submit({ type: 'ProposeMergeDelegation', owner, operator }, owner);
    if (proposed?.kind === 'MergeDelegationProposed')
      submit({ type: 'AcceptMergeDelegation', proposal: proposed.detail.proposal }, operator);
  }
}

function delegateMinting(population: Population, members: Members, submit: Submit): void {
  const { mints } = members.group.automation;
  if (!mints) return;
  for (let number = members.start; number < members.start + members.count; number++) {
    const beneficiary = population.party(number);
    const host = population.party(population.hostOf(number));
    const terms = { beneficiary, delegate: host, expiresAt: Instant.latest, amuletMergeLimit: mints.mergeLimit };
    const proposed = submit({ type: 'ProposeMintingDelegation', ...terms }, beneficiary);
    if (proposed?.kind === 'MintingDelegationProposed')
      submit({ type: 'AcceptMintingDelegation', proposal: proposed.detail.proposal }, host);
  }
}

function habitsOf(population: Population, groups: readonly Members[]): readonly PeriodicHabit[] {
  const habits = new Map<string, PeriodicHabit>();
  for (const members of groups) {
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

function operatorOf(population: Population, members: Members, operators: string, number: number): PartyId {
  const { start, count } = population.named(operators);
  return population.party(start + ((number - members.start) % count));
}
