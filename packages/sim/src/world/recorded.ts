import type { Streams } from '../chance/streams.js';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';
import type { Arrivals, Payments } from '../scenario/group.js';
import { counterparties, type PaymentSource } from './payments.js';
import type { Members, Population } from './population.js';
import type { RoundPayments } from './round-payments.js';
import { operated } from '../streams/operators.js';
import { traceOf, type Trace, type TraceRow } from '../streams/trace.js';

/**
 * Returns the recorded payments of a group. Parties of a network file are the group's first parties, in file order. A stream
 * applies to every party; a bootstrapped stream is resampled for each. Coin from outside is minted; payments to the outside go to
 * the group's counterparties.
 */
export function recordedPayments(
  input: PaymentStream | NetworkFile,
  { operators, rowsPerRound }: NonNullable<Arrivals['trace']>,
  payments: Payments,
  { group, start, count }: Members,
  population: Population,
  streams: Streams,
): PaymentSource {
  const recorded = traceOf(input, rowsPerRound);
  const draws = streams.named(`${group.name}/bootstrap`);
  const receiver = counterparties(payments, population, streams.named(`${group.name}/counterparties`));
  const isDrawn = operators.some(({ bootstrap }) => bootstrap !== undefined);
  const copies = input.kind === 'network' ? 1 : count;
  const once = isDrawn ? null : byRound(operated(recorded, operators, draws));
  const traces = Array.from({ length: copies }, () => once ?? byRound(operated(recorded, operators, draws)));
  return {
    addTo(list, round) {
      traces.forEach((rounds, copy) => {
        const rows = rounds.get(round) ?? [];
        rows.forEach((row, i) => add(list, row, i / rows.length, start + copy));
      });
    },
  };

  function add(list: RoundPayments, { from, to, amount }: TraceRow, at: number, first: number): void {
    if (from !== null) list.add(at, first + from, to === null ? receiver(first + from) : first + to, amount);
    else if (to !== null) list.add(at, null, first + to, amount);
  }
}

function byRound(trace: Trace): ReadonlyMap<number, readonly TraceRow[]> {
  const rounds = new Map<number, TraceRow[]>();
  for (const row of trace) {
    const rows = rounds.get(row.round);
    if (rows) rows.push(row);
    else rounds.set(row.round, [row]);
  }
  return rounds;
}
