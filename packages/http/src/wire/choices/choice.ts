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
import type { Value as DamlValue } from '../protobuf/messages.js';
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
  /** Throws MalformedCommand. */
  read(argument: unknown): Argument;
  /** Returns the exercise that an update of one of the `kinds` records; null when another choice made the update. */
  exerciseOf(update: Update, facts: LedgerFacts): Exercise | null;
}

/** An argument that was read. */
export interface Argument {
  /** Throws MalformedCommand or RefusedCommand. */
  commandOn(site: Site): Command;
  encode(): DamlValue;
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
  /** Throws MalformedCommand. */
  read(argument: unknown): Argument;
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
    read: (json) => argumentIn(json, 'choiceArgument', argument, command),
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
  return { ...rest, argument, read: (json) => argumentIn(json, 'createArguments', argument, command) };
}

function argumentIn<Value>(
  json: unknown,
  field: string,
  type: Daml<Value>,
  command: (argument: Value, site: Site) => Command,
): Argument {
  if (!isObject(json)) throw new MalformedCommand({ field, value: shown(json), expected: type.expected });
  const faults: Fault[] = [];
  const value = type.read(json, field, faults);
  if (faults[0]) throw new MalformedCommand(faults[0]);
  return { commandOn: (site) => command(value, site), encode: () => type.encode(value) };
}
