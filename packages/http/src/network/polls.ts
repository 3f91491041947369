import { Duration, Instant } from '@coinlab/core';
import type { Cadence } from '@coinlab/automation';
import type { Configured } from '../config.js';

export interface Poll {
  readonly period: Duration;
  readonly cadences: readonly Cadence[];
}

export function pollsOf({ automation }: Configured<'automation'>['config']): readonly Poll[] {
  return [
    { period: Duration.seconds(automation.pollSeconds), cadences: ['frequent'] },
    { period: Duration.seconds(automation.rewardPollSeconds), cadences: ['rewards', 'merges'] },
  ];
}

export function nextPoll(
  polls: readonly Poll[],
  began: Instant,
  after: bigint,
): { readonly at: bigint; readonly cadences: readonly Cadence[] } {
  let at: bigint | null = null;
  let cadences: readonly Cadence[] = [];
  for (const { period, cadences: own } of polls) {
    const next = began + ((after - began) / period + 1n) * period;
    if (at !== null && next > at) continue;
    cadences = next === at ? [...cadences, ...own] : own;
    at = next;
  }
  return { at: at ?? Instant.latest + 1n, cadences };
}
