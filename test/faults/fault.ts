import type { Replacement } from './replaced.ts';

/** A replacement of one text in a source file of the core. */
export interface Patch extends Replacement {
  /** Path relative to `packages/core/src`. */
  readonly file: string;
}

/** A fault that is planted in a copy of the core. */
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
  { name, what, find, replace, ...rest }: Omit<Fault, 'patches'> & Omit<Patch, 'file'>,
): Fault {
  return { name, what, patches: [{ file, find, replace }], ...rest };
}
