import { Amount } from '@coinlab/core';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;

const offer = world.as(alice).offer(bob, '2.5', { expiresIn: '1h' });
world.as(bob).accept(offer);
console.log(`bob has ${Amount.short(world.balanceOf(bob).total)}`);
