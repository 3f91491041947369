import { PartyId } from '@coinlab/core';
import { registryOf } from '../metrics/party-figures.js';
import { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import { scenarioFileOf } from '../scenario/files.js';
import { parseScenario } from '../scenario/read.js';
import { World } from '../world/world.js';
import { exactly, type Check, type Subject, type Tick } from './check.js';
import type { ValidationData } from './data.js';

const PAYMENTS_FILE = 'moneypot.csv';

const SCENARIO = `
name: real-payments
duration: { rounds: 725 }
network: { maxInputs: 10000, rewards: false, expiresDust: false }
parties:
  - name: wallet
    count: 1
    opening: { coins: 0, amount: { constant: "1" } }
    wallet: { select: oldest-first, merge: { never: true } }
    payments: { arrivals: { trace: { file: ${PAYMENTS_FILE} } }, to: { groups: [payee] }, whenShort: wait }
  - { name: payee, count: 1, payments: null, wallet: { merge: { never: true } } }
`;

export const SCENARIO_WORK: number = 36_248;

/** Scenario runs must agree with replays. */
export function* scenarioChecks({ realPayments }: ValidationData, tick: Tick): Generator<Check> {
  const of: Subject = {
    part: 'conventions',
    subject: 'real payments, oldest-first, no cap, as a scenario of 725 rounds',
  };
  const scenario = parseScenario(SCENARIO, 'real-payments.yaml');
  if (!scenario.ok) throw new Error(scenario.error[0]?.reason);
  const files = new Map([[PAYMENTS_FILE, scenarioFileOf(PAYMENTS_FILE, new TextEncoder().encode(realPayments))]]);
  const metrics = new ScenarioMetrics(registryOf([PartyId.of('wallet-0')], []), scenario.value);
  const world = new World(scenario.value, {
    files,
    onEntry: (entry) => metrics.fold(entry),
    onRow: () => metrics.endRow(),
  });
  while (!world.isOver) {
    world.playRound();
    tick(50);
  }
  const { all } = metrics;
  yield exactly(of, 'meanUtxos', 184.133966, all.meanUtxos.toFixed(6));
  yield exactly(of, 'maxUtxos', 473, all.most);
  yield exactly(of, 'finalUtxos', 283, all.now.sum);
  yield exactly(of, 'changeCreated', 11_819, all.changes);
  yield exactly(of, 'inputsSpent', 35_924, all.inputs.sum);
  yield exactly(of, 'refused', 0, world.counts.refused.size);
}
