import { PartyId } from '@coinlab/core';

/** Names of the parties that every test ledger has: those of `coinlab serve --dev`. Their ids are `PartyId.of(name)`. */
export const TEST_PARTIES = [
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'heidi',
  'ivan',
  'judy',
] as const;

/** The ten parties of a test ledger by their names. */
export type TestParties = Readonly<Record<(typeof TEST_PARTIES)[number], PartyId>>;

/** The parties of {@link TEST_PARTIES}. */
export const PARTIES: TestParties = Object.freeze(
  // One entry for each name.
  Object.fromEntries(TEST_PARTIES.map((name) => [name, PartyId.of(name)])) as Record<keyof TestParties, PartyId>,
);
