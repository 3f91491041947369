import type { Contract } from './contracts/contract.js';
import { findAny, firstByKey, isOpen, numberingOf, settingsOf, type LedgerState } from './contracts/state.js';
import type { Outcome } from './kernel/decision.js';
import type { ContractId, PartyId } from './kernel/ids.js';
import type { Malformed } from './kernel/malformed.js';
import type { Rejection } from './kernel/rejection.js';
import { err, ok, type Result } from './kernel/result.js';
import { contractId, instant, list, optional, party, record, text, type Shape } from './kernel/shape.js';
import { Duration, Instant } from './kernel/time.js';
import type { Update } from './log/update.js';
import { encodePrepared, preparedHash, type PreparedTransaction } from './rules/signing/prepared.js';
import { invalid } from './rules/refusals.js';
import { newestUsableRound } from './rules/rounds.js';
import type { Command } from './register/register.js';
import { commandShape, contractsMentioned, decideAuthorised, formatCommand, isSubmission, place } from './submit.js';

/** Longest time to the execution of a transaction that names no mining round. Source: specification §9.3. */
const LONGEST_WAIT: Duration = Duration.hours(24);

/** A command to prepare for an external party. */
export interface PrepareRequest {
  readonly party: PartyId;
  /** Any command that needs only the party's authority. */
  readonly command: Command;
  readonly now: Instant;
  /** Distinguishes equal commands prepared at the same time; default: empty. */
  readonly salt?: string;
  /** Id of the command that the party's user gave; default: empty. */
  readonly commandId?: string;
  /** Further contracts that must still be active at submission; default: none. */
  readonly uses?: readonly ContractId[];
}

const requestShape: Shape<PrepareRequest> = record<PrepareRequest>({
  party,
  command: commandShape,
  now: instant,
  salt: optional(text),
  commandId: optional(text),
  uses: optional(list(contractId)),
});

/** A prepared transaction, ready to be signed. Source: specification §9.2. */
export interface Prepared extends PreparedContent {
  readonly prepared: PreparedTransaction;
  /** The transaction in base64; pass it unchanged to SubmitPrepared. */
  readonly transaction: string;
  /** Multihash of 34 bytes in hex; the party signs the bytes. */
  readonly hash: string;
  /** Exclusive deadline of submission. */
  readonly expiresAt: Instant;
}

/** The content of a prepared transaction, without its command. */
export interface PreparedContent {
  readonly prepared: Omit<PreparedTransaction, 'command'>;
  readonly update: Update;
}

/**
 * Prepares a command for the signature of an external party. Changes nothing: it decides the command as if the party
 * acted now, and returns the refusal or the transaction with the contracts that it uses. The transaction can be
 * executed while all of them are active, and before it expires: after one tick when it names a mining round, else
 * after 24 hours.
 * Source: specification §9.3. Assumption: A-43.
 */
export function prepare(request: PrepareRequest, state: LedgerState): Result<Prepared, Rejection> {
  const checked = checkedRequest(request, state);
  if (!checked.ok) return checked;
  const { party } = checked.value;
  if (!firstByKey(state, 'ExternalPartyKey', party))
    return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted: `the key of ${party}` });
  const content = contentOf(checked.value, state);
  if (!content.ok) return content;
  const prepared = { ...content.value.prepared, command: formatCommand(checked.value.command) };
  const transaction = encodePrepared(prepared);
  const hash = preparedHash(transaction);
  return hash.ok
    ? ok({ ...content.value, prepared, transaction, hash: hash.value, expiresAt: prepared.expiresAt })
    : err({ code: 'INVALID_ARGUMENT', ...hash.error });
}

/**
 * Prepares a command like {@link prepare}, without encoding and hashing it, and also for a party without a key. For programs
 * with a format of their own.
 */
export function prepareContent(request: PrepareRequest, state: LedgerState): Result<PreparedContent, Rejection> {
  const checked = checkedRequest(request, state);
  return checked.ok ? contentOf(checked.value, state) : checked;
}

function checkedRequest(request: PrepareRequest, state: LedgerState): Result<PrepareRequest, Rejection> {
  const faults: Malformed[] = [];
  const checked = requestShape.check(request, faults, numberingOf(state));
  if (faults[0]) return err({ code: 'INVALID_ARGUMENT', ...faults[0] });
  if (!isOpen(state)) return err({ code: 'NOT_BOOTSTRAPPED' });
  const { now, command } = checked;
  if (now < state.time) return err({ code: 'TIME_IN_PAST', at: now, ledgerTime: state.time });
  if (!isSubmission(command)) return ok(checked);
  return err(invalid('command.type', command.type, 'a command that carries no signature and no other command'));
}

function contentOf(
  { party, command, now, salt = '', commandId = '', uses: further = [] }: PrepareRequest,
  state: LedgerState,
): Result<PreparedContent, Rejection> {
  const outcome = decideAuthorised(command, state, { now, actAs: [party] });
  if (!outcome.ok) return outcome;
  const { uses, lasts } = usesOf(command, further, outcome.value, state, now);
  const { dso, seed } = settingsOf(state);
  const prepared = {
    dso,
    party,
    preparedAt: now,
    expiresAt: Instant.plus(now, lasts),
    offset: state.offset,
    salt,
    commandId,
    uses,
  };
  return ok({ prepared, update: place(outcome.value, state, { now, actAs: [party] }, seed) });
}

/**
 * Returns the active contracts that a command names, consumes or finds, such as the preapproval in force; and the
 * open round when it creates coin, unless the profile leaves the round out of the signature.
 */
function usesOf(
  command: Command,
  further: readonly ContractId[],
  outcome: Outcome<Contract, string, object>,
  state: LedgerState,
  now: Instant,
): { readonly uses: readonly ContractId[]; readonly lasts: Duration } {
  const used = new Set([...contractsMentioned(command, outcome), ...further, ...outcome.archived]);
  const makesCoin = outcome.created.some(({ template }) => template === 'Holding');
  const round = makesCoin && !settingsOf(state).profile.usesConfigStates ? newestUsableRound(state, now) : null;
  if (round) used.add(round.id);
  const uses = [...used].filter((id) => isUsable(findAny(state, id))).sort((a, b) => a - b);
  return { uses, lasts: round?.tickDuration ?? LONGEST_WAIT };
}

function isUsable(contract: Contract | null): boolean {
  return contract !== null && contract.template !== 'MemberTrafficBalance';
}
