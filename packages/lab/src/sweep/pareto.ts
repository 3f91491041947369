/** What a sweep weighs unless it says otherwise: how many UTXOs a policy leaves, and what it costs. */
import { at } from '@coinlab/core/workflows';
export const OBJECTIVES = [
  'utxosPerParty.mean',
  'merges',
  'traffic.bytes',
  'capHits',
  'dust.expiredValue',
] as const satisfies readonly string[];

/** Of each point whether none dominates it: none is as good everywhere and better somewhere. Points that are alike all stay. */
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
