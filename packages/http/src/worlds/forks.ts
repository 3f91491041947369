import type { Instant, LedgerState } from '@coinlab/core';
import { Problem } from '../problem.js';
import type { World } from './world.js';

export interface Fork {
  readonly name: string;
  readonly from: { readonly offset: number; readonly time: Instant };
  readonly world: World;
  readonly close: () => void;
}

export interface Beginning {
  readonly source: World;
  readonly state: LedgerState;
  readonly time: Instant;
}

export class Forks {
  readonly #open: (beginning: Beginning) => Pick<Fork, 'world' | 'close'>;
  readonly #forks: Map<string, Fork> = new Map();

  constructor(open: (beginning: Beginning) => Pick<Fork, 'world' | 'close'>) {
    this.#open = open;
  }

  get all(): readonly Fork[] {
    return [...this.#forks.values()];
  }

  /**
   * Forks a ledger. Throws 409 for a name in use.
   * @param at an offset, a time or the name of a snapshot; null: the newest state
   */
  async create(name: string, source: World, at: string | null): Promise<Fork> {
    await source.host.settled();
    const past = at === null ? source : await source.moments.at(at);
    if (this.#forks.has(name))
      throw new Problem(
        409,
        `name: the fork ${name} exists; choose another name, or send DELETE /dev/forks/${name} first`,
      );
    const { state } = past;
    const time = past.host.now();
    const fork = { name, from: { offset: state.offset, time }, ...this.#open({ source, state, time }) };
    this.#forks.set(name, fork);
    return fork;
  }

  get(name: string): Fork {
    const fork = this.#forks.get(name);
    if (fork) return fork;
    const names = [...this.#forks.keys()].slice(0, 20).join(', ');
    throw new Problem(404, `no fork ${name}; this server has: ${names || 'none'}`);
  }

  remove(name: string): void {
    this.get(name).close();
    this.#forks.delete(name);
  }

  close(): void {
    for (const { close } of this.#forks.values()) close();
  }
}
