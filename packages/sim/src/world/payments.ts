import type { Amount } from '@coinlab/core';
import { drawnUnits } from '../chance/distributions.js';
import type { EventStream } from '../chance/event-stream.js';
import type { Streams } from '../chance/streams.js';
import type { Payments } from '../scenario/group.js';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Saved } from '../saved.js';
import { arrivalsOf } from './arrivals.js';
import type { Members, Population } from './population.js';
import { receiversOf } from './receivers.js';
import type { RoundPayments } from './round-payments.js';

export interface PaymentSource {
  addTo(payments: RoundPayments, round: number): void;
  save(): Saved;
  restore(saved: Saved): void;
}

/** Times, amounts and receivers of a member's k-th event have their own random numbers. */
export function drawnPayments(
  payments: Payments,
  { group: { name }, start, count }: Members,
  population: Population,
  streams: Streams,
  values: readonly Amount[],
): PaymentSource {
  const stream = (concern: string): EventStream => streams.ofEvents(`${name}/${concern}`);
  const arrivals = arrivalsOf(payments.arrivals, {
    members: count,
    stream: stream('arrivals'),
    weight: rhythmOf(payments),
  });
  const [times, sizes] = [stream('times'), stream('amounts')];
  const units = drawnUnits(payments.amount, sizes, values);
  const receivers = receiversOf(payments, { sender: name, population, streams });
  return {
    addTo(list, round) {
      arrivals.visit(round, (member, event, events) => {
        times.moveTo(member, event);
        sizes.moveTo(member, event);
        receivers.moveTo(member, event);
        for (let left = events; left > 0; left--)
          list.add(times.unit(), start + member, receivers.next(start + member), units());
      });
    },
    save: () => arrivals.save(),
    restore: (saved) => {
      arrivals.restore(saved);
    },
  };
}

function rhythmOf({ rhythm: { hours, days } }: Payments): (round: number) => number {
  const ofHour = normalised(hours);
  const ofDay = normalised(days);
  return (round) => {
    const day = Math.floor(round / ROUNDS_PER_DAY);
    const hour = Math.floor((round % ROUNDS_PER_DAY) / (ROUNDS_PER_DAY / 24));
    return (ofHour?.[hour] ?? 1) * (ofDay?.[(day + GENESIS_WEEKDAY) % 7] ?? 1);
  };
}

/** 2026-01-01 is a Thursday; days count from Monday. */
const GENESIS_WEEKDAY = 3;

function normalised(weights: readonly number[] | undefined): readonly number[] | null {
  if (!weights) return null;
  const sum = weights.reduce((a, b) => a + b, 0);
  return sum === 0 ? weights.map(() => 0) : weights.map((weight) => (weight * weights.length) / sum);
}
