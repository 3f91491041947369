/**
 * The random numbers of one command. A recipe reads them in a fixed order and applies them to the current
 * state, so a sequence stays meaningful while it shrinks. Zeros give the simplest command.
 */
export class Dice {
  readonly #rolls: readonly number[];
  #at = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  /** Returns a whole number from 0 to `sides - 1`; zero after the last random number. */
  roll(sides: number): number {
    const roll = this.#rolls[this.#at++] ?? 0;
    return sides > 0 ? roll % sides : 0;
  }

  /** Returns true with a probability in percent. The random number zero gives false. */
  chance(percent: number): boolean {
    return this.roll(100) >= 100 - percent;
  }

  /** Returns one of the items. The random number zero gives the first. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  pick<Item>(items: readonly Item[]): Item | undefined;
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.roll(items.length)];
  }

  /** Returns a random part of an amount, from all of it (random number zero) down to zero. */
  part(whole: bigint): bigint {
    return whole - (whole * BigInt(this.roll(1_001))) / 1_000n;
  }
}
