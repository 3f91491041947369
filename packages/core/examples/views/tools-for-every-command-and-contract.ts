// Tools for every command and contract.
import { ok, type Malformed, type Result } from '@coinlab/core';
import {
  at,
  contractShape,
  firstOf,
  invariant,
  isOneOf,
  keysOf,
  malformed,
  refDigits,
  shapes,
  unreachable,
} from '@coinlab/core/workflows';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const coin = at(world.holdingsOf(world.parties.alice), 0);
const printed = contractShape.print(coin, refDigits);
console.log(contractShape.read(JSON.parse(printed), []).id === coin.id);

function count(text: string): Result<number, Malformed> {
  return /^\d+$/.test(text) ? ok(Number(text)) : malformed('count', text, 'a whole number');
}
console.log(count('5'), count('many'));

const limits = shapes.record<{ readonly most: number; readonly owner: string | null }>({
  most: shapes.integer,
  owner: shapes.nullable(shapes.text),
});
const faults: Malformed[] = [];
limits.read({ most: 'many', owner: null }, faults);
console.log(faults);
console.log(firstOf(new Set([1, 2, 3]), 2));

const units = ['coin', 'usd'] as const;
function symbolOf(unit: (typeof units)[number]): string {
  switch (unit) {
    case 'coin':
      return 'CC';
    case 'usd':
      return '$';
    default:
      return unreachable(unit);
  }
}
const unit: unknown = 'usd';
if (isOneOf(units, unit)) console.log(symbolOf(unit));
console.log(keysOf({ minted: 1, burned: 2 }));
try {
  invariant(coin.amount < 0n, 'a coin is negative');
} catch (error) {
  console.log(error instanceof Error && error.message);
}

// Prints:
// true
// { ok: true, value: 5 } {
//   ok: false,
//   error: { field: 'count', value: '"many"', expected: 'a whole number' }
// }
// [ { field: 'most', value: '"many"', expected: 'whole number' } ]
// [ 1, 2 ]
// $
// [ 'minted', 'burned' ]
// broken invariant: a coin is negative
