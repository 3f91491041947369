// Habits.
import { Amount, Duration, openEngine, PartyId } from '@coinlab/core';
import { habitsOf, habitsOfWallet, runHabits, type ValidatorAutomation } from '@coinlab/automation';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const validator: ValidatorAutomation = {
  validator: alice,
  memberId: 'PAR::alice',
  wallets: [alice, bob],
  recordsLiveness: true,
  collectsRewards: true,
  completesOffers: true,
  mintsByDelegation: false,
  sendsTransferCommands: false,
  renewsNames: false,
  topUp: null,
  preapprovals: null,
  acceptsMergeDelegations: false,
  sweeps: {},
  walletOffers: 'public',
  autoAccept: {},
  clockSkewGrace: Duration.seconds(5),
};
console.log(habitsOfWallet(bob, validator).map(({ name, cadence }) => `${name.replace(/::\w+/, '')} (${cadence})`));

const engine = openEngine();
const tap = { type: 'Tap', receiver: bob, amount: Amount.of('5') } as const;
for (let i = 0; i < 2; i++) engine.submit(tap, { now: engine.state.time, actAs: [bob] });
const config = { dso: null, superValidators: [], validators: [validator], mergeOperators: [] };
console.log(habitsOf(config, engine.state).length);
const { accepted, refused } = runHabits(engine, habitsOf(config, engine.state), engine.state.time);
console.log(
  accepted.map(({ kind }) => kind),
  refused.length,
);

// Prints:
// [
//   'offers of bob (frequent)',
//   'traffic requests of bob (frequent)',
//   'expired offers of bob (frequent)',
//   'collection of bob (rewards)'
// ]
// 9
// [ 'HoldingsMerged' ] 0
