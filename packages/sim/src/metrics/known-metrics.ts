import { METRICS } from './catalogue.js';

/** Returns the names of the metrics of a scenario with these groups: those of the network, and `group/name` of each group. */
export function knownMetrics(groups: readonly { readonly name: string }[]): readonly string[] {
  const ofGroups = METRICS.filter(({ isNetworkOnly }) => !isNetworkOnly);
  return [
    ...METRICS.map(({ name }) => name),
    ...groups.flatMap((group) => ofGroups.map(({ name }) => `${group.name}/${name}`)),
  ];
}
