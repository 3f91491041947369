import { scenarioFileOf, scenarioOf, type Scenario, type ScenarioFiles, type ScenarioInput } from '@coinlab/sim';
import { networkText, partiesIn, type PaymentRow } from './payment-rows.js';

type Wallet = Scenario['groups'][number]['wallet'];

/** Under which rules, and by which wallets, a few payments are made. */
export interface Playground {
  readonly network: Scenario['network'];
  readonly wallet: Pick<Wallet, 'select' | 'merge' | 'faults'>;
  readonly seed: number;
  /** File of the user's own policies, as the scenario names it; null: none. */
  readonly policies: string | null;
}

/** A scenario that is made: as it is written, as it is played, and the files that it names. */
export interface MadeScenario {
  readonly input: ScenarioInput;
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
}

/** The rules of a scenario with the wallets of one of its groups; null: of the first that pays. Throws a RangeError for none or unfit ones. */
export function playgroundOf({ network, groups, seed, policies }: Scenario, name: string | null): Playground {
  const group =
    name === null ? (groups.find(({ payments }) => payments) ?? groups[0]) : groups.find((one) => one.name === name);
  if (!group) throw new RangeError(`no group is called ${name}; known are ${groups.map((one) => one.name).join(', ')}`);
  const { select, merge, faults } = group.wallet;
  if (merge.delegated) throw new RangeError(`${group.name}: merges by delegation, which needs more than one wallet`);
  return { network, wallet: { select, merge, faults }, seed, policies };
}

/** The name of the file with the payments. */
export const PAYMENTS_FILE = 'payments.csv';

/** Payments between parties that are alike, as a scenario: nobody has coin but what is minted. */
export function scenarioOfRows(
  playground: Playground,
  rows: readonly PaymentRow[],
  thresholds: Readonly<Record<string, string>>,
): MadeScenario {
  const rounds = 1 + Math.max(0, ...rows.map(({ round }) => round));
  return made(playground, networkText(rows), rounds, thresholds, [
    {
      name: 'parties',
      count: Math.max(1, partiesIn(rows).length),
      opening: NOTHING,
      payments: { arrivals: { trace: { file: PAYMENTS_FILE } } },
      wallet: playground.wallet,
    },
  ]);
}

/** Rows of a stream that happen in one round. */
const ROWS_PER_ROUND = 10;

/** A payment stream of one wallet, as a scenario: it pays somebody who keeps what it gets. */
export function scenarioOfStream(playground: Playground, text: string, rows: number, unit: string): MadeScenario {
  const trace = { file: PAYMENTS_FILE, unit, rowsPerRound: ROWS_PER_ROUND };
  return made(playground, text, Math.ceil(rows / ROWS_PER_ROUND), {}, [
    {
      name: 'wallet',
      count: 1,
      opening: NOTHING,
      payments: { arrivals: { trace }, to: { groups: ['payee'], choice: { uniform: true } }, whenShort: 'wait' },
      wallet: playground.wallet,
    },
    { name: 'payee', count: 1, opening: NOTHING, payments: null, wallet: { merge: { threshold: 10 } } },
  ]);
}

const NOTHING = { coins: 0, amount: { constant: '1' } };

function made(
  { network, seed, policies }: Playground,
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

/** Rules and prices as a scenario writes them. */
function networkInput({
  profile,
  maxInputs,
  prices,
  expiresDust,
  fees,
  changes,
}: Scenario['network']): ScenarioInput['network'] {
  // What a log allows without a cap is more than a scenario writes.
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
