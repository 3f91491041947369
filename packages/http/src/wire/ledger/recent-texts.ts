interface Limits {
  readonly count: number;
  /** Sum of the lengths of the texts. */
  readonly characters: number;
}

/** Values of the texts that were set last. Forgets the oldest texts beyond its limits, but never the last one. */
export class RecentTexts<Value> {
  readonly #limits: Limits;
  readonly #values: Map<string, Value> = new Map();
  #characters = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    this.#forget(text);
    this.#values.set(text, value);
    this.#characters += text.length;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#limits.count && this.#characters <= this.#limits.characters) return;
      if (this.#values.size > 1) this.#forget(oldest);
    }
  }

  #forget(text: string): void {
    if (this.#values.delete(text)) this.#characters -= text.length;
  }
}
