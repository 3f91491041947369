import { Streams } from '@coinlab/sim';

/** A source of independent draws with a known mean. */
export interface Source {
  readonly name: string;
  readonly mean: number;
  readonly draw: () => number;
}

export class Draws {
  readonly #stream: ReturnType<Streams['named']>;

  constructor(seed: number, name: string) {
    this.#stream = new Streams(seed).named(`coverage/${name}`);
  }

  unit(): number {
    return this.#stream.unit();
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log1p(-this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }

  /** An AR(1) process with standard deviation 1, in its steady state; with phi 1 a random walk with steps of 0.1. */
  *autoregressive(phi: number): Generator<number, never, undefined> {
    const step = phi < 1 ? Math.sqrt(1 - phi * phi) : 0.1;
    let value = phi < 1 ? this.normal() : 0;
    for (;;) {
      yield value;
      value = phi * value + step * this.normal();
    }
  }

  /** Distributions of a run's figures, from symmetric to very skewed. */
  sources(): readonly Source[] {
    return [
      { name: 'normal', mean: 0, draw: () => this.normal() },
      { name: 'uniform to the fourth', mean: 0.2, draw: () => this.unit() ** 4 },
      { name: 'exponential', mean: 1, draw: () => -Math.log1p(-this.unit()) },
      { name: 'chi-squared, 1 degree', mean: 1, draw: () => this.normal() ** 2 },
      { name: 'log-normal, σ 1', mean: Math.exp(0.5), draw: () => Math.exp(this.normal()) },
      { name: 'log-normal, σ 1.5', mean: Math.exp(1.125), draw: () => Math.exp(1.5 * this.normal()) },
      { name: 'count, mean 2', mean: 2, draw: () => this.#count(20, 0.1) },
    ];
  }

  #count(trials: number, probability: number): number {
    let count = 0;
    for (let i = 0; i < trials; i++) if (this.unit() < probability) count += 1;
    return count;
  }
}

/** @returns a dash for a share of nothing */
export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : (share * 100).toFixed(1);
}
