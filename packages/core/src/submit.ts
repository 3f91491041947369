import type { Contract } from './contracts/contract.js';
import type { PlainTransfer } from './contracts/plain-transfer.js';
import { numberingOf, type LedgerState } from './contracts/state.js';
import { Amount } from './kernel/amount.js';
import { sha256Of, type Sha256 } from './kernel/bytes.js';
import type { Context, Outcome } from './kernel/decision.js';
import type { ContractId, Offset, UpdateId } from './kernel/ids.js';
import { describeMalformed, type Malformed } from './kernel/malformed.js';
import type { Rejection } from './kernel/rejection.js';
import { err, ok, type Result } from './kernel/result.js';
import { tagged, refNumber, type Json, type Shape } from './kernel/shape.js';
import type { Instant } from './kernel/time.js';
import { updateCodec, type UpdateCodec } from './log/codec.js';
import { CompactLog, readSegments, segmentsOf, type BadSegment, type Segment } from './log/compact/compact-log.js';
import { evolve } from './log/evolve.js';
import type { Update, UpdateKind } from './log/update.js';
import { COMMAND_SHAPES, COMMAND_TYPES, DETAIL_SHAPES, workflowOf, type Command } from './register/register.js';
import type { AnyCommand, AnyDecision, CommandRunner } from './rules/workflow.js';
import { refuseUnsigned } from './rules/authority.js';
import { plainDirectTransfer, plainMerge, plainSelfTransfer } from './rules/plain-transfer.js';
import { inputsCovering } from './rules/selection.js';
import type { DirectTransfer } from './workflows/direct.js';

/** Writes updates as lines of JSON and reads them back. */
export const codec: UpdateCodec = updateCodec(DETAIL_SHAPES);

/**
 * A compact log, empty: for an engine that was opened with the same seed.
 * @example
 * const log = openCompactLog(seed);
 * const engine = openEngine({ seed, log });
 * @param sha256 what its segments are hashed with; the platform's own is faster: in Node,
 *   `(...pieces) => pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest()`
 */
export function openCompactLog(seed: number, sha256: Sha256 = sha256Of): CompactLog {
  return new CompactLog(seed, DETAIL_SHAPES, sha256);
}

/** The updates of a compact log, oldest first; a segment that is torn, altered or out of place ends them with its position. */
export function readCompactLog(log: Uint8Array, sha256: Sha256 = sha256Of): Iterable<Result<Update, BadSegment>> {
  return readSegments(log, DETAIL_SHAPES, sha256);
}

/** The segments of a compact log, for an engine that reads it without making updates. */
export function segmentsOfCompactLog(log: Uint8Array, sha256: Sha256): Iterable<Result<Segment, BadSegment>> {
  return segmentsOf(log, DETAIL_SHAPES, sha256);
}

const commandShape: Shape<Command> = tagged<Command>('type', COMMAND_SHAPES);

/**
 * Reads a command from JSON: the edge at which unchecked input enters.
 * @returns the command, or every field that does not fit with its value and what was expected
 */
export function parseCommand(json: unknown): Result<Command, readonly Malformed[]> {
  const faults: Malformed[] = [];
  const command = commandShape.read(json, '', faults);
  return faults.length > 0 ? err(faults) : ok(command);
}

/** The JSON form of a command; {@link parseCommand} reads it back. */
export function formatCommand(command: Command): Json {
  return commandShape.write(command, refNumber);
}

/** Several faults of one command as one line. */
export function describeFaults(faults: readonly Malformed[]): string {
  return faults.map(describeMalformed).join('; ');
}

/** Decides a command against a state: what it would do, or why it is refused. Changes nothing. */
export function decide(
  command: Command,
  state: LedgerState,
  context: Context,
): Result<Outcome<Contract, string, object>, Rejection> {
  if (context.now < state.time) return err({ code: 'TIME_IN_PAST', at: context.now, ledgerTime: state.time });
  const opens = command.type === 'OpenLedger';
  if (!opens && !state.book.settings) return err({ code: 'NOT_BOOTSTRAPPED' });
  const unsigned = carriesSignature(command) ? null : refuseUnsigned(context, state);
  return unsigned ? err(unsigned) : decideAuthorised(command, state, context);
}

/**
 * The plain transfer that a command comes to, or null: then {@link decide} decides. It is what most commands of a simulation come to, and
 * costs a fraction in numbers; that both ways give the same updates is a law of the tests.
 */
export function plainOf(command: Command, state: LedgerState, context: Context): PlainTransfer | null {
  switch (command.type) {
    case 'DirectTransfer':
      return plainDirectTransfer(command, state, context);
    case 'SelfTransfer':
      return plainSelfTransfer(command, state, context);
    case 'MergeHoldings':
      return plainMerge(command.owner, command.inputs, state, context);
    default:
      return null;
  }
}

/** The command that a payment between two wallets is, out of the smallest coins of one; or what is wrong with its numbers. */
export function commandOfPayment(
  from: number,
  to: number,
  units: number,
  state: LedgerState,
): Result<DirectTransfer, Rejection> {
  const parties = numberingOf(state);
  const sender = parties.at(from);
  const receiver = parties.at(to);
  if (sender === undefined || receiver === undefined) {
    const [field, value] = sender === undefined ? ['from', from] : ['to', to];
    return err({ code: 'INVALID_ARGUMENT', field, value: String(value), expected: 'a number that walletOf gave' });
  }
  if (!Number.isSafeInteger(units)) {
    const expected = 'units of 10^-10 coin: a whole number up to 2^53 - 1';
    return err({ code: 'INVALID_ARGUMENT', field: 'units', value: String(units), expected });
  }
  const amount = Amount.ofUnits(BigInt(units));
  const inputs = inputsCovering(state, sender, amount, 'smallest');
  return ok({ type: 'DirectTransfer', sender, receiver, amount, inputs });
}

/** The contracts that a command and the detail of its outcome mention, whether they exist or not. */
export function contractsMentioned(
  command: Command,
  { kind, detail }: Outcome<Contract, string, object>,
): ReadonlySet<ContractId> {
  const mentioned = new Set<ContractId>();
  const note = (id: ContractId): Json => {
    mentioned.add(id);
    return id;
  };
  commandShape.write(command, note);
  DETAIL_SHAPES[kind as UpdateKind].write(detail, note);
  return mentioned;
}

/** Commands that are authorised by the signatures they carry, whoever brings them. */
export function carriesSignature({ type }: AnyCommand): boolean {
  return type === 'SubmitPrepared' || type === 'SubmitTopology';
}

/** Decides a command of which the acting parties are known to be who they say. */
export function decideAuthorised(command: AnyCommand, state: LedgerState, context: Context): AnyDecision {
  const workflow = workflowOf(command);
  if (!workflow)
    return err({
      code: 'INVALID_ARGUMENT',
      field: 'type',
      value: command.type,
      expected: `one of ${COMMAND_TYPES.join(', ')}`,
    });
  return workflow.decide(command, state, context, runner);
}

const runner: CommandRunner = {
  parse: parseCommand,
  carriesSignature,
  decide: decideAuthorised,
  apply: (outcome, state, context) => {
    const update = place(outcome, state, context, () => '' as UpdateId);
    evolve(state, update, codec.encode);
  },
};

/** Gives an outcome its place in the log. */
export function place(
  outcome: Outcome<Contract, string, object>,
  state: LedgerState,
  context: Context,
  idOf: (offset: Offset, at: Instant) => UpdateId,
): Update {
  const offset = (state.offset + 1) as Offset;
  return {
    offset,
    updateId: idOf(offset, context.now),
    recordTime: context.now,
    kind: outcome.kind,
    // A copy: what the caller does with its list afterwards is no business of the log.
    actAs: outcome.actAs ?? [...context.actAs],
    archived: outcome.archived,
    created: outcome.created,
    detail: outcome.detail,
  } as Update;
}
