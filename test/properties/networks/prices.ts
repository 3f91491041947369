import type { ContractId, ContractOf, Update } from '@coinlab/core';
import { rounded, SCALE } from './rounding.ts';

/** Fees of a round, in units of coin. */
interface Fees {
  readonly create: bigint;
  readonly stepped: (amount: bigint) => bigint;
}

/** Rounds and prices of a network, from its updates. */
export class Prices {
  readonly #rounds: Map<number, ContractOf<'OpenMiningRound'>> = new Map();
  readonly #open: Map<ContractId, number> = new Map();
  readonly #states: Map<ContractId, number> = new Map();
  readonly #fees: Map<number, Fees> = new Map();

  fold({ archived, created }: Update): void {
    for (const id of archived) {
      this.#open.delete(id);
      this.#states.delete(id);
    }
    for (const contract of created) {
      if (contract.template === 'OpenMiningRound') {
        this.#rounds.set(contract.round, contract);
        this.#open.set(contract.id, contract.round);
      }
      if (contract.template === 'ExternalPartyConfigState')
        this.#states.set(contract.id, contract.holdingFeesOpenRound);
    }
  }

  get newestRound(): number {
    return Math.max(...this.#open.values());
  }

  /** The smaller round of the config states; before any, none is judged. */
  get configRound(): number {
    return this.#states.size === 0 ? -1 : Math.min(...this.#states.values());
  }

  /** Source: specification §2.2, §2.3. The width of a band is its threshold minus the sum of all earlier ones. */
  feesAt(round: number): Fees {
    const known = this.#fees.get(round);
    if (known) return known;
    const open = this.#rounds.get(round);
    if (!open) throw new Error(`no open round ${round}`);
    const { transferConfigUsd: usd, amuletPrice } = open;
    const perUsd = rounded(SCALE * SCALE, amuletPrice);
    const inCoin = (value: bigint): bigint => rounded(value * perUsd, SCALE);
    const stepped = (amount: bigint): bigint => {
      let [rest, fee, rate, below]: [bigint, bigint, bigint, bigint] = [amount, 0n, usd.transferFeeInitialRate, 0n];
      for (const step of usd.transferFeeSteps) {
        if (rest <= 0n) return fee;
        const width = inCoin(step.from) - below;
        const part = rest < width ? rest : width;
        fee += rounded(part * rate, SCALE);
        rest -= width;
        below += inCoin(step.from);
        rate = step.rate;
      }
      return rest > 0n ? fee + rounded(rest * rate, SCALE) : fee;
    };
    const fees = { create: inCoin(usd.createFee), stepped };
    this.#fees.set(round, fees);
    return fees;
  }
}
