import { messageBytes } from '@coinlab/core/rules';
import { messageBytesOf } from '@coinlab/core/views';
import { senderOf, type PlainTransfer } from '@coinlab/core/codec';
import type { PartyId, Update } from '@coinlab/core';
import { DSO, nodeOf, type Submit } from './network.js';
import type { Population } from './population.js';

/**
 * Counts the traffic of validators that top up: what their wallets and they themselves send in a round is taken from their balance
 * at the beginning of the next. Who has too little is counted as refused, and its wallets are not stopped.
 */
export class TrafficMeter {
  readonly #population: Population;
  readonly #hosts: ReadonlyMap<PartyId, number>;
  readonly #bytes: Map<number, number> = new Map();

  constructor(population: Population) {
    this.#population = population;
    const hosts = new Map<PartyId, number>();
    for (const { group, start, count } of population.groups) {
      const host = group.validator === null ? group : population.named(group.validator).group;
      if (!host.automation.topUp) continue;
      for (let number = start; number < start + count; number++)
        hosts.set(population.party(number), population.hostOf(number));
    }
    this.#hosts = hosts;
  }

  /** Bytes that are not yet taken, by the number of the validator: for checkpoints. */
  save(): readonly (readonly [validator: number, bytes: number])[] {
    return [...this.#bytes];
  }

  /** Goes on from what was saved. */
  restore(bytes: readonly (readonly [validator: number, bytes: number])[]): void {
    for (const [host, count] of bytes) this.#bytes.set(host, count);
  }

  /** What was sent so far is not counted: the founding of a network costs nobody anything. */
  forget(): void {
    this.#bytes.clear();
  }

  /** Something was sent. */
  notice(update: Update): void {
    if (this.#hosts.size === 0) return;
    for (const party of update.actAs) {
      const host = this.#hosts.get(party);
      if (host === undefined) continue;
      this.#bytes.set(host, (this.#bytes.get(host) ?? 0) + messageBytesOf(update));
      return;
    }
  }

  /** A plain transfer was sent. */
  noticePlain(plain: PlainTransfer): void {
    const { inputs, paid, change } = plain;
    const host = this.#hosts.size === 0 ? undefined : this.#hosts.get(senderOf(plain));
    if (host === undefined) return;
    const bytes = messageBytes({ inputs: inputs.length, outputs: (paid > 0 ? 1 : 0) + (change > 0 ? 1 : 0) });
    this.#bytes.set(host, (this.#bytes.get(host) ?? 0) + bytes);
  }

  /** Takes what was sent from the balances. */
  settle(submit: Submit): void {
    const sent = [...this.#bytes];
    this.#bytes.clear();
    for (const [host, bytes] of sent)
      submit({ type: 'ConsumeTraffic', memberId: nodeOf(this.#population.party(host)), bytes }, DSO);
  }
}
