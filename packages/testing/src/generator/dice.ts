/**
 * Random numbers for one command. A recipe reads them in a fixed order and applies them to the current state, so a
 * sequence stays meaningful while it shrinks. Zeros give the plainest command.
 */
export class Dice {
  readonly #rolls: readonly number[];
  #at = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  /** Returns a whole number below `sides`; zero after the last number. */
  roll(sides: number): number {
    const roll = this.#rolls[this.#at++] ?? 0;
    return sides > 0 ? roll % sides : 0;
  }

  /** Returns true with a probability in percent; false for a zero. */
  chance(percent: number): boolean {
    return this.roll(100) >= 100 - percent;
  }

  /** Returns one of the items; the first for a zero. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  pick<Item>(items: readonly Item[]): Item | undefined;
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.roll(items.length)];
  }

  /** Returns a part of a whole, from all of it (for a zero) down to zero. */
  part(whole: bigint): bigint {
    return whole - (whole * BigInt(this.roll(1_001))) / 1_000n;
  }
}
