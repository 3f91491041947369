import type { Replacement } from './replaced.ts';

/** A replacement of one text in a source file of the core. */
export interface Patch extends Replacement {
  /** Path from `packages/core/src`. */
  readonly file: string;
}

/** A fault that is planted in a copy of the core. */
export interface Fault {
  readonly name: string;
  /** The wrong behaviour, as a user would report it. */
  readonly what: string;
  readonly patches: readonly Patch[];
  /** The check that must find it; the default is `checkConformance` on the ledger as a value. */
  readonly check?: CheckName;
  /** Allows more commands after shrinking, because the fault appears only with a hundred inputs. */
  readonly needsManyInputs?: true;
}

export type CheckName = 'ledger' | 'engine' | 'automation';

export function faultIn(
  file: string,
  { name, what, find, replace, ...rest }: Omit<Fault, 'patches'> & Omit<Patch, 'file'>,
): Fault {
  return { name, what, patches: [{ file, find, replace }], ...rest };
}
