import { brokenLaws, LAWS, PROFILE_NAMES, type Law, type Step } from '@coinlab/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedForgeries } from './forgeries.js';
import { ALONE, PART_OF } from './laws-alone.js';
import { Scene } from './laws-scene.js';
import { recordedSteps } from './recorded.js';

/*
 * The laws against forged updates: of each kind in the recorded logs the first update, with one thing in it changed at a time. How many of them a
 * law refuses stands in laws-forged.json, so no law can come to overlook a thing, or to refuse another, without a test that says so.
 */
const REFUSED: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'laws-forged.json'), 'utf8'),
);

let kept: readonly Step[] | undefined;

function honest(): readonly Step[] {
  return (kept ??= PROFILE_NAMES.flatMap((profile) => [...recordedSteps(profile)]));
}

const breaks = (law: Law, step: Step): boolean => brokenLaws([law], step).length > 0;

describe.each(LAWS.map((law) => [law.name, law] as const))('the law "%s"', (name, law) => {
  it('holds for every recorded update', () => {
    expect(
      honest()
        .filter((step) => breaks(law, step))
        .map(({ update }) => update.kind),
    ).toEqual([]);
  });

  it('is broken by the expected number of forged updates', () => {
    expect(recordedForgeries().filter(({ step }) => breaks(law, step)).length).toBe(REFUSED[name]);
  });

  const step = ALONE[name];
  const whole = LAWS.find((other) => other.name === PART_OF[name]);
  if (step) {
    it('is broken by a forged step that breaks no other law', () => {
      expect(brokenLaws(LAWS, step(new Scene()))).toEqual([law]);
    });
  } else if (whole) {
    it(`is broken only together with the law: ${whole.name}`, () => {
      const only = recordedForgeries().filter(({ step: forged }) => breaks(law, forged) && !breaks(whole, forged));
      expect(only.map(({ name: forgery }) => forgery)).toEqual([]);
    });
  } else {
    it('is broken by a recorded forgery that breaks no other law', () => {
      const others = LAWS.filter((other) => other !== law);
      const alone = recordedForgeries().some(
        ({ step: forged }) => breaks(law, forged) && brokenLaws(others, forged).length === 0,
      );
      expect(alone).toBe(true);
    });
  }
});
