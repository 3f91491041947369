import { brokenLaws, LAWS, PROFILE_NAMES, type Law, type Step } from '@coinlab/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgeriesOf, type Forgery } from './forgeries.js';
import { recordedSteps } from './recorded.js';

/*
 * The laws against forged updates: of each kind in the recorded logs the first update, with one thing in it changed at a time. How many of them a
 * law refuses stands in laws-forged.json, so no law can come to overlook a thing, or to refuse another, without a test that says so.
 */
const REFUSED: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'laws-forged.json'), 'utf8'),
);

let kept: readonly Step[] | undefined;
let forged: readonly Forgery[] | undefined;

function honest(): readonly Step[] {
  return (kept ??= PROFILE_NAMES.flatMap((profile) => [...recordedSteps(profile)]));
}

/** Of each kind of update the first in the log of each profile, forged. */
function forgeries(): readonly Forgery[] {
  return (forged ??= PROFILE_NAMES.flatMap((profile) => {
    const first = new Map(
      recordedSteps(profile)
        .map((step) => [step.update.kind, step] as const)
        .reverse(),
    );
    first.delete('LedgerOpened');
    return [...first.values()].flatMap(forgeriesOf);
  }));
}

const breaks = (law: Law, step: Step): boolean => brokenLaws([law], step).length > 0;

describe.each(LAWS.map((law) => [law.name, law] as const))('%s', (name, law) => {
  it('is kept by all that was recorded', () => {
    expect(
      honest()
        .filter((step) => breaks(law, step))
        .map(({ update }) => update.kind),
    ).toEqual([]);
  });

  it('refuses so many forgeries', () => {
    expect(forgeries().filter(({ step }) => breaks(law, step)).length).toBe(REFUSED[name]);
  });
});
