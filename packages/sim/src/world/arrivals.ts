import { randomGeometric } from 'd3-random';
import type { EventStream } from '../chance/event-stream.js';
import type { Arrivals as ArrivalsChoice } from '../scenario/group.js';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Saved } from '../saved.js';

// Casts: members are indices of the arrays.

const WEEK = 7 * ROUNDS_PER_DAY;

export interface Arrivals {
  /** Call it once per round, with ascending rounds. */
  visit(round: number, event: (member: number, event: number, payments: number) => void): void;
  save(): Saved;
  restore(saved: Saved): void;
}

/** @param weight relative rate of a round; the mean over a week is one */
export function arrivalsOf(
  { poisson, bursts, every }: ArrivalsChoice,
  {
    members,
    stream,
    weight,
  }: { readonly members: number; readonly stream: EventStream; readonly weight: (round: number) => number },
): Arrivals {
  if (poisson) return new RandomArrivals(members, { stream, perDay: poisson.perDay, weight });
  if (bursts) {
    const payments = randomGeometric.source(() => stream.unit())(1 / bursts.size);
    return new RandomArrivals(members, { stream, perDay: bursts.perDay, weight, payments });
  }
  if (every) return periodic(every, members);
  throw new RangeError('recorded payments are a source of their own');
}

function periodic({ rounds, count }: NonNullable<ArrivalsChoice['every']>, members: number): Arrivals {
  return {
    visit(round, event) {
      if (round % rounds !== 0) return;
      for (let member = 0; member < members; member++) event(member, round / rounds, count);
    },
    save: () => null,
    restore: () => undefined,
  };
}

interface Rate {
  readonly stream: EventStream;
  readonly perDay: number;
  readonly weight: (round: number) => number;
  readonly payments?: () => number;
}

/**
 * Gaps are drawn in expected events, not in time: at another rate a member has the same events earlier or later, and another
 * number of members changes no event.
 */
class RandomArrivals implements Arrivals {
  readonly #stream: EventStream;
  readonly #payments: () => number;
  readonly #expected: Float64Array = new Float64Array(WEEK + 1);
  readonly #next: Uint32Array;
  readonly #due: Float64Array;
  readonly #waiting: Map<number, number[]> = new Map();

  constructor(members: number, { stream, perDay, weight, payments = () => 1 }: Rate) {
    this.#stream = stream;
    this.#payments = payments;
    for (let round = 0; round < WEEK; round++)
      this.#expected[round + 1] = (this.#expected[round] as number) + (perDay / ROUNDS_PER_DAY) * weight(round);
    this.#next = new Uint32Array(members);
    this.#due = new Float64Array(members);
    for (let member = 0; member < members; member++) {
      this.#addGap(member);
      this.#schedule(member);
    }
  }

  visit(round: number, event: (member: number, event: number, payments: number) => void): void {
    const members = this.#waiting.get(round);
    if (!members) return;
    this.#waiting.delete(round);
    // A resumed run has the members of a round in another order.
    for (const member of Uint32Array.from(members).sort()) {
      do {
        const number = this.#next[member] as number;
        this.#stream.moveTo(member, number);
        // Drawn before the number of payments, which takes a varying number of draws.
        const gap = this.#gap();
        event(member, number, this.#payments());
        this.#next[member] = number + 1;
        this.#due[member] = (this.#due[member] as number) + gap;
      } while (this.#roundOf(this.#due[member] as number) === round);
      this.#schedule(member);
    }
  }

  save(): Saved {
    return { next: [...this.#next], due: [...this.#due] };
  }

  restore(saved: Saved): void {
    // Written by `save`; the checkpoint's hash proves it.
    const { next, due } = saved as { readonly next: readonly number[]; readonly due: readonly number[] };
    this.#next.set(next);
    this.#due.set(due);
    this.#waiting.clear();
    for (let member = 0; member < next.length; member++) this.#schedule(member);
  }

  #addGap(member: number): void {
    this.#stream.moveTo(member, FIRST_GAP);
    this.#due[member] = this.#gap();
  }

  #gap(): number {
    return -Math.log1p(-this.#stream.unit());
  }

  #schedule(member: number): void {
    const round = this.#roundOf(this.#due[member] as number);
    if (round === null) return;
    const waiting = this.#waiting.get(round);
    if (waiting) waiting.push(member);
    else this.#waiting.set(round, [member]);
  }

  #roundOf(due: number): number | null {
    const ofWeek = this.#expected[WEEK] as number;
    if (ofWeek === 0) return null;
    const week = Math.floor(due / ofWeek);
    const rest = due - week * ofWeek;
    let [low, high] = [0, WEEK - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#expected[middle] as number) <= rest) low = middle;
      else high = middle - 1;
    }
    return week * WEEK + low;
  }
}

/** Event number of the draw before the first event. No member reaches this number of events. */
const FIRST_GAP = 0xffff_ffff;
