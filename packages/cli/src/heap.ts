import { statSync } from 'node:fs';
import os from 'node:os';
import v8 from 'node:v8';
import type { Scenario } from '@coinlab/sim';
import type { Terminal } from './terminal.js';

/** With ten UTXOs. Source: benchmark M7. */
const BYTES_PER_PARTY = 1_000;
/** Above this share of its limit, a heap is mostly collected. */
const MOST_USED = 0.9;
/** From here on a larger young generation saves time: each of its collections visits every page of the heap. Source: benchmark M4. */
const MANY_PARTIES = 200_000;
const GIBI = 2 ** 30;

/**
 * Returns the flags of Node for the heap of a scenario. None for few parties, if the user has set limits, or if the scenario cannot be read a
 * second time.
 */
export function heapFlags(file: string, scenario: Scenario): readonly string[] {
  const isGiven = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((flags) => /-space-size/.test(flags));
  if (isGiven || partiesOf(scenario) < MANY_PARTIES || !statSync(file).isFile()) return [];
  return flagsFor(neededBy(scenario));
}

/** Warns before a run that probably ends for lack of memory: Node's own message comes late and advises nothing. */
export function noteHeap(scenario: Scenario, terminal: Terminal): void {
  const needed = neededBy(scenario);
  const parties = `coinlab: ${partiesOf(scenario).toLocaleString('en')} parties need about ${gibibytes(needed)} of heap`;
  if (needed > os.totalmem()) terminal.err(`${parties}, this machine has ${gibibytes(os.totalmem())} of memory\n`);
  if (!exceedsLimit(needed)) return;
  const advised = flagsFor(needed).join(' ');
  terminal.err(`${parties}, Node allows ${gibibytes(limit())}; set NODE_OPTIONS="${advised}"\n`);
}

function flagsFor(needed: number): readonly string[] {
  const advised = Math.ceil((1.4 * needed) / GIBI) * 1024;
  return [...(exceedsLimit(needed) ? [`--max-old-space-size=${advised}`] : []), '--max-semi-space-size=128'];
}

function exceedsLimit(needed: number): boolean {
  return needed > MOST_USED * limit();
}

function limit(): number {
  return v8.getHeapStatistics().heap_size_limit;
}

function partiesOf({ groups }: Scenario): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

function neededBy(scenario: Scenario): number {
  return BYTES_PER_PARTY * partiesOf(scenario);
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIBI).toFixed(1)} GiB`;
}
