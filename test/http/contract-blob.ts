import { Instant } from '@coinlab/core';
import { parse } from 'protobufjs';

/*
 * Decodes created-event blobs with a runtime and descriptions of their own. Source of the fields: transaction.proto and value.proto of
 * Daml-LF 2.1.
 */

const { root } = parse(`
  syntax = "proto3";
  message Versioned { string version = 1; bytes payload = 2; }
  message Contract {
    bytes contractId = 1; string packageName = 2; Name templateId = 3; bytes createArg = 4;
    repeated string signatories = 5; repeated string others = 6; sfixed64 createdAt = 7; bytes cantonData = 8;
  }
  message Name { string packageId = 1; repeated string module = 2; repeated string entity = 3; }
  message Unit {}
  message Value {
    oneof sum {
      Unit unit = 1; bool bool = 2; sint64 int64 = 3; int32 date = 4; sfixed64 timestamp = 5; string numeric = 6;
      string party = 7; string text = 8; bytes contractId = 9; Maybe optional = 10; Items list = 11; Pairs map = 12;
      Fields record = 13; Tagged variant = 14; Enum enum = 15; Texts textMap = 1001;
    }
  }
  message Maybe { Value value = 1; }
  message Items { repeated Value elements = 1; }
  message Fields { repeated Maybe fields = 1; }
  message Tagged { string constructor = 1; Value value = 2; }
  message Enum { string value = 1; }
  message Pair { Value key = 1; Value value = 2; }
  message Pairs { repeated Pair entries = 1; }
  message Entry { string key = 1; Value value = 2; }
  message Texts { repeated Entry entries = 1; }
`);

export interface DecodedBlob {
  readonly version: string;
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: string;
  /** A record is the list of its fields, which have no labels. */
  readonly argument: unknown;
  readonly signatories: readonly string[];
  readonly others: readonly string[];
  readonly createdAt: string;
}

type Decoded = Readonly<Record<string, never>>;

export function decodeBlob(blob: string): DecodedBlob {
  const { version, payload } = decode('Versioned', Buffer.from(blob, 'base64'));
  const contract = decode('Contract', payload);
  const { packageId, module, entity } = contract['templateId'] as unknown as Record<string, readonly string[]>;
  return {
    version: version as unknown as string,
    contractId: hex(contract['contractId']),
    packageName: contract['packageName'] as unknown as string,
    templateId: `${String(packageId)}:${module?.join('.')}:${entity?.join('.')}`,
    argument: plain(decode('Value', contract['createArg'])),
    signatories: contract['signatories'] as unknown as string[],
    others: contract['others'] as unknown as string[],
    createdAt: time(contract['createdAt']),
  };
}

function decode(type: string, bytes: unknown): Decoded {
  return root.lookupType(type).decode(bytes as Uint8Array) as unknown as Decoded;
}

function plain(value: unknown): unknown {
  const sum = value as Decoded & { readonly sum?: string };
  const inner = sum[sum.sum ?? ''] as unknown;
  // Cast: the descriptions above say the types.
  const { value: one, elements, fields, constructor, entries } = (inner ?? {}) as Record<string, unknown>;
  switch (sum.sum) {
    case 'int64':
      return String(inner);
    case 'timestamp':
      return time(inner);
    case 'contractId':
      return hex(inner);
    case 'optional':
      return one ? plain(one) : null;
    case 'list':
      return (elements as unknown[]).map(plain);
    case 'record':
      return (fields as { value: unknown }[]).map((field) => plain(field.value));
    case 'variant':
      return { tag: constructor, value: plain(one) };
    case 'textMap':
      return Object.fromEntries(
        (entries as { key: string; value: unknown }[]).map((each) => [each.key, plain(each.value)]),
      );
    default:
      return inner;
  }
}

function time(micros: unknown): string {
  return Instant.format(Instant.ofMicros(BigInt(String(micros))));
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('hex');
}
