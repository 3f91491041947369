// Transfers of wallets.
import { Amount } from '@coinlab/core';
import {
  inputsOfWalletTransfer,
  outOfFundsReason,
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

// Prints:
// 1
// 2
// splice.lfdecentralizedtrust.org/tracking-id 280
// Withdrawn by sender
// out of funds (missing 1.5 CC)
