import type { MergeHabit } from './merge.js';
import { POLICIES } from './named.js';
import type { Policy } from './policy.js';

/** Policies of a user's own file, by name. */
export interface OwnPolicies {
  readonly selection?: Readonly<Record<string, Policy>>;
  readonly merging?: Readonly<Record<string, MergeHabit>>;
}

/** The policies that a scenario can name: ours, and those of the user's file. */
export class PolicyShelf {
  readonly #selection: ReadonlyMap<string, Policy>;
  readonly #merging: ReadonlyMap<string, MergeHabit>;

  constructor({ selection = {}, merging = {} }: OwnPolicies = {}) {
    this.#selection = new Map([...Object.entries<Policy>(POLICIES), ...Object.entries(selection)]);
    this.#merging = new Map(Object.entries(merging));
  }

  /** Throws a RangeError that lists what there is. */
  selection(name: string): Policy {
    return from(this.#selection, name, 'wallet.select');
  }

  /** Throws a RangeError that lists what there is. */
  merging(name: string): MergeHabit {
    return from(this.#merging, name, 'wallet.merge.custom');
  }
}

function from<Value>(shelf: ReadonlyMap<string, Value>, name: string, field: string): Value {
  const found = shelf.get(name);
  if (found === undefined)
    throw new RangeError(`${field}: got "${name}", expected one of ${[...shelf.keys()].join(', ') || 'a policy file'}`);
  return found;
}
