/**
 * Ownership of the nodes of the state's structures: a node is changed in place only by the epoch that made it and is
 * copied otherwise. Forking a state gives both sides new epochs, so that neither can change what they share: O(1).
 * A class, so that immer leaves it alone.
 */
export class Epoch {
  readonly owns: true = true;
}
