import type { Contract } from '../contracts/contract.js';
import type { PackedTransfer } from '../contracts/packed-transfer.js';
import type { LedgerState } from '../contracts/state.js';
import type { CommandShapes, Context, Outcome, OutcomeOf, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Malformed } from '../kernel/malformed.js';
import type { Rejection } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import type { Json, Shape } from '../kernel/shape.js';
import type { Consent } from './consent.js';
import type { Recorder } from './history.js';
import type { Refusal } from './refusal-groups.js';
import type { TransactionReader } from './prepared.js';

export interface Workflow<
  Command extends AnyCommand,
  Details,
  Outcomes extends CommandOutcomes<Command, keyof Details>,
> {
  readonly commands: CommandShapes<Command>;
  readonly outcomes: Outcomes;
  readonly updates: UpdateSpecs<Details>;
  /** Tried before `decide`. Null: `decide` accepts or refuses the command. */
  pack?(command: Command, state: LedgerState, context: Context): PackedTransfer | null;
  decide(command: Command, state: LedgerState, context: Context, runner: CommandRunner): Decision<Details>;
}

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

export type Decision<Details> = Result<OutcomeOf<Contract, Details>, Rejection>;

type CommandOutcomes<Command extends AnyCommand, Kind> = { readonly [Type in Command['type']]: CommandOutcome<Kind> };

/** A test checks that a command has no other outcomes. */
export interface CommandOutcome<Kind> {
  readonly becomes: readonly Kind[];
  /** Refusals in order of precedence. Of `EARLY_REFUSALS`, only those that the workflow checks itself are listed. */
  readonly refusals: readonly Refusal[];
  readonly source: string;
  /**
   * True if the command contains other commands: it can get their refusals too, and if `becomes` is empty, it becomes
   * their updates.
   */
  readonly carries?: true;
}

/** Every field is required, so that a missing one fails to compile. */
export type UpdateSpecs<Details> = { readonly [Kind in keyof Details]: UpdateSpec<Details[Kind]> };

interface UpdateSpec<Detail> {
  readonly detail: Shape<Detail>;
  readonly consent: Consent<Detail>;
  /**
   * Returns the contract that the update archives without a successor, as its detail names it; null when no field
   * does.
   */
  readonly ends: ((detail: Detail) => ContractId | null) | null;
  readonly history: Recorder<Detail> | null;
}

export interface AnyCommand {
  readonly type: string;
  readonly receiver?: PartyId;
}

export type AnyDecision = Result<Outcome<Contract, string, ValueDetail>, Rejection>;

/** Passed to workflows that carry commands, because none imports another. */
export interface CommandRunner extends TransactionReader {
  parse(json: Json): Result<AnyCommand, readonly Malformed[]>;
  isSubmission(command: AnyCommand): boolean;
  decide(command: AnyCommand, state: LedgerState, context: Context): AnyDecision;
  apply(outcome: Outcome<Contract, string, ValueDetail>, state: LedgerState, context: Context): void;
}
