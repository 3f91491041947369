import fc from 'fast-check';
import type { Submission, LedgerState, PartyId, CommandType } from '@coinlab/core';
import { everybody, founders, people, stranger } from '../generator/cast.js';
import { drawnOf, resolve } from '../generator/commands.js';

/** Draws the parties of random commands: mostly wallet users, rarely a party that is not on the ledger. */
export const partyArb: fc.Arbitrary<PartyId> = fc.oneof(
  { arbitrary: fc.constantFrom(...people), weight: 16 },
  { arbitrary: fc.constantFrom(...everybody), weight: 8 },
  { arbitrary: fc.constantFrom(...founders), weight: 2 },
  { arbitrary: fc.constant(stranger), weight: 1 },
);

/**
 * Returns an arbitrary of submissions (command, actors, time) that refer to contracts of `state`. In a
 * sequence each command depends on the previous ones: draw `sequences` and call `resolve` for one step after
 * the other.
 * @param types types of commands; default: all
 */
export function submissionArb(state: LedgerState, types?: readonly CommandType[]): fc.Arbitrary<Submission> {
  return drawnOf(types).map((step) => resolve(step, state));
}
