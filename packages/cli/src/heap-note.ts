import v8 from 'node:v8';
import type { Scenario } from '@coinlab/sim';
import type { Terminal } from './terminal.js';

/** With ten UTXOs. Source: benchmark M7. */
const BYTES_PER_PARTY = 1_000;
/** Above this share of its limit, a heap is mostly collected. */
const MOST_USED = 0.9;
const GIBI = 2 ** 30;

/** Warns before a run that probably ends for lack of memory: Node's own message comes late and advises nothing. */
export function noteHeap({ groups }: Scenario, terminal: Terminal): void {
  const parties = groups.reduce((sum, { count }) => sum + count, 0);
  const needed = parties * BYTES_PER_PARTY;
  const { heap_size_limit: limit } = v8.getHeapStatistics();
  if (needed <= MOST_USED * limit) return;
  const advised = Math.ceil((1.4 * needed) / GIBI) * 1024;
  terminal.err(
    `coinlab: ${parties.toLocaleString('en')} parties need about ${gibibytes(needed)} of heap, Node allows ${gibibytes(limit)}; ` +
      `set NODE_OPTIONS="--max-old-space-size=${advised} --max-semi-space-size=128"\n`,
  );
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIBI).toFixed(1)} GiB`;
}
