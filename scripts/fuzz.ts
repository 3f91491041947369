/*
 * Sends malformed and unusual commands to the ledger, and checks every law and the auditor after each:
 *
 *   npm run fuzz -- --commands 1000000 --seed 7 --seconds 600
 */
import { parseArgs } from 'node:util';
import { fuzz } from '@coinlab/testing';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '100000' },
    seed: { type: 'string', default: 'fresh' },
    seconds: { type: 'string', default: '3600' },
  },
});
const seed = values.seed === 'fresh' ? Date.now() % 0x7fff_ffff : Number(values.seed);
const commands = Number(values.commands);
const seconds = Number(values.seconds);
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
