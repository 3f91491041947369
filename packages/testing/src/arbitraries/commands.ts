import fc from 'fast-check';
import type { Submission, LedgerState, PartyId, CommandType } from '@coinlab/core';
import { everybody, founders, people, stranger } from '../generator/cast.js';
import { drawnOf, resolve } from '../generator/commands.js';

/** The parties of random commands: mostly users of a wallet, rarely a party that the ledger does not have. */
export const partyArb: fc.Arbitrary<PartyId> = fc.oneof(
  { arbitrary: fc.constantFrom(...people), weight: 16 },
  { arbitrary: fc.constantFrom(...everybody), weight: 8 },
  { arbitrary: fc.constantFrom(...founders), weight: 2 },
  { arbitrary: fc.constant(stranger), weight: 1 },
);

/**
 * Returns commands that refer to contracts of a state, with their actors and times. For a sequence, in which each
 * command depends on the previous ones, draw `sequences` and `resolve` them one by one.
 * @param types types of commands; default: all
 */
export function submissionArb(state: LedgerState, types?: readonly CommandType[]): fc.Arbitrary<Submission> {
  return drawnOf(types).map((step) => resolve(step, state));
}
