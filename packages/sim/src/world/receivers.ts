import { at } from '@coinlab/core/workflows';
import type { Sampler } from '../chance/distributions.js';
import type { EventStream } from '../chance/event-stream.js';
import type { Streams } from '../chance/streams.js';
import { zipf } from '../chance/zipf.js';
import type { Payments } from '../scenario/group.js';
import type { Population } from './population.js';

export interface Receivers {
  moveTo(member: number, payment: number): void;
  next(from: number): number;
}

export function receiversOf(
  { to }: Payments,
  {
    sender,
    population,
    streams,
  }: { readonly sender: string; readonly population: Population; readonly streams: Streams },
): Receivers {
  const groups = to.groups?.map((name) => population.named(name)) ?? population.groups;
  const size = groups.reduce((sum, { count }) => sum + count, 0);
  const clocks = groups.map(({ group }) => streams.ofEvents(`${sender}/counterparties/${group.name}`));
  const stream = streams.ofEvents(`${sender}/counterparties`);
  const { zipf: exponent, communities } = to.choice;
  const isUniform = exponent === undefined && !communities;
  const draw = drawer();
  let [sending, sent] = [0, 0];
  let areClocksSet = false;
  return {
    moveTo(member, payment) {
      sending = member;
      sent = payment;
      areClocksSet = false;
      if (!isUniform) stream.moveTo(member, payment);
    },
    next(from) {
      for (let tries = 0; tries < 100; tries++) {
        const receiver = draw(from);
        if (receiver !== from) return receiver;
      }
      return uniform();
    },
  };

  /**
   * The earliest of one exponential clock per group selects the group; a consistent hash selects the member. So most payments
   * keep their receivers when groups or parties are added.
   */
  function uniform(): number {
    if (!areClocksSet) for (const clock of clocks) clock.moveTo(sending, sent);
    areClocksSet = true;
    let earliest = Infinity;
    let chosen = 0;
    for (let i = 0; i < clocks.length; i++) {
      const { count } = at(groups, i);
      const unit = at(clocks, i).unit();
      // −ln(1 − u) is at least u, so most clocks need no logarithm. The factor covers rounding.
      if (unit > earliest * count * (1 + 1e-9)) continue;
      const time = -Math.log1p(-unit) / count;
      if (time >= earliest) continue;
      earliest = time;
      chosen = i;
    }
    const { start, count } = at(groups, chosen);
    return start + memberOf(count, at(clocks, chosen));
  }

  function drawer(): (from: number) => number {
    if (exponent !== undefined) {
      const rank: Sampler<number> = zipf(size, exponent, stream);
      return () => ranked(rank());
    }
    if (communities)
      return (from) => {
        if (!stream.chance(communities.stay)) return uniform();
        const first = from - (from % communities.size);
        return first + stream.below(Math.min(communities.size, population.size - first));
      };
    return uniform;
  }

  function ranked(rank: number): number {
    let left = rank;
    for (const { start, count } of groups) {
      if (left < count) return start + left;
      left -= count;
    }
    throw new RangeError(`no counterparty ${rank}`);
  }
}

/** A jump consistent hash (Lamping and Veach, 2014): uniform, and a larger count changes few results. */
function memberOf(count: number, stream: EventStream): number {
  let member = 0;
  for (let next = 0; next < count;) {
    member = next;
    next = Math.floor((member + 1) / (1 - stream.unit()));
  }
  return member;
}
