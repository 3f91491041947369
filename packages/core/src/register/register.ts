import type { Shape } from '../kernel/shape.js';
import type { AnyCommand, AnyDecision, CommandOutcome, CommandRunner, Pack, UpdateSpecs } from '../rules/workflow.js';
import type { LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import * as WORKFLOWS from './workflows.js';

export { WORKFLOWS };

export type Registered = (typeof WORKFLOWS)[keyof typeof WORKFLOWS];

/** The union of all commands, told apart by `type`. */
export type Command = Parameters<Registered['decide']>[0];

/** The name of a command. */
export type CommandType = Command['type'];

type CommandsByType = { readonly [Each in Command as Each['type']]: Each };

/** The type of the command with the given name: `CommandOf<'Tap'>`. */
export type CommandOf<Type extends CommandType> = CommandsByType[Type];

/** A command as an argument: the compiler infers its type from the field `type` and rejects literals with an unknown field. */
export type CommandArgument<Type extends CommandType> = { readonly type: Type } & CommandOf<Type>;

type Updates = Registered['updates'];
type KindIn<Specs> = Specs extends unknown ? keyof Specs : never;
type DetailIn<Specs, Kind extends PropertyKey> =
  Specs extends Readonly<Record<Kind, { readonly detail: Shape<infer Detail> }>> ? Detail : never;

/** The type of the field `detail` of every update kind, by kind. */
export type UpdateDetails = { readonly [Kind in KindIn<Updates>]: DetailIn<Updates, Kind> };

/** The kinds of updates, such as `Tapped`. */
export type UpdateKind = keyof UpdateDetails;

interface AnyWorkflow {
  readonly commands: Readonly<Record<string, Shape<unknown>>>;
  readonly outcomes: Readonly<Record<string, CommandOutcome<string>>>;
  readonly source: string;
  readonly updates: object;
  readonly pack?: object;
  decide(command: AnyCommand, state: LedgerState, context: Context, runner: CommandRunner): AnyDecision;
}

const all: readonly AnyWorkflow[] = Object.values(WORKFLOWS);

export const UPDATE_SPECS: UpdateSpecs<UpdateDetails> = merged(all.map(({ updates }) => updates));

/** The names of all update kinds, in alphabetical order. */
export const UPDATE_KINDS: readonly UpdateKind[] = namesOf(UPDATE_SPECS);

export const COMMAND_SHAPES: Readonly<Record<CommandType, Shape<unknown>>> = merged(
  all.map(({ commands }) => commands),
);

/** The names of all commands, in alphabetical order. */
export const COMMAND_TYPES: readonly CommandType[] = namesOf(COMMAND_SHAPES);

export const DETAIL_SHAPES: Readonly<Record<UpdateKind, Shape<unknown>>> = merged(
  UPDATE_KINDS.map((kind) => ({ [kind]: UPDATE_SPECS[kind].detail })),
);

const byType: ReadonlyMap<string, AnyWorkflow> = new Map(
  all.flatMap((workflow) => Object.keys(workflow.commands).map((type) => [type, workflow])),
);

export function workflowOf(type: string): AnyWorkflow | undefined {
  return byType.get(type);
}

const packers: readonly (readonly [string, Pack<AnyCommand>])[] = Object.entries(
  merged<Record<string, Pack<AnyCommand>>>(all.map(({ pack = {} }) => pack)),
);

/** A loop over four, because finding a command among all takes 3 % of a transfer. */
export function packerOf(type: string): Pack<AnyCommand> | null {
  for (let i = 0; i < packers.length; i++) if (packers[i]?.[0] === type) return packers[i]?.[1] ?? null;
  return null;
}

/** Casts: the compiler cannot tell which keys come from which workflow. */
export function merged<All extends object>(parts: readonly object[]): All {
  return Object.assign({}, ...parts) as All;
}

/** Casts: `Object.keys` returns any strings. */
function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return (Object.keys(record) as Name[]).sort();
}
