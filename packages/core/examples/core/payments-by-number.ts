// Payments by number. `pay` uses `packPayment`; call it yourself to keep the entry. `fewOf` is −1 for wallets with
// many coins.
import { Amount, GENESIS_TIME, Instant, openEngine, PartyId, updateOf } from '@coinlab/core';
import { coinsMade, isPacked, receiverOf, senderOf } from '@coinlab/core/codec';
import { fewOf, packPayment, walletOf } from '@coinlab/core/simulation';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const engine = openEngine({ config: { transferPreapprovalFeeUsd: Amount.zero } });
const at = (...actAs: PartyId[]) => ({ now: GENESIS_TIME, actAs });
const consent = {
  type: 'CreatePreapproval',
  receiver: bob,
  provider: alice,
  expiresAt: Instant.latest,
  inputs: [],
} as const;
engine.submit(consent, at(bob, alice));
engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('10') }, at(alice));
const [from, to] = [walletOf(engine.state, alice), walletOf(engine.state, bob)];
console.log(fewOf(engine.state, from));

const entry = packPayment({ from, to, units: 25_000_000_000, now: GENESIS_TIME }, engine.state);
if (entry) {
  console.log(isPacked(entry), coinsMade(entry), senderOf(entry) === alice, receiverOf(entry) === bob);
  engine.apply(entry);
  console.log(updateOf(entry).kind);
}

// Prints:
// 1
// true 2 true true
// TransferCompleted
