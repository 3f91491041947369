import type { ContractId } from '@coinlab/core';

const BITS = 10;
const PAGE = 1 << BITS;

/**
 * Keeps owner numbers in pages of small integers, because contract numbers are dense. A page whose coins are all spent
 * is dropped, so memory does not grow with the log.
 */
export class UtxoOwners {
  readonly #pages: (Int32Array | undefined)[] = [];
  readonly #unspent: number[] = [];

  set(coin: ContractId, owner: number): void {
    const page = coin >>> BITS;
    const owners = (this.#pages[page] ??= new Int32Array(PAGE));
    const slot = coin & (PAGE - 1);
    if (owners[slot] === 0) this.#unspent[page] = (this.#unspent[page] ?? 0) + 1;
    owners[slot] = owner + 1;
  }

  get(contract: ContractId): number {
    return (this.#pages[contract >>> BITS]?.[contract & (PAGE - 1)] ?? 0) - 1;
  }

  take(contract: ContractId): number {
    const page = this.#pages[contract >>> BITS];
    const slot = contract & (PAGE - 1);
    const found = page?.[slot] ?? 0;
    if (page === undefined || found === 0) return -1;
    page[slot] = 0;
    this.forget(contract);
    return found - 1;
  }

  /** Counts a kept coin as spent without reading its owner, which takes a cache miss. The caller asks for it no more. */
  forget(coin: ContractId): void {
    const page = coin >>> BITS;
    const left = (this.#unspent[page] ?? 0) - 1;
    this.#unspent[page] = left;
    if (left === 0) this.#pages[page] = undefined;
  }
}
