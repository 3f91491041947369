/** A change to the source of the core that makes it wrong. */
export interface Patch {
  /** From `packages/core/src`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A mistake that a ledger could make, planted in a copy of the core. */
export interface Fault {
  readonly name: string;
  /** What the ledger does wrong, as a person would report it. */
  readonly what: string;
  readonly patches: readonly Patch[];
  /** The check of the test kit that has to find it. Left out: `checkConformance` on the ledger as a value. */
  readonly check?: CheckName;
  /** A hundred inputs are the point, so that building them up may take more commands. */
  readonly needsManyInputs?: true;
}

/** A check of the test kit, with its defaults. */
export type CheckName = 'ledger' | 'engine' | 'automation';

/** A fault of one patch in one file. */
export function faultIn(
  file: string,
  { name, what, find, replace, ...rest }: Omit<Fault, 'patches'> & Omit<Patch, 'file'>,
): Fault {
  return { name, what, patches: [{ file, find, replace }], ...rest };
}
