// Traffic top-ups.
import { Amount, Duration } from '@coinlab/core';
import {
  missingForTopUp,
  RESERVED_TRAFFIC_BYTES,
  sparingTraffic,
  topUp,
  topUpParameters,
  type Policy,
  type TopUpConfig,
} from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const config: TopUpConfig = {
  targetThroughput: 1000,
  minTopupInterval: Duration.minutes(10),
  pollingInterval: Duration.seconds(30),
  tap: 'never',
};
const { interval, trafficBytes } = topUpParameters(config, 200_000);
console.log(interval === Duration.minutes(10), trafficBytes, RESERVED_TRAFFIC_BYTES);

const world = createTestLedger();
const { alice } = world.parties;
const loop = { validator: alice, member: { memberId: 'PAR::alice' }, config };
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}
run(topUp(loop));
run(topUp(loop));

const tap: Policy = () => [{ command: { type: 'Tap', receiver: alice, amount: Amount.one }, actAs: [alice] }];
console.log(sparingTraffic(loop, tap, false)(world.state, world.now).length);
world.execute({ type: 'ConsumeTraffic', memberId: 'PAR::alice', bytes: 900_000 }, world.dso);
console.log(sparingTraffic(loop, tap, false)(world.state, world.now).length);
console.log(missingForTopUp(loop, world.state, world.now));

// Prints:
// true 600000 200000
// TopUpStateCreated
// TrafficToppedUp
// 1
// 0
// null
