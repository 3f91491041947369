/** The mean of whole numbers that come one by one; exact up to 2⁵³. */
export class Mean {
  #sum = 0;
  #count = 0;

  /** Takes `count` samples that add up to `sum`; one sample when no count is given. */
  add(sum: number, count: number = 1): void {
    this.#sum += sum;
    this.#count += count;
  }

  /** To six decimals; zero when there was no sample. */
  get value(): number {
    return ratio(this.#sum, this.#count);
  }
}

/** A quotient to six decimals; zero when nothing is divided by nothing. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(6));
}
