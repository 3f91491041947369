import { MessageType, ScalarType } from '@protobuf-ts/runtime';
import { bigint, bytes, inOneof, message, messages, optional as maybe, scalar, text, texts } from './fields.js';

/*
 * Messages of the Ledger API that prepared transactions consist of. Only the fields that this server writes or reads are declared.
 * Source: com/daml/ledger/api/v2/value.proto, interactive/interactive_submission_service.proto and
 * interactive/transaction/v1/interactive_submission_data.proto of Canton 3.4.
 */

export interface Identifier {
  readonly packageId: string;
  readonly moduleName: string;
  readonly entityName: string;
}

export interface RecordField {
  readonly label: string;
  readonly value?: Value;
}

interface Entry {
  readonly key: string;
  readonly value?: Value;
}

type Sum =
  | { readonly oneofKind: 'unit'; readonly unit: object }
  | { readonly oneofKind: 'bool'; readonly bool: boolean }
  | { readonly oneofKind: 'int64'; readonly int64: bigint }
  | { readonly oneofKind: 'timestamp'; readonly timestamp: bigint }
  | { readonly oneofKind: 'numeric'; readonly numeric: string }
  | { readonly oneofKind: 'party'; readonly party: string }
  | { readonly oneofKind: 'text'; readonly text: string }
  | { readonly oneofKind: 'contractId'; readonly contractId: string }
  | { readonly oneofKind: 'optional'; readonly optional: { readonly value?: Value } }
  | { readonly oneofKind: 'list'; readonly list: { readonly elements: readonly Value[] } }
  | { readonly oneofKind: 'textMap'; readonly textMap: { readonly entries: readonly Entry[] } }
  | { readonly oneofKind: 'record'; readonly record: { readonly fields: readonly RecordField[] } }
  | { readonly oneofKind: 'variant'; readonly variant: { readonly constructor: string; readonly value?: Value } }
  | { readonly oneofKind: 'enum'; readonly enum: { readonly constructor: string } }
  | { readonly oneofKind: undefined };

export interface Value {
  readonly sum: Sum;
}

export interface Create {
  readonly lfVersion: string;
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId?: Identifier;
  readonly argument?: Value;
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
}

export interface Exercise extends Omit<Create, 'argument'> {
  readonly actingParties: readonly string[];
  readonly interfaceId?: Identifier | undefined;
  readonly choiceId: string;
  readonly chosenValue?: Value;
  readonly consuming: boolean;
  readonly children: readonly string[];
  readonly exerciseResult?: Value;
  readonly choiceObservers: readonly string[];
}

export interface Node {
  readonly nodeType:
    | { readonly oneofKind: 'create'; readonly create: Create }
    | { readonly oneofKind: 'exercise'; readonly exercise: Exercise }
    | { readonly oneofKind: undefined };
}

interface TransactionNode {
  readonly nodeId: string;
  readonly versionedNode: { readonly oneofKind: 'v1'; readonly v1: Node } | { readonly oneofKind: undefined };
}

interface NodeSeed {
  readonly nodeId: number;
  readonly seed: Uint8Array;
}

export interface DamlTransaction {
  readonly version: string;
  readonly roots: readonly string[];
  readonly nodes: readonly TransactionNode[];
  readonly nodeSeeds: readonly NodeSeed[];
}

export interface InputContract {
  readonly contract: { readonly oneofKind: 'v1'; readonly v1: Create } | { readonly oneofKind: undefined };
  /** Microseconds since 1970. */
  readonly createdAt: bigint;
  readonly eventBlob: Uint8Array;
}

export interface Metadata {
  readonly submitterInfo?: { readonly actAs: readonly string[]; readonly commandId: string };
  readonly synchronizerId: string;
  readonly mediatorGroup: number;
  readonly transactionUuid: string;
  /** Microseconds since 1970, like the other times. */
  readonly preparationTime: bigint;
  readonly inputContracts: readonly InputContract[];
  readonly minLedgerEffectiveTime?: bigint;
  readonly maxLedgerEffectiveTime?: bigint;
}

export interface PreparedMessage {
  readonly transaction?: DamlTransaction;
  readonly metadata?: Metadata;
}

const V2 = 'com.daml.ledger.api.v2';
const INTERACTIVE = `${V2}.interactive`;
const NODES = `${INTERACTIVE}.transaction.v1`;

export const identifier: MessageType<Identifier> = new MessageType<Identifier>(`${V2}.Identifier`, [
  text(1, 'package_id'),
  text(2, 'module_name'),
  text(3, 'entity_name'),
]);
export const empty: MessageType<object> = new MessageType<object>('google.protobuf.Empty', []);
const optional: MessageType<object> = new MessageType<object>(`${V2}.Optional`, [message(1, 'value', () => value)]);
const list: MessageType<object> = new MessageType<object>(`${V2}.List`, [messages(1, 'elements', () => value)]);
const mapEntry: MessageType<object> = new MessageType<object>(`${V2}.TextMap.Entry`, [
  text(1, 'key'),
  message(2, 'value', () => value),
]);
const textMap: MessageType<object> = new MessageType<object>(`${V2}.TextMap`, [messages(1, 'entries', () => mapEntry)]);
const recordField: MessageType<object> = new MessageType<object>(`${V2}.RecordField`, [
  text(1, 'label'),
  message(2, 'value', () => value),
]);
const record: MessageType<object> = new MessageType<object>(`${V2}.Record`, [messages(2, 'fields', () => recordField)]);
const variant: MessageType<object> = new MessageType<object>(`${V2}.Variant`, [
  text(2, 'constructor'),
  message(3, 'value', () => value),
]);
const enumeration: MessageType<object> = new MessageType<object>(`${V2}.Enum`, [text(2, 'constructor')]);

const value: MessageType<Value> = new MessageType<Value>(
  `${V2}.Value`,
  [
    message(1, 'unit', () => empty),
    scalar(2, 'bool', ScalarType.BOOL),
    bigint(3, 'int64', ScalarType.SINT64),
    bigint(5, 'timestamp', ScalarType.SFIXED64),
    text(6, 'numeric'),
    text(7, 'party'),
    text(8, 'text'),
    text(9, 'contract_id'),
    message(10, 'optional', () => optional),
    message(11, 'list', () => list),
    message(12, 'text_map', () => textMap),
    message(14, 'record', () => record),
    message(15, 'variant', () => variant),
    message(16, 'enum', () => enumeration),
  ].map((field) => inOneof('sum', field)),
);

const create: MessageType<Create> = new MessageType<Create>(`${NODES}.Create`, [
  text(1, 'lf_version'),
  text(2, 'contract_id'),
  text(3, 'package_name'),
  message(4, 'template_id', () => identifier),
  message(5, 'argument', () => value),
  texts(6, 'signatories'),
  texts(7, 'stakeholders'),
]);

const exercise: MessageType<Exercise> = new MessageType<Exercise>(`${NODES}.Exercise`, [
  text(1, 'lf_version'),
  text(2, 'contract_id'),
  text(3, 'package_name'),
  message(4, 'template_id', () => identifier),
  texts(5, 'signatories'),
  texts(6, 'stakeholders'),
  texts(7, 'acting_parties'),
  message(8, 'interface_id', () => identifier),
  text(9, 'choice_id'),
  message(10, 'chosen_value', () => value),
  scalar(11, 'consuming', ScalarType.BOOL),
  texts(12, 'children'),
  message(13, 'exercise_result', () => value),
  texts(14, 'choice_observers'),
]);

const node: MessageType<Node> = new MessageType<Node>(`${NODES}.Node`, [
  inOneof(
    'nodeType',
    message(1, 'create', () => create),
  ),
  inOneof(
    'nodeType',
    message(3, 'exercise', () => exercise),
  ),
]);

const transactionNode: MessageType<TransactionNode> = new MessageType<TransactionNode>(
  `${INTERACTIVE}.DamlTransaction.Node`,
  [
    text(1, 'node_id'),
    inOneof(
      'versionedNode',
      message(1000, 'v1', () => node),
    ),
  ],
);

const nodeSeed: MessageType<NodeSeed> = new MessageType<NodeSeed>(`${INTERACTIVE}.DamlTransaction.NodeSeed`, [
  scalar(1, 'node_id', ScalarType.INT32),
  bytes(2, 'seed'),
]);

const damlTransaction: MessageType<DamlTransaction> = new MessageType<DamlTransaction>(
  `${INTERACTIVE}.DamlTransaction`,
  [
    text(1, 'version'),
    texts(2, 'roots'),
    messages(3, 'nodes', () => transactionNode),
    messages(4, 'node_seeds', () => nodeSeed),
  ],
);

export const inputContract: MessageType<InputContract> = new MessageType<InputContract>(
  `${INTERACTIVE}.Metadata.InputContract`,
  [
    inOneof(
      'contract',
      message(1, 'v1', () => create),
    ),
    bigint(1000, 'created_at', ScalarType.UINT64),
    bytes(1002, 'event_blob'),
  ],
);

const submitterInfo: MessageType<object> = new MessageType<object>(`${INTERACTIVE}.Metadata.SubmitterInfo`, [
  texts(1, 'act_as'),
  text(2, 'command_id'),
]);

const metadata: MessageType<Metadata> = new MessageType<Metadata>(`${INTERACTIVE}.Metadata`, [
  message(2, 'submitter_info', () => submitterInfo),
  text(3, 'synchronizer_id'),
  scalar(4, 'mediator_group', ScalarType.UINT32),
  text(5, 'transaction_uuid'),
  bigint(6, 'preparation_time', ScalarType.UINT64),
  messages(7, 'input_contracts', () => inputContract),
  maybe(bigint(9, 'min_ledger_effective_time', ScalarType.UINT64)),
  maybe(bigint(10, 'max_ledger_effective_time', ScalarType.UINT64)),
]);

export const preparedMessage: MessageType<PreparedMessage> = new MessageType<PreparedMessage>(
  `${INTERACTIVE}.PreparedTransaction`,
  [message(1, 'transaction', () => damlTransaction), message(2, 'metadata', () => metadata)],
);
