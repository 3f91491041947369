import fc from 'fast-check';
import type { Submission, LedgerState, PartyId, CommandType } from '@coinlab/core';
import { everybody, founders, people, stranger } from '../generator/cast.js';
import { drawnOf, resolve } from '../generator/commands.js';

/** One of the parties that random commands are about: mostly a user of a wallet, rarely one that the ledger does not know. */
export const partyArb: fc.Arbitrary<PartyId> = fc.oneof(
  { arbitrary: fc.constantFrom(...people), weight: 16 },
  { arbitrary: fc.constantFrom(...everybody), weight: 8 },
  { arbitrary: fc.constantFrom(...founders), weight: 2 },
  { arbitrary: fc.constant(stranger), weight: 1 },
);

/**
 * Commands that mean something in one given state, with who submits them and when. For a sequence, in which each command is to
 * mean something in the state that the ones before it left, draw `sequences` and `resolve` them one by one.
 * @param types which commands; left out: of every kind
 */
export function submissionArb(state: LedgerState, types?: readonly CommandType[]): fc.Arbitrary<Submission> {
  return drawnOf(types).map((step) => resolve(step, state));
}
