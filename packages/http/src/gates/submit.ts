import {
  countOf,
  type Command,
  type Instant,
  type LedgerState,
  type PartyId,
  type Submitted,
  type Update,
} from '@coinlab/core';
import { registryRound } from '@coinlab/core/rules';
import type { Host } from '../host/host.js';
import type { LedgerView } from '../history/ledger-view.js';
import { Problem } from '../problem.js';
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

export async function payFrom(
  { host }: Submitter,
  payer: PartyId,
  make: (state: LedgerState, now: Instant) => Command,
): Promise<Update> {
  const limits: (string | null)[] = [];
  const makeLimited = (state: LedgerState, now: Instant): Command => {
    limits.push(inputLimit(state, payer, now));
    return make(state, now);
  };
  const answer = await host.submitFrom(makeLimited, [payer]);
  // A command that was rolled back is made again.
  const limit = limits.at(-1) ?? null;
  if (answer.ok || answer.error.code !== 'INSUFFICIENT_FUNDS' || limit === null) return updateOf(answer);
  const { status, message, evidence } = problemOf(answer.error);
  throw new Problem(status, `${message}; ${limit}`, { evidence });
}

function inputLimit(state: LedgerState, payer: PartyId, now: Instant): string | null {
  const round = registryRound(state, now);
  if (!round.ok) return null;
  const { maxNumInputs: most } = round.value.config;
  const coins = countOf(state, payer);
  if (coins <= most) return null;
  return `a transfer takes at most ${most} inputs, and the wallet has ${coins} coins: merge coins or pay in parts`;
}

function updateOf(answer: Submitted): Update {
  if (answer.ok) return answer.value.update;
  throw problemOf(answer.error);
}
