import { isOneOf, Literal } from '@coinlab/collections';
import { Amount } from '../amount.js';
import { ContractId, PartyId } from '../ids.js';
import { shown, type Malformed } from '../malformed.js';
import type { Result } from '../result.js';
import { Duration, Instant, Round } from '../time.js';
import { anyParty } from '../parties.js';
import { uniform, type Packing, type Shape } from './form.js';

// Casts: a packing reads back the type that it wrote. Callers of `read` and `check` discard the value when they report a fault.

type Forms<Value> = Packing<Value> & Pick<Shape<Value>, 'scan'>;

const packedText: Packing<string> = {
  pack: (value, to) => to.text(value),
  unpack: (from) => from.text(),
};
const packedWord: Packing<string> = {
  pack: (value, to) => to.word(value),
  unpack: (from) => from.word(),
};
const packedInteger: Packing<number> = {
  pack: (value, to) => to.integer(value),
  unpack: (from) => from.integer(),
};
const [TRUE, FALSE] = [new Literal('true'), new Literal('false')];

interface Made {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
}

function leaf<Value>(
  expected: string,
  parse: (json: unknown, field: string) => Result<Value, Malformed>,
  made: Made,
  print: (value: Value) => string,
  forms: Forms<Value>,
): Shape<Value> {
  return uniform({
    ...forms,
    expected,
    read: (json, faults) => valueOf(parse(json, ''), faults),
    check: (value, faults) => take<Value>(value, faults, made),
    print,
  });
}

function valueOf<Value>(parsed: Result<Value, Malformed>, faults: Malformed[]): Value {
  if (parsed.ok) return parsed.value;
  faults.push(parsed.error);
  return undefined as Value;
}

function take<Value>(value: unknown, faults: Malformed[], { accepts, expected }: Made): Value {
  if (!accepts(value)) faults.push({ field: '', value: shown(value), expected });
  return value as Value;
}

function checked<Value>(expected: string, accepts: (json: unknown) => boolean, forms: Forms<Value>): Shape<Value> {
  const made: Made = { accepts, expected };
  const check = (value: unknown, faults: Malformed[]): Value => take(value, faults, made);
  return uniform({ ...forms, expected, read: check, check, print: (value) => JSON.stringify(value) });
}

export const amount: Shape<Amount> = leaf(
  'decimal text',
  Amount.parse,
  { accepts: (value) => typeof value === 'bigint', expected: "an Amount, such as Amount.of('2.5')" },
  (value) => `"${Amount.format(value)}"`,
  { pack: (value, to) => to.amount(value), unpack: (from) => from.amount(), scan: (from) => from.amount() },
);
export const instant: Shape<Instant> = leaf(
  'UTC time',
  Instant.parse,
  {
    accepts: (value) => typeof value === 'bigint' && Instant.inRange(value),
    expected: "an Instant, such as Instant.of('2026-01-01T00:00:00Z')",
  },
  (value) => `"${Instant.format(value)}"`,
  { pack: (value, to) => to.time(value), unpack: (from) => from.time(), scan: (from) => from.instant() },
);
export const duration: Shape<Duration> = leaf(
  'microseconds as text',
  Duration.parse,
  {
    accepts: (value) => typeof value === 'bigint' && Duration.inRange(value),
    expected: "a Duration, such as Duration.of('1h')",
  },
  (value) => `"${value}"`,
  {
    pack: (value, to) => to.big(value),
    unpack: (from) => from.big() as Duration,
    scan(from) {
      const span = Duration.parse(from.text());
      return from.found(span.ok ? span.value : null);
    },
  },
);
export const round: Shape<Round> = leaf(
  'round number',
  Round.parse,
  {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    expected: 'a Round: a whole number from 0, such as Round.of(7)',
  },
  (value) => `${value}`,
  { ...(packedInteger as Packing<Round>), scan: (from) => from.count() as Round },
);
export const party: Shape<PartyId> = uniform({
  ...(packedWord as Packing<PartyId>),
  expected: 'party id',
  read: (json, faults, parties = anyParty) => parties.partyOf(json) ?? valueOf(PartyId.parse(json, ''), faults),
  check(value, faults, parties) {
    const own = parties.partyOf(value);
    if (own === undefined)
      faults.push({ field: '', value: shown(value), expected: "a PartyId, such as PartyId.of('alice')" });
    return own as PartyId;
  },
  // Party ids contain no character that needs an escape.
  print: (value) => `"${value}"`,
  scan: (from) => from.party(),
});
const MADE_CONTRACT_ID = 'a ContractId: a number, such as the id of a contract; ContractId.parse reads its text';
export const contractId: Shape<ContractId> = uniform({
  expected: 'contract number',
  read: (json, faults) => valueOf(ContractId.read(json, ''), faults),
  check(value, faults) {
    // Whole, so that lists of ids are checked without a further call.
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
      faults.push({ field: '', value: shown(value), expected: MADE_CONTRACT_ID });
    return value as ContractId;
  },
  print: (value, ref) => ref(value),
  scan: (from) => from.contract(),
  pack: (value, to) => to.contract(value),
  unpack: (from) => from.contract(),
});
export const text: Shape<string> = checked('text', (json) => typeof json === 'string', {
  ...packedText,
  scan: (from) => from.text(),
});
export const phrase: Shape<string> = uniform({ ...text, ...packedWord });
export const bool: Shape<boolean> = checked('true or false', (json) => typeof json === 'boolean', {
  pack: (value, to) => to.count(value ? 1 : 0),
  unpack: (from) => from.count() === 1,
  scan(from) {
    const isTrue = from.has(TRUE);
    if (!isTrue) from.expect(FALSE);
    return isTrue;
  },
});
export const integer: Shape<number> = checked('whole number', (json) => Number.isSafeInteger(json), {
  ...packedInteger,
  scan: (from) => from.integer(),
});

export function oneOf<const Word extends string>(words: readonly Word[]): Shape<Word> {
  return checked(`one of ${words.join(', ')}`, (json) => isOneOf(words, json), {
    ...(packedWord as Packing<Word>),
    scan(from) {
      const word = from.text();
      return from.found(isOneOf(words, word) ? word : null);
    },
  });
}
