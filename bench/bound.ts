/**
 * The lower bound of a transfer's cost: a ledger without rules in typed arrays, which does only the necessary
 * work. It takes the sender's smallest coins until they cover the amount, archives them, creates the
 * receiver's coin and the change, and writes a binary record. Its time, measured in the same process, is the
 * reference for the engine's.
 */
const SLOTS = 64;
const RECORD_BYTES = 32;
const SEGMENT_BYTES = 1 << 22;

/**
 * A coin is a slot of its owner, in ascending order of amounts. Whole coins and units of 10⁻¹⁰ are separate
 * doubles, so both are exact.
 */
export class Bound {
  readonly #count: Uint8Array;
  readonly #whole: Float64Array;
  readonly #units: Float64Array;
  readonly #segments: DataView[] = [new DataView(new ArrayBuffer(SEGMENT_BYTES))];
  #at = 0;
  #records = 0;

  constructor(parties: number) {
    this.#count = new Uint8Array(parties);
    this.#whole = new Float64Array(parties * SLOTS);
    this.#units = new Float64Array(parties * SLOTS);
  }

  countOf(party: number): number {
    return this.#count[party] as number;
  }

  get logBytes(): number {
    return (this.#segments.length - 1) * SEGMENT_BYTES + this.#at;
  }

  log(): readonly Uint8Array[] {
    return this.#segments.map(
      (segment, i) => new Uint8Array(segment.buffer, 0, i === this.#segments.length - 1 ? this.#at : SEGMENT_BYTES),
    );
  }

  /** Inserts a coin in the order of amounts. Returns false if the owner has no free slot. */
  add(party: number, whole: number, units: number): boolean {
    const count = this.#count[party] as number;
    if (count === SLOTS) return false;
    let at = party * SLOTS + count;
    while (
      at > party * SLOTS &&
      ((this.#whole[at - 1] as number) > whole ||
        ((this.#whole[at - 1] as number) === whole && (this.#units[at - 1] as number) > units))
    ) {
      this.#whole[at] = this.#whole[at - 1] as number;
      this.#units[at] = this.#units[at - 1] as number;
      at -= 1;
    }
    this.#whole[at] = whole;
    this.#units[at] = units;
    this.#count[party] = count + 1;
    return true;
  }

  /** Makes a transfer. Returns false if the sender has too little coin or the receiver has no free slot. */
  transfer(sender: number, receiver: number, whole: number, units: number): boolean {
    const count = this.#count[sender] as number;
    const base = sender * SLOTS;
    let sumWhole = 0;
    let sumUnits = 0;
    let inputs = 0;
    while (inputs < count && (sumWhole < whole || (sumWhole === whole && sumUnits < units))) {
      sumWhole += this.#whole[base + inputs] as number;
      sumUnits += this.#units[base + inputs] as number;
      if (sumUnits >= 1e10) {
        sumUnits -= 1e10;
        sumWhole += 1;
      }
      inputs += 1;
    }
    if (sumWhole < whole || (sumWhole === whole && sumUnits < units)) return false;
    if ((this.#count[receiver] as number) === SLOTS) return false;
    for (let i = inputs; i < count; i++) {
      this.#whole[base + i - inputs] = this.#whole[base + i] as number;
      this.#units[base + i - inputs] = this.#units[base + i] as number;
    }
    this.#count[sender] = count - inputs;
    let restWhole = sumWhole - whole;
    let restUnits = sumUnits - units;
    if (restUnits < 0) {
      restUnits += 1e10;
      restWhole -= 1;
    }
    this.add(receiver, whole, units);
    if (restWhole > 0 || restUnits > 0) this.add(sender, restWhole, restUnits);
    this.#write(sender, receiver, inputs, whole, units);
    return true;
  }

  #write(sender: number, receiver: number, inputs: number, whole: number, units: number): void {
    if (this.#at + RECORD_BYTES > SEGMENT_BYTES) {
      this.#segments.push(new DataView(new ArrayBuffer(SEGMENT_BYTES)));
      this.#at = 0;
    }
    const segment = this.#segments.at(-1) as DataView;
    segment.setUint32(this.#at, ++this.#records, true);
    segment.setUint32(this.#at + 4, sender, true);
    segment.setUint32(this.#at + 8, receiver, true);
    segment.setUint32(this.#at + 12, inputs, true);
    segment.setFloat64(this.#at + 16, whole, true);
    segment.setFloat64(this.#at + 24, units, true);
    this.#at += RECORD_BYTES;
  }

  /** Applies a log that another bound wrote. Returns the number of records. */
  replay(segments: readonly Uint8Array[]): number {
    let records = 0;
    for (const bytes of segments) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at + RECORD_BYTES <= bytes.byteLength; at += RECORD_BYTES) {
        if (view.getUint32(at, true) === 0) break;
        this.transfer(
          view.getUint32(at + 4, true),
          view.getUint32(at + 8, true),
          view.getFloat64(at + 16, true),
          view.getFloat64(at + 24, true),
        );
        records += 1;
      }
    }
    return records;
  }
}
