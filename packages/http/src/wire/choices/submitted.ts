import { ContractId, type Command } from '@coinlab/core';
import type { Argument, Choice } from './choice.js';
import { MalformedCommand, RefusedCommand } from './faults.js';
import { cid, isObject, shown, type Fault } from './daml.js';
import { nearestTo } from '@coinlab/core/workflows';
import { Site, type Submitted } from './site.js';
import { choiceNamed, creationOf } from './table.js';

/** A command of a submission with its argument. It depends on no ledger. */
export type GivenCommand = GivenCreate | GivenExercise;

interface GivenCreate {
  readonly kind: 'CreateCommand';
  readonly argument: Argument;
}

export interface GivenExercise {
  readonly kind: 'ExerciseCommand';
  readonly choice: Choice;
  /** The name of the choice or an alias, as the client spells it. */
  readonly name: string;
  readonly target: ContractId;
  /** The target, as the client spells it. */
  readonly contractId: string;
  readonly argument: Argument;
}

export interface ReadCommand {
  readonly given: GivenCommand;
  /** The core's command for it on a state. */
  readonly command: Command;
  readonly uses: readonly ContractId[];
}

const KINDS = ['CreateCommand', 'ExerciseCommand', 'CreateAndExerciseCommand', 'ExerciseByKeyCommand'] as const;
type Kind = (typeof KINDS)[number];

/** Source: specification of the API §8.3. */
export function readCommand(commands: readonly unknown[], submitted: Submitted): ReadCommand {
  if (commands.length !== 1)
    throw new MalformedCommand({
      field: 'commands',
      value: `${commands.length} commands`,
      expected: 'one command; submit several in separate requests',
    });
  const { kind, body } = kindOf(commands[0]);
  const field = `commands[0].${kind}`;
  if (kind === 'CreateCommand') return created(body, field, submitted);
  if (kind === 'ExerciseCommand') return exercised(body, field, submitted);
  throw new MalformedCommand({ field: 'commands[0]', value: kind, expected: 'CreateCommand or ExerciseCommand' });
}

function kindOf(command: unknown): { readonly kind: Kind; readonly body: Readonly<Record<string, unknown>> } {
  const names = isObject(command) ? Object.keys(command) : [];
  const [name = ''] = names;
  const kind = KINDS.find((each) => each === name);
  const body = isObject(command) ? command[name] : null;
  if (names.length === 1 && kind !== undefined && isObject(body)) return { kind, body };
  throw new MalformedCommand({
    field: 'commands[0]',
    value: names.length === 1 ? name : shown(command),
    expected: `an object with one key; the nearest is ${nearestTo(name, KINDS)}`,
  });
}

function created(body: Readonly<Record<string, unknown>>, field: string, submitted: Submitted): ReadCommand {
  const site = new Site(submitted, null);
  const argument = creationOf(body['templateId'], field).read(body['createArguments']);
  return readAt(site, { kind: 'CreateCommand', argument });
}

function exercised(body: Readonly<Record<string, unknown>>, field: string, submitted: Submitted): ReadCommand {
  const choice = choiceNamed(body['templateId'], body['choice'], field);
  const faults: Fault[] = [];
  const target = cid.read(body['contractId'], `${field}.contractId`, faults);
  if (faults[0]) throw new MalformedCommand(faults[0]);
  // A missing contract is refused before a malformed argument.
  const site = siteOf(choice, target, submitted);
  const argument = choice.read(body['choiceArgument']);
  const [name, contractId] = [String(body['choice']), String(body['contractId'])];
  return readAt(site, { kind: 'ExerciseCommand', choice, name, target, contractId, argument });
}

/** Reads a command on another state. Throws MalformedCommand or RefusedCommand. */
export function readOn(given: GivenCommand, submitted: Submitted): ReadCommand {
  const site =
    given.kind === 'CreateCommand' ? new Site(submitted, null) : siteOf(given.choice, given.target, submitted);
  return readAt(site, given);
}

function siteOf(choice: Choice, target: ContractId, submitted: Submitted): Site {
  const site = new Site(submitted, target);
  const contract = site.contract(choice.template, target);
  if (contract.template === 'ForeignContract' && contract.templateId !== choice.on)
    throw new RefusedCommand({ code: 'CONTRACT_NOT_FOUND', contract: target, wanted: choice.on });
  return site;
}

function readAt(site: Site, given: GivenCommand): ReadCommand {
  const command = given.argument.commandOn(site);
  return { given, command, uses: [...site.used] };
}

/** Leaves out ids of other ledgers: no command can use them. */
export function disclosedIds(
  disclosed: readonly { readonly contractId?: string | null | undefined }[],
): ReadonlySet<ContractId> {
  const ids = disclosed.map(({ contractId }) => ContractId.parse(contractId));
  return new Set(ids.flatMap((id) => (id.ok ? [id.value] : [])));
}
