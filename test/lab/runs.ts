import { runScenario, type RunResult } from '@coinlab/sim';
import { scenarioOf } from '../sim/lab/lab-fixture.ts';

/** A small network, as a user would write it. */
export const SCENARIO = `name: small
seed: 5
duration: { rounds: 60 }
metrics: { every: 6, perParty: true }
thresholds: { utxosPerParty.p95: "<= 10", merges: ">= 1000" }
parties:
  - { name: payers, count: 20, payments: { arrivals: { poisson: { perDay: 30 } } } }
  - { name: shops, temperament: merchant, count: 3 }
`;

export function runs(text: string = SCENARIO): readonly RunResult[] {
  return [0, 1].map((replicate) => runScenario(scenarioOf(text), { replicate }));
}

/** The same network with payers that never merge. */
export const NEVER = SCENARIO.replace('name: small', 'name: never').replace(
  'count: 20,',
  'count: 20, wallet: { merge: { never: true } },',
);
