import type { Command, Instant, LedgerState, PartyId, Submitted, Update } from '@coinlab/core';
import type { Host } from '../host/host.js';
import type { LedgerView } from '../history/ledger-view.js';
import { problemOf } from './status.js';

export interface Submitter {
  readonly host: Pick<Host, 'submit' | 'submitFrom' | 'now'>;
}

export type LedgerAccess = LedgerView & Submitter;

export async function submit({ host }: Submitter, command: Command, ...actAs: readonly PartyId[]): Promise<Update> {
  return updateOf(await host.submit(command, actAs));
}

export async function submitFrom(
  { host }: Submitter,
  make: (state: LedgerState, now: Instant) => Command,
  ...actAs: readonly PartyId[]
): Promise<Update> {
  return updateOf(await host.submitFrom(make, actAs));
}

function updateOf(answer: Submitted): Update {
  if (answer.ok) return answer.value.update;
  throw problemOf(answer.error);
}
