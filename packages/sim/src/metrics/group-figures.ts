import type { Saved } from '../saved.js';
import { Histogram } from './histogram.js';

type Figure = number | bigint | Histogram;

export class GroupFigures {
  readonly now: Histogram = new Histogram();
  readonly pooled: Histogram = new Histogram();
  readonly inputs: Histogram = new Histogram();
  locked = 0;
  pending = 0;
  samples = 0;
  rows = 0;
  rowSum = 0;
  most = 0;
  lockedSamples = 0;
  pendingSamples = 0;
  transfers = 0;
  capHits = 0;
  merges = 0;
  mergeInputs = 0;
  mergeBytes = 0;
  changeRatios = 0;
  changes = 0;
  dustCreated = 0;
  dustExpired = 0;
  dustExpiredValue = 0n;
  bytes = 0;
  minted = 0n;
  burned = 0n;
  fees = 0n;

  constructor(parties: number) {
    this.now.add(0, parties);
  }

  save(): Saved {
    return Object.fromEntries(
      Object.entries(this).map(([name, value]: [string, Figure]) => [
        name,
        value instanceof Histogram ? value.counts : value,
      ]),
    );
  }

  /** Casts: `save` wrote the fields. */
  restore(saved: Saved): void {
    for (const [name, value] of Object.entries(saved as Readonly<Record<string, number | bigint | readonly number[]>>))
      Object.assign(this, { [name]: Array.isArray(value) ? Histogram.of(value) : value });
  }

  endRow(): void {
    this.rows += 1;
    this.rowSum += this.now.sum;
  }

  get meanUtxos(): number {
    return this.rows === 0 ? 0 : this.rowSum / this.rows;
  }

  sample(): void {
    this.pooled.addAll(this.now);
    this.samples += 1;
    this.lockedSamples += this.locked;
    this.pendingSamples += this.pending;
  }

  reset(): void {
    this.inputs.clear();
    this.rows = this.rowSum = 0;
    this.most = this.now.sum;
    this.transfers = this.capHits = this.merges = this.mergeInputs = this.mergeBytes = 0;
    this.changeRatios = this.changes = this.dustCreated = this.dustExpired = this.bytes = 0;
    this.dustExpiredValue = this.minted = this.burned = this.fees = 0n;
  }
}
