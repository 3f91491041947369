import type { Amount } from '../../kernel/amount.js';
import type { Round } from '../../kernel/time.js';
import type { TemplateName } from '../contract.js';

/** Numbers for the texts under which contracts are kept: a party's wallet, a template's key. */
export class Symbols {
  readonly #ofTemplate: Map<TemplateName, Map<string, number>> = new Map();
  // Those of coins apart: every transfer asks for owners.
  readonly #owners: Map<string, number> = new Map();
  readonly #texts: string[] = [];

  find(template: TemplateName, key: string): number | undefined {
    return template === 'Holding' ? this.#owners.get(key) : this.#ofTemplate.get(template)?.get(key);
  }

  of(template: TemplateName, key: string): number {
    let keys = template === 'Holding' ? this.#owners : this.#ofTemplate.get(template);
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

/** What all coins that one round made under one rate share. */
export interface Stamp {
  readonly round: Round;
  /** Holding fee in coin per round. */
  readonly rate: Amount;
}

/** Numbers for stamps, of which there are few: about one a round. */
export class Stamps {
  readonly #numbers: Map<string, number> = new Map();
  readonly #stamps: Stamp[] = [];
  #last = 0;

  of(round: Round, rate: Amount): number {
    // Nearly always it is the round of the coin before.
    const last = this.#stamps[this.#last];
    if (last && last.round === round && last.rate === rate) return this.#last;
    const key = `${round} ${rate}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#stamps.length));
      this.#stamps.push({ round, rate });
    }
    this.#last = number;
    return number;
  }

  at(number: number): Stamp {
    return this.#stamps[number] as Stamp;
  }
}
