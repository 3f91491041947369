// Runs a part of the benchmark and prints the cost of each row as JSON.
// Arguments: the part, the number of coins, and the compiled benchmark.
import { pathToFileURL } from 'node:url';

const PAYMENTS = 50_000;
const WARMING = 4;
const ROUNDS = 15;
const TIMES = 3;

const [part, size, program] = process.argv.slice(2);
const benchmark = await import(pathToFileURL(program).href);
process.stdout.write(JSON.stringify(costs()));

function costs() {
  switch (part) {
    case 'steps':
      return medianTime(() => benchmark.stepFigures());
    case 'logs':
      return secondTime(() => benchmark.logFigures(Number(size)));
    case 'memory':
      return secondTime(() => benchmark.memoryFigures(Number(size)));
    case 'replay':
      return medianTime(() => benchmark.replayCosts(benchmark.STREAM_FILE));
    default:
      return { [`payments, ${part}, ${size} coins`]: microsecondsOfPayments(part) };
  }
}

/** The first time, the references would be measured in memory that is used for the first time, which is slower. */
function secondTime(figures) {
  figures();
  return ratios(figures());
}

/** Several times, because single steps and replays take milliseconds, in which other programs show. */
function medianTime(figures) {
  figures();
  const times = Array.from({ length: TIMES }, () => ratios(figures()));
  const medianOf = (row) => times.map((each) => each[row]).sort((a, b) => a - b)[Math.floor(TIMES / 2)];
  return Object.fromEntries(Object.keys(times[0]).map((row) => [row, medianOf(row)]));
}

/** Without the measured numbers in the names of rows. */
function ratios(figures) {
  return Object.fromEntries(
    figures.map(({ what, ratio }) => [what.replace(/ \(.*(?:ms|party).*\)|, mean \S+ UTXOs/, ''), ratio]),
  );
}

/** Processor time, which does not count other programs: the two versions run at different moments. */
function microsecondsOfPayments(way) {
  const { world, pay } = benchmark.WAYS.find((each) => each.way === way).open(Number(size));
  const times = [];
  for (let round = 0; round < WARMING + ROUNDS; round++) {
    const { sender, receiver, units } = world.payments(PAYMENTS);
    const before = process.cpuUsage();
    for (let i = 0; i < PAYMENTS; i++) pay(sender[i], receiver[i], units[i]);
    const { user, system } = process.cpuUsage(before);
    if (round >= WARMING) times.push((user + system) / PAYMENTS);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}
