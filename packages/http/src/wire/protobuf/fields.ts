import { RepeatType, ScalarType, type MessageType, type PartialFieldInfo } from '@protobuf-ts/runtime';

/* Fields of message types, as the protobuf runtime describes them. */

type Integer64 = typeof ScalarType.UINT64 | typeof ScalarType.SINT64 | typeof ScalarType.SFIXED64;

/** Makes the runtime read an integer of 64 bits as a bigint. */
const BIGINT = 0;

export const scalar = (no: number, name: string, T: ScalarType): PartialFieldInfo => ({ no, name, kind: 'scalar', T });
export const text = (no: number, name: string): PartialFieldInfo => scalar(no, name, ScalarType.STRING);
export const bytes = (no: number, name: string): PartialFieldInfo => scalar(no, name, ScalarType.BYTES);
export const texts = (no: number, name: string): PartialFieldInfo => ({
  no,
  name,
  kind: 'scalar',
  T: ScalarType.STRING,
  repeat: RepeatType.UNPACKED,
});
export const bigint = (no: number, name: string, T: Integer64): PartialFieldInfo => ({
  no,
  name,
  kind: 'scalar',
  T,
  L: BIGINT,
});
export const message = (no: number, name: string, T: () => MessageType<object>): PartialFieldInfo => ({
  no,
  name,
  kind: 'message',
  T,
});
export const messages = (no: number, name: string, T: () => MessageType<object>): PartialFieldInfo => ({
  no,
  name,
  kind: 'message',
  T,
  repeat: RepeatType.UNPACKED,
});

// Cast: only messages cannot be marked as optional.
export const optional = (field: PartialFieldInfo): PartialFieldInfo => ({ ...field, opt: true }) as PartialFieldInfo;

export const inOneof = (oneof: string, field: PartialFieldInfo): PartialFieldInfo =>
  // Cast: a field of a oneof is neither optional nor repeated.
  ({ ...field, oneof }) as PartialFieldInfo;
