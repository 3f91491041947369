import type { TemplateName } from '../contract.js';

/** Numbers for the texts under which contracts are kept: a party's wallet, a template's key. */
export class Symbols {
  readonly #ofTemplate: Map<TemplateName, Map<string, number>> = new Map();
  readonly #texts: string[] = [];

  find(template: TemplateName, key: string): number | undefined {
    return this.#ofTemplate.get(template)?.get(key);
  }

  of(template: TemplateName, key: string): number {
    let keys = this.#ofTemplate.get(template);
    if (!keys) this.#ofTemplate.set(template, (keys = new Map()));
    let symbol = keys.get(key);
    if (symbol === undefined) {
      keys.set(key, (symbol = this.#texts.length));
      this.#texts.push(key);
    }
    return symbol;
  }

  /** The text that a number stands for. */
  textOf(symbol: number): string {
    return this.#texts[symbol] as string;
  }
}

/** Numbers for exact values of which there are few: the holding rates. */
export class Values {
  readonly #numbers: Map<bigint, number> = new Map();
  readonly #values: bigint[] = [];

  of(value: bigint): number {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      this.#numbers.set(value, (number = this.#values.length));
      this.#values.push(value);
    }
    return number;
  }

  at(number: number): bigint {
    return this.#values[number] as bigint;
  }
}
