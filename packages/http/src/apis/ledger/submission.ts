import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { formatCommand, Instant, PartyId, type Command, type LedgerState, type Update } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import type { LedgerAccess } from '../../gates/submit.js';
import { inTransitAmong } from '../../host/in-transit.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { commandProblemOf, ledgerProblemOf } from '../../gates/ledger/rejections.js';
import { requireReadAs, rightsOf } from '../../gates/ledger/rights.js';
import type { Tail } from '../../host/tail.js';
import { Problem } from '../../problem.js';
import type { Caller } from '../../request.js';
import { disclosedIds, readCommand, type ReadCommand } from '../../wire/choices/submitted.js';
import { synchronizerOf } from '../../wire/contract.js';
import { updateIdText } from '../../wire/update-id.js';
import { eventFormatOf } from '../../wire/ledger/event-format.js';
import type { TransactionFormat } from '../../wire/ledger/transaction.js';
import type {
  commandsForTransactionSchema,
  commandsSchema,
  DeduplicationPeriod,
  prepareSchema,
  submittedSchema,
} from './command-schemas.js';
import { requireReadable } from './lists.js';
import { formatOfTransactions } from './transaction-format.js';

type Submission = z.output<typeof prepareSchema> | z.output<typeof commandsSchema>;

export interface Acting {
  readonly actAs: readonly PartyId[];
  readonly readers: ReadonlySet<PartyId>;
}

/** Source: specification of the API §8.3. */
export function requireOwnUser({ user }: Caller, userId: string | null | undefined): void {
  if (userId !== null && userId !== undefined && userId !== '' && userId !== user)
    throw new Problem(403, `userId: the token is of ${user}`);
}

export function actingIn(body: Submission, caller: Caller, ledger: LedgerAccess): Acting {
  requireOwnUser(caller, body.userId);
  const actAs = partiesIn(body.actAs, 'actAs');
  const readAs = partiesIn(body.readAs ?? [], 'readAs');
  requireReadAs(rightsOf(caller), readAs);
  const { synchronizerId } = body;
  if (synchronizerId && synchronizerId !== synchronizerOf(ledger))
    throw new LedgerProblem(
      'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
      `synchronizerId: got ${synchronizerId}, expected ${synchronizerOf(ledger)}`,
    );
  return { actAs, readers: new Set([...actAs, ...readAs]) };
}

function partiesIn(texts: readonly string[], field: string): readonly PartyId[] {
  return texts.map((text, i) => {
    const party = PartyId.parse(text, `${field}[${i}]`);
    if (party.ok) return party.value;
    throw new LedgerProblem('INVALID_ARGUMENT', `${field}[${i}]: got ${text}, expected ${party.error.expected}`);
  });
}

export function hasKey(state: LedgerState, party: PartyId): boolean {
  for (const _ of contractsByKey(state, 'ExternalPartyKey', party)) return true;
  return false;
}

export function commandIn(
  body: Submission,
  { readers }: Acting,
  { inTransit }: LedgerAccess,
  state: LedgerState,
  now: Instant,
): ReadCommand {
  const disclosed = disclosedIds(body.disclosedContracts ?? []);
  const read = readOrThrow(() => readCommand(body.commands, { state, now, readers, disclosed }));
  const refusal = inTransitAmong(read.uses, inTransit);
  if (refusal) throw ledgerProblemOf(refusal);
  return read;
}

function readOrThrow(read: () => ReadCommand): ReadCommand {
  try {
    return read();
  } catch (error) {
    throw commandProblemOf(error);
  }
}

export interface TailNeeds {
  readonly tail: Tail;
}

export interface SubmissionIds {
  readonly userId: string;
  readonly actAs: readonly PartyId[];
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  readonly deduplicateAfter: number;
}

export async function submitOnce(
  { host, tail }: LedgerAccess & TailNeeds,
  ids: SubmissionIds,
  actAs: readonly PartyId[],
  make: (state: LedgerState, now: Instant) => Command,
): Promise<Update> {
  const submitted = await host.submitFrom(
    (state, now): Command => ({ type: 'SubmitOnce', ...ids, command: formatCommand(make(state, now)) }),
    actAs,
  );
  if (submitted.ok) {
    const { update } = submitted.value;
    await tail.delivered(update.offset);
    return update;
  }
  throw ledgerProblemOf(submitted.error);
}

/** The core keeps records for this long. Assumption: A-131. */
const LONGEST_SECONDS = 86_400;

/** Source: specification of the API §8.3. */
export function deduplicateAfter(
  period: DeduplicationPeriod | null | undefined,
  { host, history }: LedgerAccess,
): number {
  if (!period || 'Empty' in period) return 0;
  if ('DeduplicationOffset' in period) return Math.max(0, period.DeduplicationOffset.value);
  const { seconds, nanos = 0 } = period.DeduplicationDuration.value;
  if (seconds < 0 || seconds > LONGEST_SECONDS)
    throw new LedgerProblem(
      'INVALID_DEDUPLICATION_PERIOD',
      `deduplicationPeriod: got ${seconds} seconds, expected at most ${LONGEST_SECONDS}`,
    );
  const micros = BigInt(seconds) * 1_000_000n + BigInt(Math.trunc(nanos / 1000));
  const since = host.now() - micros;
  return since <= Instant.earliest ? 0 : history.offsetAt(Instant.ofMicros(since));
}

/** Call it before the command is submitted, because it can refuse the request. */
export function answerFormat(c: Context, wanted: WantedFormat, actAs: readonly string[]): TransactionFormat {
  const filtersByParty = Object.fromEntries(actAs.map((party) => [party, {}]));
  if (!wanted) return { ...eventFormatOf({ filtersByParty }, 'actAs'), shape: 'ACS_DELTA' };
  const format = formatOfTransactions(wanted, 'transactionFormat');
  requireReadable(c, format);
  return format;
}

type WantedFormat = z.output<typeof commandsForTransactionSchema>['transactionFormat'];

export function submittedOf({ updateId, offset }: Update): z.output<typeof submittedSchema> {
  return { updateId: updateIdText(updateId), completionOffset: offset };
}
