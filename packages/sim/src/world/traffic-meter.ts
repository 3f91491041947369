import { messageBytes } from '@coinlab/core/rules';
import { messageBytesOf } from '@coinlab/core/views';
import { coinsMade, isPacked, receiverOf, senderOf, type PackedTransfer } from '@coinlab/core/codec';
import type { Entry, PartyId } from '@coinlab/core';
import { DSO, nodeOf, type Submit } from './network.js';
import type { Population } from './population.js';

/**
 * The bytes sent in a round are consumed at the start of the next. A validator with too little traffic is counted as a refusal;
 * its wallets continue.
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

  save(): readonly (readonly [validator: number, bytes: number])[] {
    return [...this.#bytes];
  }

  restore(bytes: readonly (readonly [validator: number, bytes: number])[]): void {
    for (const [host, count] of bytes) this.#bytes.set(host, count);
  }

  /** The founding of a network consumes no traffic. */
  forget(): void {
    this.#bytes.clear();
  }

  fold(entry: Entry): void {
    if (this.#hosts.size === 0) return;
    const actAs = isPacked(entry) ? actorsOf(entry) : entry.actAs;
    const host = actAs.map((party) => this.#hosts.get(party)).find((found) => found !== undefined);
    if (host === undefined) return;
    const bytes = isPacked(entry)
      ? messageBytes({ inputs: entry.inputs.length, outputs: coinsMade(entry) })
      : messageBytesOf(entry);
    this.#bytes.set(host, (this.#bytes.get(host) ?? 0) + bytes);
  }

  settle(submit: Submit): void {
    const sent = [...this.#bytes];
    this.#bytes.clear();
    for (const [host, bytes] of sent)
      submit({ type: 'ConsumeTraffic', memberId: nodeOf(this.#population.party(host)), bytes }, DSO);
  }
}

function actorsOf(packed: PackedTransfer): readonly PartyId[] {
  return packed.kind === 'Minted' ? [senderOf(packed), receiverOf(packed)] : [senderOf(packed)];
}
