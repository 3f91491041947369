import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateOf, type Update } from '@coinlab/core';
import { World, type ScenarioInput } from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../chance.ts';
import { coinlab } from '../cli/coinlab.ts';
import { Book } from './networks/book.ts';
import { checkNetwork, LAWS, scenarioFrom, type Checked } from './networks/check.ts';
import { reportFailure } from './networks/report.ts';
import { scenarios } from './networks/scenarios.ts';
import { shrunk, writeScenario } from './networks/shrink.ts';

function checked(input: ScenarioInput): Checked {
  const scenario = scenarioFrom(input) ?? expect.unreachable('the scenario is refused');
  const result = checkNetwork(scenario);
  if (result.broken.length > 0) throw new Error(reportFailure(input, result));
  return result;
}

describe('random networks of one day', () => {
  const large = fc.sample(scenarios({ least: 1_000, most: 2_000 }), { numRuns: 5, seed });
  const applied = new Map<string, number>();

  it.each(large.map((input, i) => [i + 1, input.parties.reduce((sum, { count }) => sum + count, 0), input] as const))(
    'keep all laws: number %i, with %i parties',
    (_, __, input) => {
      for (const [law, times] of checked(input).checked) applied.set(law, (applied.get(law) ?? 0) + times);
    },
  );

  it('keep all laws with 5,000 parties', () => {
    const [input] = fc.sample(scenarios({ least: 5_000, most: 5_000 }), { numRuns: 1, seed: seed + 1 });
    checked(input ?? expect.unreachable());
  });

  it('apply every law at least once', () => {
    expect([...applied.keys()].toSorted()).toEqual(LAWS.toSorted());
  });
});

const SMALL: ScenarioInput = {
  name: 'small',
  duration: { rounds: 60 },
  network: { profile: 'legacy-fees', amuletPrice: '0.2', holdingFee: '0.02' },
  parties: [
    {
      name: 'payers',
      count: 30,
      opening: { coins: 6, amount: { uniform: { least: '1', most: '90' } } },
      payments: { arrivals: { poisson: { perDay: 20 } }, amount: { exponential: { mean: '5' } } },
    },
  ],
};

/** Folds the updates of a run, changed by `change`, and returns the violated laws. */
function violated(input: ScenarioInput, change: (update: Update) => Update | null): readonly string[] {
  const scenario = scenarioFrom(input) ?? expect.unreachable('the scenario is refused');
  const book = new Book(scenario);
  const world = new World(scenario, {
    onEntry: (entry) => {
      const update = change(updateOf(entry));
      if (update) book.fold(update);
    },
  });
  book.begin();
  while (!world.isOver) {
    world.playRound();
    book.endRound();
  }
  return [...book.broken.keys()];
}

/** Adds to the amount of the first coin that an update creates. */
function enlarged(update: Update, units: bigint): Update {
  const i = update.created.findIndex(({ template }) => template === 'Holding');
  const coin = update.created[i];
  if (coin?.template !== 'Holding') return update;
  // The sum stays an amount.
  const amount = (coin.amount + units) as typeof coin.amount;
  return { ...update, created: update.created.with(i, { ...coin, amount }) } as Update;
}

describe('the laws of random networks', () => {
  it('hold for the unchanged run', () => {
    expect(violated(SMALL, (update) => update)).toEqual([]);
  });

  it.each<readonly [string, (update: Update) => Update | null, string]>([
    [
      'a coin of one unit too much',
      (update) => enlarged(update, update.kind === 'TransferCompleted' ? 1n : 0n),
      'conservation',
    ],
    [
      'a fee of one unit too much',
      (update) => {
        if (update.kind !== 'TransferCompleted') return update;
        const burned = (update.detail.burned + 1n) as typeof update.detail.burned;
        return { ...enlarged(update, -1n), detail: { ...update.detail, burned } } as Update;
      },
      'fees to the unit',
    ],
    [
      'an expiry that does not happen',
      (update) => (update.kind === 'DustExpired' ? null : update),
      'dust expires in its round',
    ],
    [
      'an expiry of younger coins',
      (update) =>
        ({
          ...update,
          created: update.created.map((contract) =>
            contract.template === 'Holding' ? { ...contract, createdAt: contract.createdAt + 1 } : contract,
          ),
        }) as Update,
      'only dust expires',
    ],
  ])('are violated by %s', (_, change, law) => {
    expect(violated(SMALL, change)).toContain(law);
  });

  it('are violated by more inputs than the cap', () => {
    const scenario = scenarioFrom(SMALL) ?? expect.unreachable();
    const book = new Book({ ...scenario, network: { ...scenario.network, maxInputs: 2 } });
    new World(scenario, { onEntry: (entry) => book.fold(updateOf(entry)) }).playRound();
    const world = new World(scenario, { onEntry: (entry) => book.fold(updateOf(entry)) });
    for (let round = 0; round < 20; round++) world.playRound();
    expect([...book.broken.keys()]).toContain('input cap');
  });
});

describe('a failing scenario', () => {
  it('shrinks to a small scenario file that coinlab run accepts', async () => {
    const [input = expect.unreachable()] = fc.sample(scenarios({ least: 200, most: 300 }), { numRuns: 1, seed });
    const pays = (candidate: ScenarioInput): boolean => {
      const scenario = scenarioFrom(candidate) ?? expect.unreachable();
      const world = new World(scenario, { onEntry: () => undefined });
      while (!world.isOver) world.playRound();
      return world.counts.made > 3;
    };
    const small = shrunk(input, pays);
    expect(small.parties.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(40);
    expect(pays(small)).toBe(true);
    const file = join(mkdtempSync(join(tmpdir(), 'coinlab-network-')), 'failing.yaml');
    writeScenario(file, small, 'more than three payments');
    const { code, out } = await coinlab('run', file);
    expect(code).toBe(0);
    expect(Number(/^payments\.made +(\d+)/m.exec(out)?.[1])).toBeGreaterThan(3);
  });
});
