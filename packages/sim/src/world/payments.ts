import type { Amount } from '@coinlab/core';
import { randomGeometric, randomPoisson } from 'd3-random';
import { amounts, type Sampler } from '../chance/distributions.js';
import type { Stream, Streams } from '../chance/streams.js';
import { zipf } from '../chance/zipf.js';
import type { Arrivals, Payments } from '../scenario/group.js';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Members, Population } from './population.js';
import type { RoundPayments } from './round-payments.js';

export interface PaymentSource {
  addTo(payments: RoundPayments, round: number): void;
}

export function drawnPayments(
  payments: Payments,
  members: Members,
  population: Population,
  streams: Streams,
  values: readonly Amount[],
): PaymentSource {
  const stream = (concern: string): Stream => streams.named(`${members.group.name}/${concern}`);
  const counts = countsOf(payments.arrivals, members.count, stream('arrivals'));
  const senders = stream('senders');
  const times = stream('times');
  const amount = amounts(payments.amount, stream('amounts'), values);
  const receiver = counterparties(payments, population, stream('counterparties'));
  const weight = rhythmOf(payments);
  return {
    addTo(list, round) {
      for (let left = counts(round, weight(round)); left > 0; left--) {
        const from = members.start + senders.below(members.count);
        list.add(times.unit(), from, receiver(from), amount());
      }
    },
  };
}

function countsOf(
  { poisson, bursts, every }: Arrivals,
  parties: number,
  stream: Stream,
): (round: number, weight: number) => number {
  const source = (): number => stream.unit();
  const poissonOf = (mean: number): number => (mean > 0 ? randomPoisson.source(source)(mean)() : 0);
  if (poisson) return (_, weight) => poissonOf((parties * poisson.perDay * weight) / ROUNDS_PER_DAY);
  if (bursts) {
    const size = randomGeometric.source(source)(1 / bursts.size);
    return (_, weight) => {
      let payments = 0;
      for (let left = poissonOf((parties * bursts.perDay * weight) / ROUNDS_PER_DAY); left > 0; left--)
        payments += size();
      return payments;
    };
  }
  if (every) return (round) => (round % every.rounds === 0 ? every.count * parties : 0);
  throw new RangeError('recorded payments are a source of their own');
}

/** Returns the weight of a round by hour and weekday; the mean weight is one. Rounds begin on the genesis day, a Thursday. */
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

export function counterparties({ to }: Payments, population: Population, stream: Stream): (from: number) => number {
  const groups = to.groups?.map((name) => population.named(name)) ?? population.groups;
  const size = groups.reduce((sum, { count }) => sum + count, 0);
  const at = (index: number): number => {
    let left = index;
    for (const { start, count } of groups) {
      if (left < count) return start + left;
      left -= count;
    }
    throw new RangeError(`no counterparty ${index}`);
  };
  const { zipf: exponent, communities } = to.choice;
  const uniform = (): number => at(stream.below(size));
  const draw = drawer();
  return (from) => {
    for (let tries = 0; tries < 100; tries++) {
      const receiver = draw(from);
      if (receiver !== from) return receiver;
    }
    return uniform();
  };

  function drawer(): (from: number) => number {
    if (exponent !== undefined) {
      const rank: Sampler<number> = zipf(size, exponent, stream);
      return () => at(rank());
    }
    if (communities)
      return (from) => {
        if (!stream.chance(communities.stay)) return uniform();
        const first = from - (from % communities.size);
        return first + stream.below(Math.min(communities.size, population.size - first));
      };
    return uniform;
  }
}
