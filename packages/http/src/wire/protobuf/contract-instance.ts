import { MessageType, ScalarType } from '@protobuf-ts/runtime';
import { bigint, bytes, inOneof, message, messages, scalar, text, texts } from './fields.js';
import { empty, type Value } from './messages.js';
import { writerOf, type Write } from './writer.js';

/*
 * The messages of a contract that clients carry to a submission. No published package describes them.
 * Source: com/digitalasset/daml/lf/transaction.proto and value.proto of Daml-LF 2.1.
 */

export interface ContractInstance {
  readonly contractId: Uint8Array;
  readonly packageName: string;
  readonly templateId: {
    readonly packageId: string;
    readonly moduleName: readonly string[];
    readonly name: readonly string[];
  };
  readonly createArg: Uint8Array;
  /** Signatories that are not maintainers, in alphabetical order like all lists of stakeholders. */
  readonly nonMaintainerSignatories: readonly string[];
  readonly nonSignatoryStakeholders: readonly string[];
  /** Microseconds since 1970. */
  readonly createdAt: bigint;
}

interface Versioned {
  readonly version: string;
  readonly payload: Uint8Array;
}

const LF = 'com.digitalasset.daml.lf';

const identifier: MessageType<object> = new MessageType<object>(`${LF}.value.Identifier`, [
  text(1, 'package_id'),
  texts(2, 'module_name'),
  texts(3, 'name'),
]);
const optional: MessageType<object> = new MessageType<object>(`${LF}.value.Value.Optional`, [
  message(1, 'value', () => value),
]);
const list: MessageType<object> = new MessageType<object>(`${LF}.value.Value.List`, [
  messages(1, 'elements', () => value),
]);
const entry: MessageType<object> = new MessageType<object>(`${LF}.value.Value.TextMap.Entry`, [
  text(1, 'key'),
  message(2, 'value', () => value),
]);
const textMap: MessageType<object> = new MessageType<object>(`${LF}.value.Value.TextMap`, [
  messages(1, 'entries', () => entry),
]);
const field: MessageType<object> = new MessageType<object>(`${LF}.value.Value.Record.Field`, [
  message(1, 'value', () => value),
]);
const record: MessageType<object> = new MessageType<object>(`${LF}.value.Value.Record`, [
  messages(1, 'fields', () => field),
]);
const variant: MessageType<object> = new MessageType<object>(`${LF}.value.Value.Variant`, [
  text(1, 'constructor'),
  message(2, 'value', () => value),
]);

const value: MessageType<object> = new MessageType<object>(
  `${LF}.value.Value`,
  [
    message(1, 'unit', () => empty),
    scalar(2, 'bool', ScalarType.BOOL),
    bigint(3, 'int64', ScalarType.SINT64),
    bigint(5, 'timestamp', ScalarType.SFIXED64),
    text(6, 'numeric'),
    text(7, 'party'),
    text(8, 'text'),
    bytes(9, 'contract_id'),
    message(10, 'optional', () => optional),
    message(11, 'list', () => list),
    message(13, 'record', () => record),
    message(14, 'variant', () => variant),
    message(1001, 'text_map', () => textMap),
  ].map((each) => inOneof('sum', each)),
);

const contractInstance: MessageType<ContractInstance> = new MessageType<ContractInstance>(
  `${LF}.transaction.FatContractInstance`,
  [
    bytes(1, 'contract_id'),
    text(2, 'package_name'),
    message(3, 'template_id', () => identifier),
    bytes(4, 'create_arg'),
    texts(5, 'non_maintainer_signatories'),
    texts(6, 'non_signatory_stakeholders'),
    bigint(7, 'created_at', ScalarType.SFIXED64),
  ],
);
const versioned: MessageType<Versioned> = new MessageType<Versioned>(`${LF}.transaction.Versioned`, [
  text(1, 'version'),
  bytes(2, 'payload'),
]);

const writeInstance: Write<ContractInstance> = writerOf(contractInstance);
const writeVersioned: Write<Versioned> = writerOf(versioned);
const writeValue: Write<object> = writerOf(value);

export function writeContractInstance(version: string, instance: ContractInstance): Uint8Array {
  return Uint8Array.from(writeVersioned({ version, payload: writeInstance(instance) }));
}

/** Daml-LF does not store the labels of records. The bytes are valid until the next value is written. */
export function writeLfValue(of: Value): Uint8Array {
  return writeValue(lfValue(of));
}

/** Contract ids are bytes in Daml-LF and text in the Ledger API. */
function lfValue({ sum }: Value): object {
  switch (sum.oneofKind) {
    case 'contractId':
      return { sum: { oneofKind: 'contractId', contractId: Buffer.from(sum.contractId, 'hex') } };
    case 'optional':
      return { sum: { oneofKind: 'optional', optional: inner(sum.optional.value) } };
    case 'list':
      return { sum: { oneofKind: 'list', list: { elements: sum.list.elements.map(lfValue) } } };
    case 'textMap':
      return {
        sum: {
          oneofKind: 'textMap',
          textMap: { entries: sum.textMap.entries.map(({ key, value: each }) => ({ key, ...inner(each) })) },
        },
      };
    case 'record':
      return {
        sum: {
          oneofKind: 'record',
          record: { fields: sum.record.fields.map(({ value: each }) => inner(each)) },
        },
      };
    case 'variant':
      return {
        sum: {
          oneofKind: 'variant',
          variant: { constructor: sum.variant.constructor, ...inner(sum.variant.value) },
        },
      };
    default:
      return { sum };
  }
}

function inner(of: Value | undefined): { readonly value?: object } {
  return of === undefined ? {} : { value: lfValue(of) };
}
