import { ContractId, type Command } from '@coinlab/core';
import { MalformedCommand, RefusedCommand } from './faults.js';
import { cid, isObject, shown, type Fault } from './daml.js';
import { nearestTo } from '@coinlab/core/workflows';
import { Site, type Submitted } from './site.js';
import { choiceNamed, creationOf } from './table.js';

export interface ReadCommand {
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
  const command = creationOf(body['templateId'], field).commandOf(body['createArguments'], site);
  return { command, uses: [...site.used] };
}

function exercised(body: Readonly<Record<string, unknown>>, field: string, submitted: Submitted): ReadCommand {
  const choice = choiceNamed(body['templateId'], body['choice'], field);
  const faults: Fault[] = [];
  const target = cid.read(body['contractId'], `${field}.contractId`, faults);
  if (faults[0]) throw new MalformedCommand(faults[0]);
  const site = new Site(submitted, target);
  const contract = site.contract(choice.template, target);
  if (contract.template === 'ForeignContract' && contract.templateId !== choice.on)
    throw new RefusedCommand({ code: 'CONTRACT_NOT_FOUND', contract: target, wanted: choice.on });
  const command = choice.commandOf(body['choiceArgument'], site);
  return { command, uses: [...site.used] };
}

/** Leaves out ids of other ledgers: no command can use them. */
export function disclosedIds(
  disclosed: readonly { readonly contractId?: string | null | undefined }[],
): ReadonlySet<ContractId> {
  const ids = disclosed.map(({ contractId }) => ContractId.parse(contractId));
  return new Set(ids.flatMap((id) => (id.ok ? [id.value] : [])));
}
