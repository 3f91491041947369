import type { Command, Instant, LedgerState, PartyId, Result, Update } from '@coinlab/core';
import type { Host, Refusal } from '../host/host.js';
import type { LedgerView } from '../history/ledger-view.js';
import { problemOf } from './status.js';

/** What submits commands and waits until the log has their updates. */
export interface Submitter {
  readonly host: Pick<Host, 'submit' | 'submitFrom' | 'now'>;
}

/** What reads the ledger and submits to it. */
export type LedgerAccess = LedgerView & Submitter;

/** Submits a command and returns the update, or refuses with the status of its rejection. */
export async function submit({ host }: Submitter, command: Command, ...actAs: readonly PartyId[]): Promise<Update> {
  return updateOf(await host.submit(command, actAs));
}

/** As {@link submit}, of a command that is made from the very state it is decided upon. */
export async function submitFrom(
  { host }: Submitter,
  make: (state: LedgerState, now: Instant) => Command,
  ...actAs: readonly PartyId[]
): Promise<Update> {
  return updateOf(await host.submitFrom(make, actAs));
}

function updateOf(answer: Result<Update, Refusal>): Update {
  if (answer.ok) return answer.value;
  throw problemOf(answer.error);
}
