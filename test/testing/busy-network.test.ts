import { brokenLaws, emptyLedger, LAWS, PROFILE_NAMES } from '@coinlab/core';
import { busyNetwork } from '@coinlab/testing';
import { expect, it } from 'vitest';

it.each(PROFILE_NAMES)('a busy network in the profile %s satisfies all ledger laws', (profile) => {
  let ledger = emptyLedger();
  for (const update of busyNetwork(profile).updates()) {
    const after = ledger.apply(update);
    const broken = brokenLaws(LAWS, { before: ledger.state, update, after: after.state });
    expect(broken.map(({ name }) => name)).toEqual([]);
    ledger = after;
  }
  expect(ledger.hash()).toBe(busyNetwork(profile).hash());
});
