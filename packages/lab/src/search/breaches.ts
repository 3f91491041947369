import { brokenLaws, Engine, LAWS, updateOf, type Law, type Update } from '@coinlab/core';
import {
  runScenario,
  World,
  type OwnPolicies,
  type RunOptions,
  type Scenario,
  type ThresholdResult,
} from '@coinlab/sim';
import { scenarioOfRows, type MadeScenario, type SearchSetup } from './setup.js';
import type { PaymentRow } from './payment-rows.js';

/** A violation of a law by an update. */
export interface Breach {
  readonly law: string;
  readonly offset: number;
  readonly kind: Update['kind'];
}

/** Checks laws against a log, update by update. */
export class LawWatch {
  readonly #engine = new Engine();
  readonly #laws: readonly Law[];
  /** The first violation; null if there is none so far. */
  first: Breach | null = null;

  constructor(laws: readonly Law[] = LAWS) {
    this.#laws = laws;
  }

  /** Applies the next update and checks the laws. Throws when the update does not follow from the ones before. */
  take(update: Update): void {
    const before = this.#engine.snapshot();
    this.#engine.apply(update);
    const [law] = brokenLaws(this.#laws, { before, update, after: this.#engine.state });
    if (law) this.first ??= { law: law.name, offset: update.offset, kind: update.kind };
  }
}

/** Runs a scenario and returns the first violation of a law, or null. */
export function breachIn(
  scenario: Scenario,
  options: Pick<RunOptions, 'files' | 'policies' | 'replicate'> = {},
  laws: readonly Law[] = LAWS,
): Breach | null {
  const watch = new LawWatch(laws);
  const world = new World(scenario, { ...options, onEntry: (entry) => watch.take(updateOf(entry)) });
  while (!world.isOver && !watch.first) world.playRound();
  return watch.first;
}

/** The condition that a search tries to violate: one of some laws, or a threshold of a metric. */
export type Demand =
  | { readonly what: 'law'; readonly laws: readonly Law[] }
  | { readonly what: 'threshold'; readonly metric: string; readonly demand: string };

/** Builds a scenario that reproduces a violation from payments. */
export function scenarioToBreak(setup: SearchSetup, rows: readonly PaymentRow[], demand: Demand): MadeScenario {
  return scenarioOfRows(setup, rows, demand.what === 'law' ? {} : { [demand.metric]: demand.demand });
}

/** Returns a predicate: whether payments violate the condition when simulated. */
export function breaking(
  setup: SearchSetup,
  policies: OwnPolicies,
  demand: Demand,
): (rows: readonly PaymentRow[]) => boolean {
  return (rows) => {
    if (rows.length === 0) return false;
    const { scenario, files } = scenarioToBreak(setup, rows, demand);
    if (demand.what === 'law') return breachIn(scenario, { files, policies }, demand.laws) !== null;
    const { thresholds } = runScenario(scenario, { files, policies, isLogged: false, isHashed: false });
    return thresholds.some(isMissed);
  };
}

function isMissed({ found, holds }: ThresholdResult): boolean {
  return found !== null && !holds;
}
