/*
 * Plants each fault of test/faults in a copy of the core and runs the test kit on it:
 *
 *   npm run faults -- --only cap --seed 7,8 --write
 *
 * `--only` selects names that contain a text. Each fault is tried once per seed; the unchanged core comes last and must
 * pass. `--write` generates docs/reference/faults.md. Exits with 1 when a fault is not found or needs too many commands.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { FAULTS } from '../test/faults/catalogue.ts';
import type { CheckName } from '../test/faults/fault.ts';
import { faultsPage } from '../test/faults/page.ts';
import { hunt, isCaught, tryOut, type Outcome } from '../test/faults/try-out.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '20261121' },
    write: { type: 'boolean', default: false },
    tell: { type: 'boolean', default: false },
  },
});
const seeds = values.seed.split(',').map(Number);
const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
const checks = [...new Set(chosen.map(({ check = 'ledger' }) => check))];
let faulty = false;

const outcomes: Outcome[] = [];
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
console.log(
  `${caught} of ${outcomes.length} faults found, from every seed and in at most eight commands; seeds ${seeds.join(', ')}`,
);
for (const check of checks) await soundCore(check);
process.exitCode = faulty || caught < outcomes.length ? 1 : 0;

/** Runs after every fault, so that an interrupted run leaves its results. */
async function writePage(): Promise<void> {
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const page = faultsPage(outcomes, { seeds, machine, date: new Date().toISOString().slice(0, 10), of: FAULTS.length });
  const file = 'docs/reference/faults.md';
  const settings = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(page, { ...settings, filepath: file }));
}

/** Checks that the unchanged core passes. */
async function soundCore(check: CheckName): Promise<void> {
  for (const { found, runs } of await hunt(null, check, seeds)) {
    console.log(
      `${found ? '✗' : '✓'} the core as it is (${check}): ${found ? found.story : `nothing in ${runs} runs`}`,
    );
    faulty ||= found !== null;
  }
}
