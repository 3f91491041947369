import type { PartyId } from '../kernel/ids.js';
import type { Rejection, RejectionCode } from '../kernel/rejection.js';
import type { Result } from '../kernel/result.js';
import { checksOf, EARLY_CHECKS, EARLY_REFUSALS, type CodeIn, type CommandCheck } from '../rules/refusal-groups.js';
import type { CommandOutcome } from '../rules/workflow.js';
import {
  COMMAND_SHAPES,
  COMMAND_TYPES,
  merged,
  WORKFLOWS,
  type CommandOf,
  type CommandType,
  type Registered,
  type UpdateKind,
} from './register.js';

type Declared<Type extends CommandType, All = Registered['outcomes']> =
  All extends Readonly<Record<Type, infer Outcome>> ? Outcome : never;

export type KindOfCommand<Type extends CommandType> =
  Declared<Type> extends { readonly becomes: readonly (infer Kind extends UpdateKind)[] }
    ? [Kind] extends [never]
      ? UpdateKind
      : Kind
    : never;

export type RefusalOfCommand<Type extends CommandType> =
  Declared<Type> extends { readonly carries: true }
    ? RejectionCode
    : Declared<Type> extends { readonly refusals: readonly (infer Item)[] }
      ? (typeof EARLY_REFUSALS)[number] | UnknownReceiver<CommandOf<Type>> | CodeIn<Item>
      : never;

type UnknownReceiver<Command> = Command extends { readonly receiver: PartyId } ? 'UNKNOWN_PARTY' : never;

/** The declared outcomes of a command. */
export interface CommandInfo {
  /** Update kinds of the accepted command. Empty for a command that carries another one and becomes its update. */
  readonly becomes: readonly UpdateKind[];
  /** Codes of the refusals in order of precedence; {@link EARLY_REFUSALS} can refuse any command. */
  readonly refusals: readonly RejectionCode[];
  /** Every check in order of precedence, including the checks of all commands. If several checks refuse with one code, the code appears several times. */
  readonly checks: readonly CommandCheck[];
  /** Numbers of the sections of the specification that define the command. */
  readonly source: string;
  /** True: the command carries other commands, and can also be refused with their codes. */
  readonly carries: boolean;
}

type Sourced = CommandOutcome<UpdateKind> & { readonly source: string };

const declared: Readonly<Record<CommandType, Sourced>> = merged(
  Object.values(WORKFLOWS).flatMap(({ outcomes, source }) =>
    Object.entries(outcomes).map(([type, outcome]) => ({ [type]: { source, ...outcome } })),
  ),
);

/** The outcomes of every command. */
export const COMMANDS: Readonly<Record<CommandType, CommandInfo>> = merged(
  COMMAND_TYPES.map((type) => {
    const { becomes, refusals, source, carries = false } = declared[type];
    const hasReceiver = COMMAND_SHAPES[type].fields?.['receiver'] !== undefined;
    const own = checksOf(hasReceiver ? ['UNKNOWN_PARTY', ...refusals] : refusals, source);
    const codes = [...new Set(own.map(({ code }) => code))];
    return { [type]: { becomes, refusals: codes, checks: [...EARLY_CHECKS, ...own], source, carries } };
  }),
);

/** Returns the update kind or rejection code of an outcome that is missing in the command's entry of {@link COMMANDS}; else null. */
export function undeclaredOutcome(
  type: CommandType,
  outcome: Result<{ readonly update: { readonly kind: UpdateKind } }, Rejection>,
): UpdateKind | RejectionCode | null {
  const { becomes, refusals, carries } = COMMANDS[type];
  if (outcome.ok) {
    const { kind } = outcome.value.update;
    return becomes.includes(kind) || (carries && becomes.length === 0) ? null : kind;
  }
  const { code } = outcome.error;
  const early: readonly RejectionCode[] = EARLY_REFUSALS;
  return carries || early.includes(code) || refusals.includes(code) ? null : code;
}
