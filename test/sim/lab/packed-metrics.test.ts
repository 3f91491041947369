import { updateOf, type Entry } from '@coinlab/core';
import { Population, runScenario, ScenarioMetrics, World, type RunResult, type Scenario } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from './lab-fixture.ts';

/* Metrics read packed transfers directly. They must equal the metrics of the log's updates. */

const NETWORKS: Readonly<Record<string, string>> = {
  'payments, merges, dust, rewards and offers': `
name: town
duration: { days: 1 }
warmup: 30
network: { preset: 2026-04 }
parties:
  - { name: payers, count: 40, payments: { arrivals: { poisson: { perDay: 30 } }, amount: { round: { median: "5", sigma: 1.2, digits: 2 } } } }
  - { name: shops, temperament: merchant, count: 5 }
  - { name: offered, count: 5, receives: { offers: { accepts: 0.7 } } }
  - { name: dusty, temperament: faucet-user, count: 5, income: { every: 12, amount: { constant: "0.00001", step: "0.00001" } } }
  - { name: nodes, temperament: validator, count: 2 }
  - { name: apps, temperament: app-provider, count: 1 }
metrics: { every: 12 }`,
  'fees by size': `
name: sized
duration: { rounds: 60 }
network: { fees: { perByte: { price: "0.00001" } } }
parties:
  - { name: payers, count: 20, payments: { arrivals: { poisson: { perDay: 30 } } } }
metrics: { every: 5 }`,
  'wallets that are swept, topped up and collect': `
name: helped
duration: { rounds: 72 }
parties:
  - { name: payers, count: 20, payments: { arrivals: { poisson: { perDay: 30 } } }, wallet: { sweep: { above: "500", keep: "100", to: treasury } } }
  - { name: treasury, count: 1, automation: { topUp: { bytesPerSecond: 100 } } }
metrics: { every: 5 }`,
  'coins whose sum a double cannot hold': `
name: rich
duration: { rounds: 10 }
parties:
  - { name: payers, count: 15, opening: { coins: 3, amount: { constant: "900719.9254740991" } }, payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: "1.0000000001" } } }
  - { name: paid, count: 2, income: { every: 3, amount: { constant: "300000.0000000007" } } }
metrics: { every: 1 }`,
  'more than a thousand parties': `
name: many
duration: { rounds: 3 }
parties:
  - { name: payers, count: 1100, opening: { coins: 1, amount: { constant: "9" } }, payments: { arrivals: { every: { rounds: 2 } }, amount: { constant: "1" } } }
metrics: { every: 1 }`,
};

function resultOf({ summary, series, histograms, utxos, refused, thresholds, stateHash }: RunResult): unknown {
  const counts = [...histograms].map(([name, histogram]) => [name, histogram.counts]);
  return { summary: [...summary], series: series.rows, counts, utxos: [...utxos], refused, thresholds, stateHash };
}

function figuresOf(metrics: ScenarioMetrics, { network: { prices } }: Scenario): unknown {
  const counts = [...metrics.histograms()].map(([name, histogram]) => [name, histogram.counts]);
  return { summary: [...metrics.summary(prices)], series: metrics.series.rows, counts, utxos: [...metrics.counts] };
}

describe.each(Object.entries(NETWORKS))('the metrics of a network of %s', (_, text) => {
  it('are equal when computed from the updates of its log and from the entries of its run', () => {
    const scenario = scenarioOf(text);
    const population = new Population(scenario.groups);
    const [ofEntries, ofUpdates] = [0, 1].map(() => new ScenarioMetrics(population, scenario)) as [
      ScenarioMetrics,
      ScenarioMetrics,
    ];
    const onEntry = (entry: Entry): void => {
      ofEntries.fold(entry);
      ofUpdates.fold(updateOf(entry));
    };
    const world = new World(scenario, { population, onEntry });
    while (!world.isOver) {
      world.playRound();
      for (const metrics of [ofEntries, ofUpdates]) metrics.sample(world.round);
    }
    expect(Number(ofEntries.summary(scenario.network.prices).get('transfers'))).toBeGreaterThan(100);
    expect(figuresOf(ofEntries, scenario)).toEqual(figuresOf(ofUpdates, scenario));
  });

  it('are equal when they are saved after the first round and restored', () => {
    const scenario = scenarioOf(text);
    const population = new Population(scenario.groups);
    const straight = new ScenarioMetrics(population, scenario);
    let resumed = new ScenarioMetrics(population, scenario);
    const onEntry = (entry: Entry): void => {
      straight.fold(entry);
      resumed.fold(entry);
    };
    const world = new World(scenario, { population, onEntry });
    while (!world.isOver) {
      world.playRound();
      if (world.round === 1) {
        const saved = resumed.save();
        resumed = new ScenarioMetrics(population, scenario);
        resumed.restore(saved, world.state);
      }
    }
    expect(figuresOf(resumed, scenario)).toEqual(figuresOf(straight, scenario));
  });

  it('are equal when the run writes a log and when it writes none', () => {
    const scenario = scenarioOf(text);
    expect(resultOf(runScenario(scenario, { isLogged: false }))).toEqual(resultOf(runScenario(scenario)));
  });
});
