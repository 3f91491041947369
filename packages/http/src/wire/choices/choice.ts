import type {
  Command,
  Contract,
  ContractId,
  Json,
  PartyId,
  TemplateName,
  Update,
  UpdateKind,
  UpdateOf,
} from '@coinlab/core';
import type { OpenMiningRound } from '@coinlab/core/contracts';
import { isObject, shown, type Daml, type Fault } from './daml.js';
import { MalformedCommand } from './faults.js';
import type { Site } from './site.js';

/** A choice of the network with the core's command for it. Source: specification of the API §8.3, §9. */
export interface Choice {
  /** The template or interface that declares the choice: `#package-name:Module:Entity`. */
  readonly on: string;
  readonly template: TemplateName;
  readonly name: string;
  /** Other names under which the choice is exercised. */
  readonly aliases: readonly string[];
  readonly isConsuming: boolean;
  readonly argument: Daml<unknown>;
  /** Commands of the core that the choice becomes. */
  readonly commands: readonly Command['type'][];
  /** Kinds of the updates that the choice makes. */
  readonly kinds: readonly UpdateKind[];
  /** Reads the argument and returns the command. Throws MalformedCommand or RefusedCommand. */
  commandOf(argument: unknown, site: Site): Command;
  /** Returns the exercise that an update of one of the `kinds` records; null when another choice made the update. */
  exerciseOf(update: Update, facts: LedgerFacts): Exercise | null;
}

export type ChoiceName = Pick<Choice, 'on' | 'name' | 'isConsuming'>;

/** An exercise as the ledger API describes it. */
export interface Exercise {
  readonly contract: ContractId;
  readonly argument: Json;
  readonly result: Json;
  /** The parties that exercise the choice. Default: those that authorised the update. */
  readonly acting?: readonly PartyId[];
  /** Exercises that this one makes. */
  readonly inner?: readonly Exercised[];
  /**
   * Contracts that the exercise itself archives or creates. Default: those that no other exercise of the update names.
   */
  readonly owns?: ReadonlySet<ContractId>;
}

/** An exercise with the choice that was exercised. */
export interface Exercised extends Exercise {
  readonly choice: ChoiceName;
}

/** Facts about the ledger at the time of an update, for arguments that the log does not keep. */
export interface LedgerFacts {
  readonly dso: PartyId;
  readonly amuletRules: ContractId;
  readonly factory: ContractId;
  readonly round: OpenMiningRound;
  /** Returns a contract that the update archives or uses, as created; null for a record. */
  contract(id: ContractId): Contract | null;
}

export function coinsIn({ archived }: Pick<Update, 'archived'>, facts: LedgerFacts): readonly ContractId[] {
  return archived.filter((id) => facts.contract(id)?.template === 'Holding');
}

/** A create command of the network with the core's command for it. */
export interface Creation {
  readonly on: string;
  readonly argument: Daml<unknown>;
  readonly commands: readonly Command['type'][];
  readonly kinds: readonly UpdateKind[];
  commandOf(argument: unknown, site: Site): Command;
}

type Recorded<Argument> = Omit<Exercise, 'argument'> & { readonly argument: Argument };

type Records<Argument, Kind extends UpdateKind> = {
  readonly [Each in Kind]: (update: UpdateOf<Each>, facts: LedgerFacts) => Recorded<Argument> | null;
};

export function choice<Argument, Kind extends UpdateKind>(declared: {
  readonly on: string;
  readonly template: TemplateName;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly isConsuming: boolean;
  readonly argument: Daml<Argument>;
  readonly commands: readonly Command['type'][];
  readonly command: (argument: Argument, site: Site) => Command;
  readonly records: Records<Argument, Kind>;
}): Choice {
  const { argument, command, records, aliases = [], ...rest } = declared;
  return {
    ...rest,
    aliases,
    argument,
    // Cast: the keys of the records are kinds.
    kinds: Object.keys(records) as Kind[],
    commandOf: (json, site) => command(read(argument, json, 'choiceArgument'), site),
    exerciseOf(update, facts) {
      // Casts: callers pass only updates of the kinds above.
      const recorded = records[update.kind as Kind](update as UpdateOf<Kind>, facts);
      return recorded && { ...recorded, argument: argument.write(recorded.argument) };
    },
  };
}

export function creation<Argument>(declared: {
  readonly on: string;
  readonly argument: Daml<Argument>;
  readonly commands: readonly Command['type'][];
  readonly kinds: readonly UpdateKind[];
  readonly command: (argument: Argument, site: Site) => Command;
}): Creation {
  const { argument, command, ...rest } = declared;
  return { ...rest, argument, commandOf: (json, site) => command(read(argument, json, 'createArguments'), site) };
}

function read<Value>(type: Daml<Value>, json: unknown, field: string): Value {
  if (!isObject(json)) throw new MalformedCommand({ field, value: shown(json), expected: type.expected });
  const faults: Fault[] = [];
  const value = type.read(json, field, faults);
  if (faults[0]) throw new MalformedCommand(faults[0]);
  return value;
}
