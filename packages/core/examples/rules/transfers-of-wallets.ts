// Transfers of wallets.
import { Amount } from '@coinlab/core';
import {
  inputsOfWalletTransfer,
  mostValuable,
  outOfFundsReason,
  registryRound,
  reserveFor,
  TEXT_LIMIT,
  TRACKING_ID_KEY,
  WITHDRAWN_BY_SENDER,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
world.as(alice).offer(bob, '10', { expiresIn: '1h' });
console.log(inputsOfWalletTransfer(world.state, alice, world.now).length);
console.log(inputsOfWalletTransfer(world.state, alice, world.later('1h')).length);

console.log(TRACKING_ID_KEY, TEXT_LIMIT);
console.log(WITHDRAWN_BY_SENDER);
console.log(outOfFundsReason(Amount.of('1.5')));

const charging = createTestLedger({ profile: 'legacy-fees' });
const { state, now: requestedAt } = charging;
const round = registryRound(state, requestedAt);
if (!round.ok) throw new Error('a test ledger has open rounds');
const coins = mostValuable(charging.holdingsOf(charging.parties.alice), round.value, state);
console.log(coins.length);
const terms = { sender: alice, receiver: bob, amount: Amount.of('10'), requestedAt };
console.log(Amount.short(reserveFor({ ...terms, executeBefore: charging.later('1h') }, round.value, state)));

// Prints:
// 1
// 2
// splice.lfdecentralizedtrust.org/tracking-id 280
// Withdrawn by sender
// out of funds (missing 1.5 CC)
// 1
// 24.49132432
