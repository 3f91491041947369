/**
 * Numbers that fast-check drew for one command. A recipe reads as many as it needs, always in the same order, and resolves them
 * against the state it meets; so a sequence stays meaningful while it shrinks, and all zeros are the plainest command.
 */
export class Dice {
  readonly #rolls: readonly number[];
  #at = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  /** A whole number below `sides`; zero once the numbers are used up. */
  roll(sides: number): number {
    const roll = this.#rolls[this.#at++] ?? 0;
    return sides > 0 ? roll % sides : 0;
  }

  /** True in about so many of a hundred cases; never for a zero. */
  chance(percent: number): boolean {
    return this.roll(100) >= 100 - percent;
  }

  /** One of the items; the first for a zero. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  pick<Item>(items: readonly Item[]): Item | undefined;
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.roll(items.length)];
  }

  /** A part of a whole, from all of it (for a zero) down to nothing. */
  part(whole: bigint): bigint {
    return whole - (whole * BigInt(this.roll(1_001))) / 1_000n;
  }
}
