import { scenarioFileOf, scenarioOf, type Scenario, type ScenarioFiles, type ScenarioInput } from '@coinlab/sim';
import { networkText, partiesIn, type PaymentRow } from './payment-rows.js';

type Wallet = Scenario['groups'][number]['wallet'];

/** Rules and wallet behaviour under which a search or minimisation makes payments. */
export interface SearchSetup {
  readonly network: Scenario['network'];
  readonly wallet: Pick<Wallet, 'select' | 'merge' | 'faults'>;
  readonly seed: number;
  /** File of the user's own policies, as in the scenario; null without one. */
  readonly policies: string | null;
}

/** A generated scenario: its file content, its completed form, and the files it names. */
export interface MadeScenario {
  readonly input: ScenarioInput;
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
}

/**
 * Returns the rules of a scenario and the wallet of the named group; for the name null, of the first group that pays.
 * Throws a RangeError for an unknown group and for one that merges by delegation.
 */
export function setupOf({ network, groups, seed, policies }: Scenario, name: string | null): SearchSetup {
  const group =
    name === null ? (groups.find(({ payments }) => payments) ?? groups[0]) : groups.find((one) => one.name === name);
  if (!group)
    throw new RangeError(
      `there is no group named ${name}; expected one of ${groups.map((one) => one.name).join(', ')}`,
    );
  const { select, merge, faults } = group.wallet;
  if (merge.delegated) throw new RangeError(`${group.name}: merges by delegation, which needs more than one wallet`);
  return { network, wallet: { select, merge, faults }, seed, policies };
}

export const PAYMENTS_FILE = 'payments.csv';

/** Builds a scenario from payments between equal parties, who hold only minted coin. */
export function scenarioOfRows(
  setup: SearchSetup,
  rows: readonly PaymentRow[],
  thresholds: Readonly<Record<string, string>>,
): MadeScenario {
  const rounds = 1 + Math.max(0, ...rows.map(({ round }) => round));
  return made(setup, networkText(rows), rounds, thresholds, [
    {
      name: 'parties',
      count: Math.max(1, partiesIn(rows).length),
      opening: NOTHING,
      payments: { arrivals: { trace: { file: PAYMENTS_FILE } } },
      wallet: setup.wallet,
    },
  ]);
}

const ROWS_PER_ROUND = 10;

/** Builds a scenario from a payment stream of one wallet, which pays a passive payee. */
export function scenarioOfStream(setup: SearchSetup, text: string, rows: number, unit: string): MadeScenario {
  const trace = { file: PAYMENTS_FILE, unit, rowsPerRound: ROWS_PER_ROUND };
  return made(setup, text, Math.ceil(rows / ROWS_PER_ROUND), {}, [
    {
      name: 'wallet',
      count: 1,
      opening: NOTHING,
      payments: { arrivals: { trace }, to: { groups: ['payee'], choice: { uniform: true } }, whenShort: 'wait' },
      wallet: setup.wallet,
    },
    { name: 'payee', count: 1, opening: NOTHING, payments: null, wallet: { merge: { threshold: 10 } } },
  ]);
}

const NOTHING = { coins: 0, amount: { constant: '1' } };

function made(
  { network, seed, policies }: SearchSetup,
  text: string,
  rounds: number,
  thresholds: Readonly<Record<string, string>>,
  parties: ScenarioInput['parties'],
): MadeScenario {
  const input: ScenarioInput = {
    name: 'found',
    seed,
    network: networkInput(network),
    duration: { rounds },
    parties,
    thresholds: { ...thresholds },
    ...(policies !== null && { policies }),
  };
  const scenario = scenarioOf(input);
  if (!scenario.ok)
    throw new RangeError(scenario.error.map(({ path, reason }) => `${path.join('.')}: ${reason}`).join('\n'));
  return {
    input,
    scenario: scenario.value,
    files: new Map([[PAYMENTS_FILE, scenarioFileOf(PAYMENTS_FILE, new TextEncoder().encode(text))]]),
  };
}

function networkInput({
  profile,
  maxInputs,
  prices,
  expiresDust,
  fees,
  changes,
}: Scenario['network']): ScenarioInput['network'] {
  // A log without a cap allows more inputs than a scenario file may.
  return {
    profile,
    maxInputs: Math.min(maxInputs, 10_000),
    ...prices,
    rewards: false,
    expiresDust,
    fees,
    changes: [...changes],
  };
}
