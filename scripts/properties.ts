import fc from 'fast-check';
import { checkNetwork, scenarioFrom } from '../test/properties/networks/check.ts';
import { reportFailure } from '../test/properties/networks/report.ts';
import { scenarios } from '../test/properties/networks/scenarios.ts';
import { optionsOf } from './options.ts';

const USAGE = `Plays random networks and checks their laws. A network that breaks a law is shrunk to a file in test/.failures that
coinlab run plays; then the exit code is 1.
  npm run properties                                networks of 1,000 to 2,000 parties: 100
  npm run properties -- --scenarios 2000            several hours
  npm run properties -- --scenarios 10 --parties 5000 --seed 7
`;

const options = optionsOf(USAGE, { scenarios: 100, parties: 0, seed: Date.now() % 0x7fff_ffff });
const { scenarios: count, seed } = options;
const parties =
  options.parties === 0 ? { least: 1_000, most: 2_000 } : { least: options.parties, most: options.parties };
const began = performance.now();
let failed = 0;
let updates = 0;
console.log(`seed ${seed}`);
for (let i = 0; i < count; i++) {
  // A seed of its own per scenario: any one can be repeated alone.
  const [input] = fc.sample(scenarios(parties), { numRuns: 1, seed: seed + i });
  const scenario = input && scenarioFrom(input);
  if (!input || !scenario) continue;
  const result = checkNetwork(scenario);
  updates += result.updates;
  if (result.broken.length > 0) {
    failed += 1;
    console.log(`✗ --seed ${seed + i} --scenarios 1: ${reportFailure(input, result)}`);
  }
  if ((i + 1) % 10 === 0 || i + 1 === count)
    console.log(
      `${i + 1} of ${count} networks, ${updates} updates, ${failed} failed, ${((performance.now() - began) / 1000).toFixed(0)} s`,
    );
}
process.exitCode = failed > 0 ? 1 : 0;
