/**
 * Ownership of the nodes of persistent structures: a node is changed in place only with the token that created it,
 * and copied otherwise. A fork gives both sides new tokens, so that neither can change shared nodes: O(1). A class,
 * because immer freezes plain objects.
 */
export class EditToken {
  /** Identifies the token in nodes made of numbers. Above 0, unique among tokens with a common origin. */
  readonly number: number;
  // Shared counter of all tokens with a common origin; the numbers are never visible outside.
  readonly #given: { last: number };

  constructor(given: { last: number } = { last: 0 }) {
    given.last += 1;
    this.#given = given;
    this.number = given.last;
  }

  next(): EditToken {
    return new EditToken(this.#given);
  }
}
