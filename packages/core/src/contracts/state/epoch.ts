/**
 * Ownership of the parts of the state's structures: a part is changed in place only by the epoch that made it and is
 * copied otherwise. Forking a state gives both sides new epochs, so that neither can change what they share: O(1).
 * A class, so that immer leaves it alone.
 */
export class Epoch {
  /** Tells it apart from all epochs that descend from the same one, in parts that are made of numbers. Above 0. */
  readonly number: number;
  // Counted by all of a family together; which number an epoch got is never visible.
  readonly #given: { last: number };

  constructor(given: { last: number } = { last: 0 }) {
    given.last += 1;
    this.#given = given;
    this.number = given.last;
  }

  next(): Epoch {
    return new Epoch(this.#given);
  }
}
