/*
 * Plays random networks and checks their laws, for as long as you like:
 *
 *   npm run properties -- --scenarios 2000            random networks of 1,000 to 2,000 parties: several hours
 *   npm run properties -- --scenarios 10 --parties 5000 --seed 7
 *
 * A scenario that breaks a law is shrunk to a file in test/.failures that coinlab run plays. Exits with 1 if there was one.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { checkNetwork, scenarioFrom } from '../test/properties/networks/check.ts';
import { reportFailure } from '../test/properties/networks/report.ts';
import { scenarios } from '../test/properties/networks/scenarios.ts';

const { values } = parseArgs({
  options: {
    scenarios: { type: 'string', default: '100' },
    parties: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 0x7fff_ffff) },
  },
});
const count = Number(values.scenarios);
const seed = Number(values.seed);
const parties =
  values.parties === undefined
    ? { least: 1_000, most: 2_000 }
    : { least: Number(values.parties), most: Number(values.parties) };
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
