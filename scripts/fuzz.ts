import { fuzz } from '@coinlab/testing';
import { optionsOf } from './options.ts';

const USAGE = `Sends malformed and unusual commands to the ledger, and checks every law and the auditor after each.
  npm run fuzz                                      100,000 commands with a fresh seed, at most an hour
  npm run fuzz -- --commands 1000000 --seed 7 --seconds 600
`;

const options = optionsOf(USAGE, { commands: 100_000, seed: 'fresh', seconds: 3_600 });
const { commands, seconds } = options;
const seed = options.seed === 'fresh' ? Date.now() % 0x7fff_ffff : Number(options.seed);
const began = performance.now();
const elapsed = (): number => (performance.now() - began) / 1000;
let told = 0;

console.log(`seed ${seed}: ${commands.toLocaleString('en')} commands, at most ${seconds} s`);
const report = fuzz({
  commands,
  seed,
  isOver: (soFar) => {
    if (soFar.commands - told >= 50_000) {
      told = soFar.commands;
      console.log(`  ${line(soFar.commands)}`);
    }
    return elapsed() >= seconds;
  },
});
const { worlds, accepted, refused, malformed, faults } = report;
console.log(line(report.commands));
const shown = (count: number): string => count.toLocaleString('en');
console.log(
  `${shown(worlds)} ledgers; ${shown(accepted)} accepted, ${shown(refused)} refused, ${shown(malformed)} could not be read`,
);
for (const fault of faults) console.error(`✗ ${fault}`);
console.log(
  faults.length === 0 ? 'no crash, no broken law, the auditor agrees' : `again: npm run fuzz -- --seed ${seed}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function line(count: number): string {
  return `${count.toLocaleString('en')} commands in ${elapsed().toFixed(1)} s, ${Math.round(count / elapsed()).toLocaleString('en')} a second`;
}
