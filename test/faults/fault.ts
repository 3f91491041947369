import type { Replacement } from './replaced.ts';

/** A replacement of one text in a source file of the core or of its automation. */
export interface Patch extends Replacement {
  /** The package with the file; default: `core`. */
  readonly package?: 'automation';
  /** Path relative to the `src` of the package. */
  readonly file: string;
}

/** A fault that is planted in a copy of the core and its automation. */
export interface Fault {
  readonly name: string;
  /** The wrong behaviour, as a user would report it. */
  readonly what: string;
  readonly patches: readonly Patch[];
  /** The check that must find the fault; default: `checkConformance` on the core's `Ledger`. */
  readonly check?: CheckName;
  /** Allows a failing run of more than a few commands after shrinking, because the fault needs a hundred inputs. */
  readonly needsManyInputs?: true;
}

export type CheckName = 'ledger' | 'engine' | 'automation';

export function faultIn(
  file: string,
  { name, what, package: from, find, replace, ...rest }: Omit<Fault, 'patches'> & Omit<Patch, 'file'>,
): Fault {
  return { name, what, patches: [{ ...(from ? { package: from } : {}), file, find, replace }], ...rest };
}
