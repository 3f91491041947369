import { LAWS, PartyId, PROFILE_NAMES, UPDATE_KINDS, type Law, type Step } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { recordedSteps } from './recorded.js';

/*
 * The law of who must act, held against recorded logs of every kind of update: as they were they keep it, and with others acting they
 * break it. So no choice can lose its controllers without a test that says so.
 */
const stranger = PartyId.of('stranger');
const law = LAWS.find(({ name }) => name === 'the controllers of every choice act') as Law;

const holds = (step: Step, actAs: readonly PartyId[]): boolean =>
  law.holds({ ...step, update: { ...step.update, actAs } });

describe.each(PROFILE_NAMES)('the consent rules of updates in the recorded log of %s', (profile) => {
  it('are met by the acting parties, and not met by another party or by no party', () => {
    const kept: string[] = [];
    const open: string[] = [];
    const kinds = new Set<string>();
    for (const step of recordedSteps(profile)) {
      const { kind, actAs } = step.update;
      if (!holds(step, actAs)) kept.push(kind);
      if (holds(step, [stranger]) || holds(step, [])) open.push(kind);
      kinds.add(kind);
    }
    expect(kept).toEqual([]);
    expect([...new Set(open)]).toEqual([]);
    expect(kinds.size).toBeGreaterThan(UPDATE_KINDS.length / 2);
  });
});

it('an update that needs two parties is refused when only one of them acts', () => {
  const together = new Set<string>();
  const alone = new Set<string>();
  for (const profile of PROFILE_NAMES) {
    for (const step of recordedSteps(profile)) {
      const { kind, actAs } = step.update;
      if (new Set(actAs).size !== 2) continue;
      (actAs.some((party) => holds(step, [party])) ? alone : together).add(kind);
    }
  }
  expect([...alone]).toEqual([]);
  expect([...together].sort()).toEqual([
    'BatchExecuted',
    'HoldingUnlocked',
    'Minted',
    'PreapprovalCreated',
    'TrafficRequestCompleted',
    'UserOnboarded',
    'ValidatorRightCreated',
    'WalletOfferCompleted',
  ]);
});
