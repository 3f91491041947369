// Locked coin and dust.
import { Amount, Round } from '@coinlab/core';
import { expiryRoundOf } from '@coinlab/core/contracts';
import { dustExpiringAt, heldLockedBy } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
const coin = { template: 'Holding', owner: alice, amount: Amount.of('1'), createdAt: Round.of(1) } as const;
const lock = { holders: [bob], expiresAt: world.later('1h'), context: null };
world.put({ ...coin, ratePerRound: Amount.of('0.25'), lock });

const [locked] = heldLockedBy(world.state, bob);
if (!locked) throw new Error('bob holds one coin locked');
console.log(Amount.short(locked.amount), expiryRoundOf(locked, false), expiryRoundOf(locked, true));
console.log([...dustExpiringAt(world.state, Round.of(5))].length, [...dustExpiringAt(world.state, Round.of(6))].length);

// Prints:
// 1.0 6 5
// 0 1
