import { setImmediate } from 'node:timers/promises';
import { type OwnPolicies } from '@coinlab/sim';
import { loadPolicies } from '@coinlab/sim/files';
import { play, reasonOf, type Assignment, type Orders, type Outcome } from './play.js';

/** What a worker process is told: its orders once, then runs to play, one message after the answer to the one before. */
export type Told = { readonly orders: Orders } | { readonly assignments: readonly Assignment[] };

/** What it answers to runs: what became of them, or why none could be played. */
export type Answer = { readonly outcomes: readonly Outcome[] } | { readonly error: string };

let orders: Orders | null = null;
let loaded: Promise<OwnPolicies> | null = null;

async function playAll(assignments: readonly Assignment[]): Promise<Answer> {
  if (!orders) return { error: 'a worker was told no orders' };
  const own = orders;
  try {
    loaded ??= own.policies === null ? Promise.resolve({}) : loadPolicies(own.policies);
    const policies = await loaded;
    const outcomes: Outcome[] = [];
    for (const assignment of assignments) {
      // What waits for its turn, such as pieces of a collection, is cheaper between two runs than within one.
      await setImmediate();
      outcomes.push(play(own, assignment, policies));
    }
    return { outcomes };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

process.on('message', (told: Told) => {
  if ('orders' in told) orders = told.orders;
  else void playAll(told.assignments).then((answer) => process.send?.(answer));
});
// An interrupt of the terminal reaches all its processes; the one that gives the orders decides what becomes of it.
process.on('SIGINT', () => undefined);
