import { brokenLaws, Engine, LAWS, updateOf, type Law, type Update } from '@coinlab/core';
import {
  runScenario,
  World,
  type OwnPolicies,
  type RunOptions,
  type Scenario,
  type ThresholdResult,
} from '@coinlab/sim';
import { scenarioOfRows, type MadeScenario, type Playground } from './playground.js';
import type { PaymentRow } from './payment-rows.js';

/** A law that an update breaks. */
export interface Breach {
  readonly law: string;
  readonly offset: number;
  readonly kind: Update['kind'];
}

/** Holds laws against a log, update by update. */
export class LawWatch {
  readonly #engine = new Engine();
  readonly #laws: readonly Law[];
  /** The first breach; null: none so far. */
  first: Breach | null = null;

  constructor(laws: readonly Law[] = LAWS) {
    this.#laws = laws;
  }

  /** Takes the next update. Throws when it does not follow from those before it. */
  take(update: Update): void {
    const before = this.#engine.snapshot();
    this.#engine.apply(update);
    const [law] = brokenLaws(this.#laws, { before, update, after: this.#engine.state });
    if (law) this.first ??= { law: law.name, offset: update.offset, kind: update.kind };
  }
}

/** The first breach of a law in a run of a scenario; null: it keeps them all. */
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

/** What a run is to break: a law of some, or a demand on a metric. */
export type Demand =
  | { readonly what: 'law'; readonly laws: readonly Law[] }
  | { readonly what: 'threshold'; readonly metric: string; readonly demand: string };

/** Rows as the scenario that shows what they break. */
export function scenarioToBreak(playground: Playground, rows: readonly PaymentRow[], demand: Demand): MadeScenario {
  return scenarioOfRows(playground, rows, demand.what === 'law' ? {} : { [demand.metric]: demand.demand });
}

/** Whether payments break it, when they are made once more. */
export function breaking(
  playground: Playground,
  policies: OwnPolicies,
  demand: Demand,
): (rows: readonly PaymentRow[]) => boolean {
  return (rows) => {
    if (rows.length === 0) return false;
    const { scenario, files } = scenarioToBreak(playground, rows, demand);
    if (demand.what === 'law') return breachIn(scenario, { files, policies }, demand.laws) !== null;
    const { thresholds } = runScenario(scenario, { files, policies, isLogged: false, isHashed: false });
    return thresholds.some(isMissed);
  };
}

/** A metric that is not there demands nothing. */
function isMissed({ found, holds }: ThresholdResult): boolean {
  return found !== null && !holds;
}
