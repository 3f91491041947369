import { PartyId, TEST_PARTIES } from '@coinlab/core';

/** The ten parties of a test ledger by their names. */
export type TestParties = Readonly<Record<(typeof TEST_PARTIES)[number], PartyId>>;

export const PARTIES: TestParties = Object.freeze(
  // Cast: the entries have exactly the names of the list.
  Object.fromEntries(TEST_PARTIES.map((name) => [name, PartyId.of(name)])) as Record<keyof TestParties, PartyId>,
);
