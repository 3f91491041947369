import { Column } from '@coinlab/core/codec';
import type { AmuletRules, ExternalPartyAmuletRules, OpenMiningRound } from '@coinlab/core/contracts';
import type { Contract, ContractId, Instant, Update } from '@coinlab/core';
import type { Follower } from './follower.js';

export interface NetworkContracts {
  rulesBefore(offset: number): AmuletRules | null;
  factoryBefore(offset: number): ExternalPartyAmuletRules | null;
  roundBefore(offset: number, at: Instant): OpenMiningRound | null;
  archivedAt(contract: ContractId): number | null;
}

/** Uses memory for one entry per round and change of the rules, and at most four bytes per contract that was ever created. */
export function networkContracts(follower: Follower): NetworkContracts {
  const index = new Index();
  follower.follow(index);
  const read = <Found>(find: () => Found): Found => {
    follower.readAll();
    return find();
  };
  return {
    rulesBefore: (offset) => read(() => index.rules.before(offset)),
    factoryBefore: (offset) => read(() => index.factories.before(offset)),
    roundBefore: (offset, at) => read(() => index.rounds.before(offset, ({ opensAt }) => opensAt <= at)),
    archivedAt: (contract) => read(() => index.archivedAt(contract)),
  };
}

class Index {
  readonly rules: Sequence<AmuletRules> = new Sequence();
  readonly factories: Sequence<ExternalPartyAmuletRules> = new Sequence();
  readonly rounds: Sequence<OpenMiningRound> = new Sequence();
  #archivedAt: Column<number> = Column.ofWords();

  add({ offset, archived, created }: Update): void {
    for (const id of archived) this.#archivedAt.set(id, offset);
    for (const contract of created) this.#enter(contract, offset);
  }

  reset(): void {
    this.rules.clear();
    this.factories.clear();
    this.rounds.clear();
    this.#archivedAt = Column.ofWords();
  }

  archivedAt(contract: ContractId): number | null {
    const offset = this.#archivedAt.at(contract) ?? 0;
    return offset === 0 ? null : offset;
  }

  #enter(contract: Contract, offset: number): void {
    if (contract.template === 'AmuletRules') this.rules.push(contract, offset);
    else if (contract.template === 'ExternalPartyAmuletRules') this.factories.push(contract, offset);
    else if (contract.template === 'OpenMiningRound') this.rounds.push(contract, offset);
  }
}

class Sequence<C extends Contract> {
  readonly #contracts: C[] = [];
  #offsets: Column<number> = Column.ofWords();

  push(contract: C, offset: number): void {
    this.#contracts.push(contract);
    this.#offsets.push(offset);
  }

  clear(): void {
    this.#contracts.length = 0;
    this.#offsets = Column.ofWords();
  }

  before(offset: number, fits: (contract: C) => boolean = () => true): C | null {
    for (let i = this.#offsets.countUntil(offset - 1) - 1; i >= 0; i--) {
      const contract = this.#contracts[i];
      if (contract && fits(contract)) return contract;
    }
    return null;
  }
}
