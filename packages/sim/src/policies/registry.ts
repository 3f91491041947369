import { nearestText } from '../input/document.js';
import type { MergeHabit } from './merge.js';
import { SELECTION_NAMES, selectionNamed } from './named.js';
import type { OwnPolicies } from './own.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Policy } from './policy.js';

/** Finds policies by name: built-in ones and those of the user's file. */
export class PolicyRegistry {
  readonly #own: OwnPolicies;

  constructor(own: OwnPolicies = {}) {
    this.#own = own;
  }

  /** Throws a RangeError when a wallet of the scenario names an unknown policy. */
  requireAll({ groups }: Pick<Scenario, 'groups'>): void {
    for (const { wallet } of groups) {
      this.selection(wallet.select);
      if (wallet.merge.custom !== undefined) this.merging(wallet.merge.custom);
    }
  }

  /** Returns the selection policy with a name. Throws a RangeError that lists the known names. */
  selection(name: string): Policy {
    const { selection = {} } = this.#own;
    const found = Object.hasOwn(selection, name) ? selection[name] : selectionNamed(name);
    return found ?? unknown('wallet.select', name, [...SELECTION_NAMES, ...Object.keys(selection)]);
  }

  /** Returns the merge policy with a name. Throws a RangeError that lists the known names. */
  merging(name: string): MergeHabit {
    const { merging = {} } = this.#own;
    const found = Object.hasOwn(merging, name) ? merging[name] : null;
    return found ?? unknown('wallet.merge.custom', name, Object.keys(merging));
  }
}

function unknown(field: string, name: string, known: readonly string[]): never {
  throw new RangeError(
    `${field}: got "${name}", expected one of ${known.join(', ') || 'a policy file'}${nearestText(name, known)}`,
  );
}
