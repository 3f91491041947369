import type { Stream } from '../chance/stream.js';
import type { Streams } from '../chance/streams.js';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';
import type { Arrivals, Payments } from '../scenario/group.js';
import type { PaymentSource } from './payments.js';
import type { Members, Population } from './population.js';
import { receiversOf } from './receivers.js';
import { operated } from '../streams/operators.js';
import { traceOf, type Trace, type TraceRow } from '../streams/trace.js';

/**
 * Parties of a network file are the group's first parties, in file order. A stream applies to every party; a bootstrapped stream
 * is resampled for each. Coin from outside is minted; payments to the outside go to the group's counterparties.
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
  const draws = (copy: number): Stream => streams.named(`${group.name}-${copy}/bootstrap`);
  const receivers = receiversOf(payments, { sender: group.name, population, streams });
  const isDrawn = operators.some(({ bootstrap }) => bootstrap !== undefined);
  const copies = input.kind === 'network' ? 1 : count;
  const once = isDrawn ? null : byRound(operated(recorded, operators, draws(0)));
  const traces = Array.from(
    { length: copies },
    (_, copy) => once ?? byRound(operated(recorded, operators, draws(copy))),
  );
  return {
    addTo(list, round) {
      traces.forEach((rounds, copy) => {
        const { rows, before } = rounds.get(round) ?? NO_ROWS;
        rows.forEach(({ from, to, amount }, i) => {
          const at = i / rows.length;
          const first = start + copy;
          if (from !== null)
            list.add(at, first + from, to === null ? outside(copy + from, before + i) : first + to, amount);
          else if (to !== null) list.add(at, null, first + to, amount);
        });
      });
    },
    save: () => null,
    restore: () => undefined,
  };

  function outside(member: number, row: number): number {
    receivers.moveTo(member, row);
    return receivers.next(start + member);
  }
}

interface RoundRows {
  readonly rows: TraceRow[];
  readonly before: number;
}

const NO_ROWS: RoundRows = { rows: [], before: 0 };

function byRound(trace: Trace): ReadonlyMap<number, RoundRows> {
  const rounds = new Map<number, RoundRows>();
  trace.forEach((row, i) => {
    const known = rounds.get(row.round);
    if (known) known.rows.push(row);
    else rounds.set(row.round, { rows: [row], before: i });
  });
  return rounds;
}
