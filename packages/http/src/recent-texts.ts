interface Limits {
  readonly count: number;
  /** Sum of the lengths of the texts. */
  readonly characters: number;
}

interface Kept<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * Values of the texts that were set last. Forgets the oldest texts beyond its limits, but never the last one. Of two texts with
 * equal samples it keeps the later one.
 */
export class RecentTexts<Value> {
  readonly #limits: Limits;
  readonly #kept: Map<number, Kept<Value>> = new Map();
  #characters = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get(text: string): Value | undefined {
    const kept = this.#kept.get(sampleOf(text));
    return kept?.text === text ? kept.value : undefined;
  }

  set(text: string, value: Value): void {
    const sample = sampleOf(text);
    this.#forget(sample);
    this.#kept.set(sample, { text, value });
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.count && this.#characters <= this.#limits.characters) return;
      if (this.#kept.size > 1) this.#forget(oldest);
    }
  }

  #forget(sample: number): void {
    this.#characters -= this.#kept.get(sample)?.text.length ?? 0;
    this.#kept.delete(sample);
  }
}

const STRIDE = 16;

/** V8 hashes a text of more than 16,383 characters by its length alone, so a map of such texts compares all of equal length. */
function sampleOf(text: string): number {
  let sample = text.length;
  for (let i = 0; i < text.length; i += STRIDE) sample = (Math.imul(sample, 31) + text.charCodeAt(i)) | 0;
  return sample;
}
