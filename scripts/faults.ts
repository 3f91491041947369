import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import prettier from 'prettier';
import { FAULTS } from '../test/faults/catalogue.ts';
import type { CheckName } from '../test/faults/fault.ts';
import { faultsPage } from '../test/faults/page.ts';
import { LAB_FAULTS } from '../test/faults/lab/catalogue.ts';
import { huntLabFaults } from '../test/faults/lab/run.ts';
import { hunt, isCaught, tryOut, type Outcome } from '../test/faults/try-out.ts';
import { ODDITIES } from '../test/testing/ledgers/oddities.ts';
import { bugName } from '../test/testing/ledgers/specimen.ts';
import { SPECIMENS } from '../test/testing/ledgers/specimens.ts';
import { accusationOf, isFound, tryLedger, type LedgerTrial } from '../test/testing/ledgers/trial.ts';
import { optionsOf } from './options.ts';

const USAGE = `Plants each fault of test/faults in a copy of the core and runs the test kit on it, then each bug of test/testing/ledgers.
The unchanged source comes last and must pass. Exits with 1 when a fault is not found or needs too many commands.
  npm run faults                                        every fault
  npm run faults -- --only cap --seed 7,8               names that contain a text, once for each seed
  npm run faults -- --only cap --tell                   and the failure that found it
  npm run faults -- --write                             writes docs/reference/faults.md
  npm run faults -- --catalogue lab --only sobol        faults of packages/sim and packages/lab, found by fast tests
`;

const values = optionsOf(USAGE, { only: '', seed: '20261121', write: false, catalogue: 'ledger', tell: false });
if (values.catalogue === 'lab') {
  const faults = LAB_FAULTS.filter(({ name }) => name.includes(values.only));
  if (faults.length === 0) refuse(LAB_FAULTS.map(({ name }) => name));
  process.exit(huntLabFaults(faults, console.log) ? 0 : 1);
}
const seeds = values.seed.split(',').map(Number);
const LEDGER_SEEDS = [1, 2, 3];
const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
const others = [...SPECIMENS.map(({ folder }) => folder), ...ODDITIES.map(({ what }) => what)];
if (chosen.length === 0 && !others.some((name) => name.includes(values.only)))
  refuse([...FAULTS.map(({ name }) => name), ...others]);
const checks = [...new Set(chosen.map(({ check = 'ledger' }) => check))];
let faulty = false;

const outcomes: Outcome[] = [];
const trials: LedgerTrial[] = [];
for (const fault of chosen) {
  const outcome = await tryOut(fault, seeds);
  outcomes.push(outcome);
  const { catches, seconds } = outcome;
  const hows = catches.map(({ found, runs }) =>
    found ? `${found.by}, commands: ${found.commands}, runs: ${runs}` : `NOT FOUND in ${runs} runs`,
  );
  console.log(`${isCaught(outcome) ? '✓' : '✗'} ${fault.name.padEnd(26)} ${hows.join('; ')}; ${seconds.toFixed(1)} s`);
  if (values.write && values.only === '') await writePage();
  for (const { found } of catches)
    if (found && (values.tell || !isCaught(outcome)))
      console.log(`${found.story}\n  coinlab replay-token ${found.token}`);
}
const caught = outcomes.filter(isCaught).length;
if (outcomes.length > 0)
  console.log(
    `${caught} of ${outcomes.length} faults found, from every seed and in at most eight commands; seeds ${seeds.join(', ')}`,
  );
for (const check of checks) await soundCore(check);
for (const specimen of SPECIMENS.filter(({ folder }) => folder.includes(values.only))) {
  trials.push(tellLedger(await tryLedger(specimen, LEDGER_SEEDS)));
  if (values.write && values.only === '') await writePage();
}
for (const oddity of ODDITIES.filter(({ what }) => what.includes(values.only))) {
  const accusation = await accusationOf(oddity, LEDGER_SEEDS.slice(0, 1));
  console.log(
    `${accusation === null ? '✓' : '✗'} ${oddity.specimen.folder} with ${oddity.what}: ${accusation ?? 'passes'}`,
  );
  faulty ||= accusation !== null;
}
process.exitCode = faulty || caught < outcomes.length ? 1 : 0;

function refuse(names: readonly string[]): never {
  console.error(`--only: got "${values.only}", expected a part of one of these names:\n  ${names.join('\n  ')}`);
  process.exit(2);
}

/** Writes the results so far. Called after every fault, so that an interrupted run leaves its results. */
async function writePage(): Promise<void> {
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const page = faultsPage(outcomes, {
    seeds,
    machine,
    date,
    of: FAULTS.length,
    ledgers: { trials, seeds: LEDGER_SEEDS },
  });
  const file = 'docs/reference/faults.md';
  const settings = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(page, { ...settings, filepath: file }));
}

function tellLedger(trial: LedgerTrial): LedgerTrial {
  const { specimen, accusation, bugs, seconds } = trial;
  console.log(
    `${accusation === null ? '✓' : '✗'} ${specimen.folder}: ${accusation ?? 'passes'}; ${seconds.toFixed(1)} s`,
  );
  for (const one of bugs) {
    const runs = one.runs.map((count) => count ?? 'NOT FOUND').join(', ');
    const faults = [...(one.isNamed ? [] : ['another law']), ...(one.isReplayed ? [] : ['another replay'])];
    console.log(
      `${isFound(one) ? '✓' : '✗'}   ${bugName(one.bug).padEnd(50)} runs: ${runs}; commands: ${one.commands} ${faults.join(', ')}`,
    );
  }
  faulty ||= accusation !== null || !bugs.every(isFound);
  return trial;
}

async function soundCore(check: CheckName): Promise<void> {
  for (const { found, runs } of await hunt(null, check, seeds)) {
    console.log(
      `${found ? '✗' : '✓'} the core as it is (${check}): ${found ? found.story : `nothing in ${runs} runs`}`,
    );
    faulty ||= found !== null;
  }
}
