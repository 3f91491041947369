// Ids and results.
import { ContractId, err, Instant, ok, TEST_PARTIES, UpdateId, type Offset, type Result } from '@coinlab/core';

console.log(TEST_PARTIES.slice(0, 3));
console.log(ContractId.of(17), ContractId.read('17').ok);

const at = Instant.of('2026-01-01T00:00:00Z');
const id = UpdateId.of(7, 3 as Offset, at);
console.log(UpdateId.parse(id).ok, id === UpdateId.of(7, 3 as Offset, at));

function half(count: number): Result<number, string> {
  return count % 2 === 0 ? ok(count / 2) : err(`${count} is odd`);
}
console.log(half(4), half(5));

// Prints:
// [ 'alice', 'bob', 'carol' ]
// 17 false
// true true
// { ok: true, value: 2 } { ok: false, error: '5 is odd' }
