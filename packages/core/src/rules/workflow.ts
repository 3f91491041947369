import type { Contract } from '../contracts/contract.js';
import type { PackedTransfer } from '../contracts/packed-transfer.js';
import type { LedgerState } from '../contracts/state.js';
import type { CommandShapes, Context, Outcome, OutcomeOf } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Malformed } from '../kernel/malformed.js';
import type { Rejection } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import type { Json, Shape } from '../kernel/shape.js';
import type { Consent } from './consent.js';
import type { Recorder } from './history.js';
import type { Refusal } from './refusal-groups.js';

/** One story of the ledger: how its commands are written, what it declares of its updates, and how it decides. */
export interface Workflow<
  Command extends AnyCommand,
  Details,
  Outcomes extends CommandOutcomes<Command, keyof Details>,
> {
  readonly commands: CommandShapes<Command>;
  readonly outcomes: Outcomes;
  readonly updates: UpdateSpecs<Details>;
  /** The first step, where a command may be a packed transfer: the transfer, or null to go on with `decide`. It refuses nothing. */
  pack?(command: Command, state: LedgerState, context: Context): PackedTransfer | null;
  /** @param runner for workflows that carry commands of others */
  decide(command: Command, state: LedgerState, context: Context, runner: CommandRunner): Decision<Details>;
}

/** A workflow that carries commands of others and passes on their refusals after its own. */
export interface CarryingWorkflow<
  Command extends AnyCommand,
  Details,
  Outcomes extends CommandOutcomes<Command, keyof Details>,
> {
  readonly commands: CommandShapes<Command>;
  readonly outcomes: Outcomes;
  readonly updates: UpdateSpecs<Details>;
  decide(command: Command, state: LedgerState, context: Context, runner: CommandRunner): AnyDecision;
}

/** What a workflow answers: an outcome that becomes an update, or a rejection. */
export type Decision<Details> = Result<OutcomeOf<Contract, Details>, Rejection>;

type CommandOutcomes<Command extends AnyCommand, Kind> = { readonly [Type in Command['type']]: CommandOutcome<Kind> };

/** What a command declares of its outcomes; a test checks that it has no others. */
export interface CommandOutcome<Kind> {
  readonly becomes: readonly Kind[];
  /** In order of precedence, without those of `EARLY_REFUSALS` that the workflow does not check itself. */
  readonly refusals: readonly Refusal[];
  /** Sections of the specification. */
  readonly source: string;
  /** Whether it passes on the refusals, and without a kind of its own the updates, of commands that it carries. */
  readonly carries?: true;
}

/** What a workflow declares of its update kinds. Every field is required, so that forgetting one does not compile. */
export type UpdateSpecs<Details> = { readonly [Kind in keyof Details]: UpdateSpec<Details[Kind]> };

interface UpdateSpec<Detail> {
  readonly detail: Shape<Detail>;
  /** By whose authority it happens; the laws check it. */
  readonly consent: Consent<Detail>;
  /** The contract that it archives for good, by the field of the detail that names it; null when no field does. */
  readonly ends: ((detail: Detail) => ContractId | null) | null;
  /** Its entries in the histories of wallets; null: none, because it moves no coin. */
  readonly history: Recorder<Detail> | null;
}

export interface AnyCommand {
  readonly type: string;
  readonly receiver?: PartyId;
}

export type AnyDecision = Result<Outcome<Contract, string, object>, Rejection>;

/** Reads, decides and applies commands of every workflow, for those that carry commands of others: no workflow imports another. */
export interface CommandRunner {
  parse(json: Json): Result<AnyCommand, readonly Malformed[]>;
  carriesSignature(command: AnyCommand): boolean;
  decide(command: AnyCommand, state: LedgerState, context: Context): AnyDecision;
  apply(outcome: Outcome<Contract, string, object>, state: LedgerState, context: Context): void;
}
