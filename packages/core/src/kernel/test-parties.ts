/** Names of the parties of every test ledger, and of the users of `coinlab serve --dev`. Their ids are `PartyId.of(name)`. */
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
