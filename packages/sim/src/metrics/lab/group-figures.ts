import { Histogram } from './histogram.js';

/** What is counted of one group, or of the whole network. Amounts are exact units of 10⁻¹⁰. */
export class GroupFigures {
  /** Parties by their UTXOs, now. */
  readonly now: Histogram = new Histogram();
  /** The same, pooled over samples. */
  readonly pooled: Histogram = new Histogram();
  readonly inputs: Histogram = new Histogram();
  locked = 0;
  pending = 0;
  samples = 0;
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

  /** Begins with so many parties without coin. */
  constructor(parties: number) {
    this.now.add(0, parties);
  }

  /** Takes the present as a sample. */
  sample(): void {
    this.pooled.addAll(this.now);
    this.samples += 1;
    this.lockedSamples += this.locked;
    this.pendingSamples += this.pending;
  }

  /** Forgets flows: the warm-up is over. */
  reset(): void {
    this.inputs.clear();
    this.transfers = this.capHits = this.merges = this.mergeInputs = this.mergeBytes = 0;
    this.changeRatios = this.changes = this.dustCreated = this.dustExpired = this.bytes = 0;
    this.dustExpiredValue = this.minted = this.burned = 0n;
  }
}
