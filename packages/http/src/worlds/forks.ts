import type { Instant, LedgerState } from '@coinlab/core';
import { Problem } from '../problem.js';
import type { ServerConfig } from '../config.js';
import type { World } from './world.js';

export interface Fork {
  readonly name: string;
  readonly from: { readonly offset: number; readonly time: Instant };
  readonly world: World;
  /** Resolves once its indexes can answer without delaying other requests. */
  readonly ready: () => Promise<void>;
  readonly close: () => void;
}

export interface Beginning {
  readonly source: World;
  readonly state: LedgerState;
  readonly time: Instant;
}

type OpenFork = (beginning: Beginning) => Pick<Fork, 'world' | 'ready' | 'close'>;

export class Forks {
  readonly #open: OpenFork;
  readonly #most: number;
  readonly #forks: Map<string, Fork> = new Map();

  constructor(open: OpenFork, { limits }: Pick<ServerConfig, 'limits'>) {
    this.#open = open;
    this.#most = limits.forks;
  }

  get all(): readonly Fork[] {
    return [...this.#forks.values()];
  }

  /** @param at an offset, a time or the name of a snapshot; null: the newest state */
  async create(name: string, source: World, at: string | null): Promise<Fork> {
    await source.host.settled();
    const past = at === null ? source : await source.moments.at(at);
    if (this.#forks.has(name))
      throw new Problem(
        409,
        `name: the fork ${name} exists; choose another name, or send DELETE /dev/forks/${name} first`,
      );
    if (this.#forks.size >= this.#most)
      throw new Problem(
        409,
        `this server has ${this.#most} forks, the most that the setting limits.forks allows; send DELETE /dev/forks/NAME, or raise it`,
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
