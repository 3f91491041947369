import type { Contract } from './contracts/contract.js';
import { isOpen, numberingOf, settingsOf, type LedgerState } from './contracts/state.js';
import { sha256Of, type Sha256 } from './kernel/bytes.js';
import type { Context, Outcome } from './kernel/decision.js';
import { UpdateId, type ContractId, type Offset } from './kernel/ids.js';
import type { JsonObject } from './kernel/json.js';
import { describeMalformed, shown, type Malformed } from './kernel/malformed.js';
import type { Rejected, Rejection } from './kernel/rejection.js';
import { err, ok, type Result } from './kernel/result.js';
import { checkPart, instant, list, party, refDigits, tagged, type Shape } from './kernel/shape.js';
import type { Submission } from './genesis.js';
import { updateCodec, type UpdateCodec } from './log/codec.js';
import { CompactLog, CompactUpdates, segmentsOf, type SavedCompactLog } from './log/compact/compact-log.js';
import { updateOf, type Entry } from './log/entry.js';
import { evolve } from './log/evolve.js';
import type { Update, UpdateKind } from './log/update.js';
import {
  COMMAND_SHAPES,
  COMMAND_TYPES,
  DETAIL_SHAPES,
  packerOf,
  workflowOf,
  type Command,
} from './register/register.js';
import { AcceptedEntry } from './log/submitted.js';
import type { AnyCommand, AnyDecision, CommandRunner } from './rules/workflow.js';
import { refuseUnknownReceiver } from './rules/known-parties.js';
import { portableFormat, type TransactionReader } from './rules/signing/prepared.js';
import { isSignedBy } from './rules/signing/signatures.js';
import { invalid, refuseUnsigned } from './rules/refusals.js';

/** Writes updates as lines of JSON and reads them back. */
export const codec: UpdateCodec = updateCodec(DETAIL_SHAPES);

export function printEntry(entry: Entry): string {
  return codec.encode(updateOf(entry));
}

/**
 * Returns an empty compact log, for an engine that is opened with the same seed.
 * @example
 * const log = openCompactLog(seed); const engine = openEngine({ seed, log });
 * @param sha256 hash of its segments; the platform's own is faster: in Node,
 * `(...pieces) => pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest()`
 * @param saved the position of a log to continue; default: a new log
 */
export function openCompactLog(
  seed: number,
  sha256: Sha256 = sha256Of,
  saved: SavedCompactLog | null = null,
): CompactLog {
  return new CompactLog(seed, DETAIL_SHAPES, sha256, saved);
}

/**
 * Reads the updates of a compact log, oldest first; ends with the position of a segment that is torn, altered or out
 * of place.
 * @param log all of it, or pieces of any length; only one segment is held at a time
 */
export function readCompactLog(log: Uint8Array | Iterable<Uint8Array>, sha256: Sha256 = sha256Of): CompactUpdates {
  const segments = segmentsOf(log, DETAIL_SHAPES, sha256);
  return new CompactUpdates(segments, ({ bytes, entries }) => entries.unpackUpdate(bytes));
}

/**
 * Reads a compact log like {@link readCompactLog}, but leaves transfers packed, which takes less time. Before an
 * engine applies such an entry, {@link entryFor} adapts it.
 * @param state gives the numbers of the parties of packed transfers
 */
export function readCompactEntries(
  log: Uint8Array | Iterable<Uint8Array>,
  state: LedgerState,
  sha256: Sha256 = sha256Of,
): CompactUpdates<Entry> {
  const segments = segmentsOf(log, DETAIL_SHAPES, sha256);
  return new CompactUpdates(segments, ({ bytes, entries }) => entries.unpack(bytes, numberingOf(state)));
}

export const commandShape: Shape<Command> = tagged<Command>('type', COMMAND_SHAPES);
const actorsShape: Shape<Context['actAs']> = list(party);

/**
 * Reads a command from unchecked JSON.
 * @returns the command, or all malformed fields with value and expected form
 */
export function parseCommand(json: unknown): Result<Command, readonly Malformed[]> {
  const faults: Malformed[] = [];
  const command = commandShape.read(json, faults);
  return faults.length > 0 ? err(faults) : ok(command);
}

/** Returns the JSON form of a command; {@link parseCommand} reads it back. */
export function formatCommand(command: Command): JsonObject {
  // Cast: the shape of a union prints an object.
  return JSON.parse(commandShape.print(command, refDigits)) as JsonObject;
}

/** Returns the faults of a command as one line. */
export function describeFaults(faults: readonly Malformed[]): string {
  return faults.map(describeMalformed).join('; ');
}

/** Returns whether plain JavaScript passed the types that the early checks read. {@link checkedCopy} refuses the rest with a reason. */
function isRecognisable(command: Command, context: Context): boolean {
  return typeof command?.type === 'string' && typeof context?.now === 'bigint' && Array.isArray(context.actAs);
}

/**
 * Copies the command and its context, so that later changes by the caller do not reach the ledger. The context is
 * copied without a shape of its own, which would add its fields by name: a tenth of the time of a two-step transfer.
 */
function checkedCopy(
  command: Command,
  context: Context,
  state: LedgerState,
): Result<Submission, Rejected<'INVALID_ARGUMENT'>> {
  if (typeof command !== 'object' || command === null)
    return err(invalid('command', shown(command), 'a record with a type and its fields'));
  if (typeof context !== 'object' || context === null)
    return err(invalid('context', shown(context), 'a record with now and actAs'));
  if (!workflowOf(command.type)) return err(unknownType(command));
  const parties = numberingOf(state);
  const faults: Malformed[] = [];
  const own = commandShape.check(command, faults, parties);
  const now = checkPart('context.now', instant, context.now, faults, parties);
  const actAs = checkPart('context.actAs', actorsShape, context.actAs, faults, parties);
  return faults[0] ? err({ code: 'INVALID_ARGUMENT', ...faults[0] }) : ok({ command: own, context: { now, actAs } });
}

function unknownType({ type }: AnyCommand): Rejected<'INVALID_ARGUMENT'> {
  return invalid('type', typeof type === 'string' ? type : shown(type), `one of ${COMMAND_TYPES.join(', ')}`);
}

function refuseEarly(type: string, state: LedgerState, context: Context): Rejection | null {
  if (context.now < state.time) return { code: 'TIME_IN_PAST', at: context.now, ledgerTime: state.time };
  if (type !== 'OpenLedger' && !isOpen(state)) return { code: 'NOT_BOOTSTRAPPED' };
  return carriesSignature(type) ? null : refuseUnsigned(context, state);
}

/**
 * Decides a command without changing the state.
 * @param mayPack false: always returns an update, because laws need one
 * @param runner carries commands and verifies signatures; default: with the portable check
 */
export function step(
  command: Command,
  state: LedgerState,
  context: Context,
  mayPack: boolean,
  runner: CommandRunner = PORTABLE,
): Result<AcceptedEntry, Rejection> {
  if (isRecognisable(command, context)) {
    // Read once: commands have many shapes, and V8 looks a field of them up slowly.
    const { type } = command;
    const refusal = refuseEarly(type, state, context);
    if (refusal) return err(refusal);
    const pack = mayPack ? packerOf(type) : null;
    const packed = pack && pack(command, state, context);
    if (packed) return ok(new AcceptedEntry(packed));
  }
  const own = checkedCopy(command, context, state);
  return own.ok ? decided(own.value, state, runner) : own;
}

function decided(
  { command, context }: Submission,
  state: LedgerState,
  runner: CommandRunner,
): Result<AcceptedEntry, Rejection> {
  const outcome = decideAuthorised(command, state, context, runner);
  return outcome.ok ? ok(new AcceptedEntry(place(outcome.value, state, context, seedOf(command, state)))) : outcome;
}

function seedOf(command: Command, state: LedgerState): number {
  return command.type === 'OpenLedger' ? command.seed : settingsOf(state).seed;
}

export function contractsMentioned(
  command: Command,
  { kind, detail }: Outcome<Contract, string, object>,
): ReadonlySet<ContractId> {
  const mentioned = new Set<ContractId>();
  const note = (id: ContractId): string => {
    mentioned.add(id);
    return refDigits(id);
  };
  commandShape.print(command, note);
  // Workflows declare the kinds of their updates, and `UpdateKind` is the union of these.
  DETAIL_SHAPES[kind as UpdateKind].print(detail, note);
  return mentioned;
}

function carriesSignature(type: string): boolean {
  return type === 'SubmitPrepared' || type === 'SubmitTopology';
}

/** Returns whether a command submits another one or is signed: a signed transaction cannot carry such a command. */
export function isSubmission(command: AnyCommand): boolean {
  return command.type === 'SubmitOnce' || carriesSignature(command.type);
}

export function decideAuthorised(
  command: AnyCommand,
  state: LedgerState,
  context: Context,
  runner: CommandRunner = PORTABLE,
): AnyDecision {
  const workflow = workflowOf(command.type);
  if (!workflow) return err(unknownType(command));
  const unknown = refuseUnknownReceiver(command, state);
  if (unknown) return err(unknown);
  return workflow.decide(command, state, context, runner);
}

export function runnerWith({
  readTransaction = portableFormat,
  isSignedBy: check = isSignedBy,
}: Partial<TransactionReader>): CommandRunner {
  const runner: CommandRunner = {
    parse: parseCommand,
    isSubmission,
    decide: (command, state, context) => decideAuthorised(command, state, context, runner),
    apply: (outcome, state, context) => {
      const update = place(outcome, state, context, settingsOf(state).seed);
      evolve(state, update, printEntry);
    },
    readTransaction,
    isSignedBy: check,
  };
  return runner;
}

const PORTABLE: CommandRunner = runnerWith({});

export function place(
  outcome: Outcome<Contract, string, object>,
  state: LedgerState,
  context: Context,
  seed: number,
): Update {
  // Offsets are consecutive.
  const offset = (state.offset + 1) as Offset;
  return {
    offset,
    updateId: UpdateId.of(seed, offset, context.now),
    recordTime: context.now,
    kind: outcome.kind,
    actAs: outcome.actAs ?? context.actAs,
    archived: outcome.archived,
    created: outcome.created,
    detail: outcome.detail,
    // The workflow paired the kind with its detail.
  } as Update;
}
