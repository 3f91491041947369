import { err, ok, Round, type Result } from '@coinlab/core';
import { at } from '@coinlab/core/workflows';
import type { NetworkFile, NetworkRow } from '@coinlab/sim';
import type { NetworkLine } from '../network-lines.js';
import type { Openings } from './funding.js';
import type { PartyNames } from './party-names.js';
import type { PaymentList } from './payment-list.js';

/** Payments of other systems as a network that can be replayed. */
export interface ImportedTrace {
  readonly network: () => NetworkFile;
  /** The rows of the network file, made one by one. */
  readonly lines: () => Iterable<NetworkLine>;
  /** Parties of the network, in order of first use. */
  readonly parties: readonly string[];
  /** Names of the parties in the source, in the order of {@link parties}. */
  readonly names: readonly string[];
}

/** Largest gap between two rows of a network file, in rounds. */
const MOST_ROUNDS_AT_ONCE = 100_000;
const ROWS_PER_ROUND = 50;
const MINUTE = 60_000_000;

export function traceOfPayments(
  file: string,
  { parties, names }: PartyNames,
  payments: PaymentList,
  openings: Openings,
  round: (place: number) => number,
): ImportedTrace {
  const rows = (): Iterable<NetworkRow> => networkRows(payments, openings, round);
  return {
    network: () => ({ kind: 'network', file, rows: [...rows()], parties }),
    lines: () => namedRows(rows(), parties),
    parties,
    names,
  };
}

/**
 * Rounds count from 1.
 * @param minutes length of a round; null when the payments have no times
 */
export function roundsOf(payments: PaymentList, minutes: number | null): Result<(place: number) => number, string> {
  if (minutes === null) return ok((place) => Math.floor(place / ROWS_PER_ROUND) + 1);
  const first = payments.at(0).time;
  const round = (place: number): number => Math.floor((payments.at(place).time - first) / (minutes * MINUTE)) + 1;
  for (let place = 1; place < payments.length; place++)
    if (round(place) - round(place - 1) > MOST_ROUNDS_AT_ONCE) {
      const [before, after] = [payments.at(place - 1), payments.at(place)];
      return err(
        `the times of lines ${before.line} and ${after.line} are ${round(place) - round(place - 1)} rounds apart, expected at most ${MOST_ROUNDS_AT_ONCE}; check them, or choose longer rounds`,
      );
    }
  return ok(round);
}

function* networkRows(
  payments: PaymentList,
  openings: Openings,
  round: (place: number) => number,
): Generator<NetworkRow, void, undefined> {
  for (const [to, coins] of openings.entries())
    for (const amount of coins) yield { round: Round.of(1), from: null, to, amount };
  for (let place = 0; place < payments.length; place++) {
    const { from, to, amount } = payments.at(place);
    yield { round: Round.of(round(place)), from, to, amount };
  }
}

function* namedRows(rows: Iterable<NetworkRow>, parties: readonly string[]): Generator<NetworkLine, void, undefined> {
  for (const { round, from, to, amount } of rows)
    yield { round, from: from === null ? null : at(parties, from), to: at(parties, to), amount };
}
