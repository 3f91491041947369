import { loadPolicies, type OwnPolicies } from '@coinlab/sim';
import { Tinypool } from 'tinypool';
import { play, type Assignment, type Orders, type Outcome } from './play.js';

const orders = Tinypool.workerData as Orders;

let loaded: Promise<OwnPolicies> | null = null;

/** Plays runs, one after the other. */
export default async function playAll(assignments: readonly Assignment[]): Promise<readonly Outcome[]> {
  loaded ??= orders.policies === null ? Promise.resolve({}) : loadPolicies(orders.policies);
  const policies = await loaded;
  return assignments.map((assignment) => play(orders, assignment, policies));
}
