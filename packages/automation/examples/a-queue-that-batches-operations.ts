// A queue that batches operations.
import { Amount, type BatchOperation } from '@coinlab/core';
import { batchTask, emptyQueue, enqueue, takeBatch, TREASURY_LIMITS, type Operation } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
const pay: BatchOperation = { type: 'DirectTransfer', receiver: bob, amount: Amount.of('5') };
const operations: readonly Operation<BatchOperation>[] = [
  { kind: 'other', isAlone: false, work: pay },
  { kind: 'merge', isAlone: false, work: { type: 'MergeHoldings' } },
];

let queue = emptyQueue<BatchOperation>();
for (const operation of operations) {
  const queued = enqueue(queue, operation);
  if (queued.ok) queue = queued.value;
}
console.log(queue.waiting.length, TREASURY_LIMITS);

const batch = takeBatch(queue);
console.log(batch.operations.length, batch.dropped.length, batch.rest.waiting.length);
const { task, vanished } = batchTask(batch, { party: alice, validator: alice }, world.state, world.now);
if (task) console.log(world.execute(task.command, ...task.actAs).kind, vanished.length);
console.log(Amount.short(world.balanceOf(bob).total));

// Prints:
// 2 { queue: 20, batch: 10 }
// 1 1 0
// BatchExecuted 0
// 10005.0
