// Two versions of bench/speed.ts make the same payments in turns. Prints the median of the ratios of the second to the first.
// Arguments: a way to pay, the number of coins, the number of turns of each version that count, and the two compiled versions.
import { pathToFileURL } from 'node:url';

const WARMING = 4;
const PAYMENTS = 50_000;

const [way, size, rounds, ...programs] = process.argv.slice(2);
const contestants = [];
for (const program of programs) {
  const { WAYS } = await import(pathToFileURL(program).href);
  contestants.push(WAYS.find((each) => each.way === way).open(Number(size)));
}
const ratios = [];
for (let round = 0; round < WARMING + Number(rounds); round++) {
  const times = [0, 0];
  for (const turn of Math.random() < 0.5 ? [0, 1] : [1, 0]) times[turn] = nanosecondsOf(contestants[turn]);
  if (round >= WARMING) ratios.push(times[1] / times[0]);
}
process.stdout.write(String(ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]));

function nanosecondsOf({ world, pay }) {
  const { sender, receiver, units } = world.payments(PAYMENTS);
  const start = process.hrtime.bigint();
  for (let i = 0; i < PAYMENTS; i++) pay(sender[i], receiver[i], units[i]);
  return Number(process.hrtime.bigint() - start);
}
