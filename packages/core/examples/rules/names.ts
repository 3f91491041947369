// Names.
import { Amount, contractsOf, Duration, Instant } from '@coinlab/core';
import { ANS_CONFIG, ansContextOf, entryNamed, renewableFrom } from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

console.log(Amount.short(ANS_CONFIG.entryFeeUsd), ANS_CONFIG.entryLifetime === Duration.days(90));

const world = createTestLedger();
const { alice: user, carol } = world.parties;
const founder = { party: carol, name: 'SV 1', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [founder] }, world.dso);

const name = 'alice.unverified.ans';
const wanted = { type: 'RequestAnsEntry', user, name, url: 'https://example.org', description: '' } as const;
const { reference } = world.execute(wanted, user).detail;
console.log(ansContextOf(world.state, reference)?.name, entryNamed(world.state, name, world.now));

const inputs = world.inputsFor(user, '200');
const { payment } = world.execute({ type: 'PayAnsSubscription', subscription: reference, inputs }, user).detail;
world.execute({ type: 'CollectAnsPayment', payment }, world.dso);
console.log(entryNamed(world.state, name, world.now)?.user === user, entryNamed(world.state, name, world.later('90d')));
for (const subscription of contractsOf(world.state, 'SubscriptionIdleState', user))
  console.log(Instant.format(renewableFrom(subscription)), Instant.format(subscription.nextPaymentDueAt));

// Prints:
// 1.0 true
// alice.unverified.ans null
// true null
// 2026-03-02T00:00:00.000000Z 2026-04-01T00:00:00.000000Z
