import { setImmediate } from 'node:timers/promises';
import { type OwnPolicies } from '@coinlab/sim';
import { loadPolicies } from '@coinlab/sim/files';
import { play, reasonOf, type Assignment, type Orders, type Outcome } from './play.js';

export type Told = { readonly orders: Orders } | { readonly assignments: readonly Assignment[] };

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
      // Let pending tasks, for example garbage collection, run between simulations, where they are cheaper.
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
// Ctrl-C reaches all processes of the terminal; the parent decides when workers end.
process.on('SIGINT', () => undefined);
