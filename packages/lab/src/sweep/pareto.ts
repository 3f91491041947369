import { at } from '@coinlab/core/workflows';

/** Default objectives of a sweep: the UTXOs that a policy leaves and its costs. */
export const OBJECTIVES = [
  'utxosPerParty.mean',
  'merges',
  'traffic.bytes',
  'capHits',
  'dust.expiredValue',
] as const satisfies readonly string[];

/**
 * Returns for each point whether no other point dominates it (at least as good everywhere, better somewhere). Equal points are
 * all kept.
 */
export function isNonDominated(points: readonly (readonly number[])[]): readonly boolean[] {
  return points.map((point) => !points.some((other) => dominates(other, point)));
}

function dominates(one: readonly number[], other: readonly number[]): boolean {
  let isBetter = false;
  for (let i = 0; i < one.length; i++) {
    const [mine, theirs] = [at(one, i), at(other, i)];
    if (mine > theirs) return false;
    if (mine < theirs) isBetter = true;
  }
  return isBetter;
}
