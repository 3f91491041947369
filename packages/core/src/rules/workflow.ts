import type { Contract } from '../contracts/contract.js';
import type { PackedTransfer } from '../contracts/packed-transfer.js';
import type { LedgerState } from '../contracts/state.js';
import type { CommandShapes, Context, Outcome, OutcomeOf, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Malformed } from '../kernel/malformed.js';
import type { Rejection } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { amount, record, type Fields, type Json, type Shape } from '../kernel/shape.js';
import type { Consent } from './consent.js';
import type { Recorder } from './history.js';
import type { Refusal } from './refusal-groups.js';
import type { TransactionReader } from './signing/prepared.js';

interface Declarations<Command extends AnyCommand, Details, Outcomes extends CommandOutcomes<Command, keyof Details>> {
  readonly commands: CommandShapes<Command>;
  readonly outcomes: Outcomes;
  /** Numbers of the sections of the specification that define the commands. */
  readonly source: string;
  readonly updates: UpdateSpecs<Details>;
}

export type Pack<Command> = (command: Command, state: LedgerState, context: Context) => PackedTransfer | null;

export interface Workflow<
  Command extends AnyCommand,
  Details,
  Outcomes extends CommandOutcomes<Command, keyof Details>,
> extends Declarations<Command, Details, Outcomes> {
  /** Tried before `decide`. Null: `decide` accepts or refuses the command. */
  readonly pack?: { readonly [Type in Command['type']]?: Pack<Extract<Command, { readonly type: Type }>> };
  decide(command: Command, state: LedgerState, context: Context, runner: CommandRunner): Decision<Details>;
}

export interface CarryingWorkflow<
  Command extends AnyCommand,
  Details,
  Outcomes extends CommandOutcomes<Command, keyof Details>,
> extends Declarations<Command, Details, Outcomes> {
  decide(command: Command, state: LedgerState, context: Context, runner: CommandRunner): AnyDecision;
}

export type Decision<Details> = Result<OutcomeOf<Contract, Details>, Rejection>;

type CommandOutcomes<Command extends AnyCommand, Kind> = { readonly [Type in Command['type']]: CommandOutcome<Kind> };

/** A test checks that a command has no other outcomes. */
export interface CommandOutcome<Kind> {
  readonly becomes: readonly Kind[];
  /** Refusals in order of precedence. Of `EARLY_REFUSALS`, only those that the workflow checks itself are listed. */
  readonly refusals: readonly Refusal[];
  /** Default: the source of the workflow. */
  readonly source?: string;
  /** True if the command contains other commands: it can get their refusals too, and if `becomes` is empty, it becomes their updates. */
  readonly carries?: true;
}

/** Every field is required, so that a missing one fails to compile. */
export type UpdateSpecs<Details> = { readonly [Kind in keyof Details]: UpdateSpec<Details[Kind]> };

type ContractField<Detail> = {
  readonly [Field in keyof Detail]: Detail[Field] extends ContractId ? Field : never;
}[keyof Detail];

interface UpdateSpec<Detail> {
  readonly detail: Shape<Detail>;
  readonly consent: Consent<Detail>;
  /** The contract that the update archives without a successor: the field of the detail that names it, or a lookup. */
  readonly ends: ContractField<Detail> | ((detail: Detail) => ContractId | null) | null;
  readonly history: Recorder<Detail> | null;
}

export const valueDetail: Fields<ValueDetail> = { minted: amount, burned: amount };

/** The shape of a command; its type is read and written outside. */
export function shapeOf<Command extends AnyCommand>(
  fields: Fields<Omit<Command, 'type'>>,
): Shape<Omit<Command, 'type'>> {
  return record(fields);
}

/** Casts: the fields of a detail are the amounts and the rest, which TypeScript does not derive for a generic type. */
export function detailShape<Detail extends ValueDetail>(
  fields: Fields<Omit<Detail, keyof ValueDetail>>,
): Shape<Detail> {
  return record({ ...valueDetail, ...fields } as Fields<Detail>);
}

/** An update that wallet histories do not show. */
export function unrecorded<Detail>(
  detail: Shape<Detail>,
  consent: Consent<NoInfer<Detail>>,
  ends: UpdateSpec<NoInfer<Detail>>['ends'],
): UpdateSpec<Detail> {
  return { detail, consent, ends, history: null };
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

type Decide<Command, Answer> = (command: Command, state: LedgerState, context: Context) => Answer;

export function byType<Command extends AnyCommand, Answer>(functions: {
  readonly [Type in Command['type']]: Decide<Extract<Command, { readonly type: Type }>, Answer>;
}): Decide<Command, Answer> {
  return (command, state, context) => {
    const { type }: { readonly type: Command['type'] } = command;
    // A cast, because the compiler cannot relate the function of a type to the command of that type.
    const decide = functions[type] as Decide<Command, Answer>;
    return decide(command, state, context);
  };
}
