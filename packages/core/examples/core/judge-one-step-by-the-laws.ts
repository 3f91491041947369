// Judge one step by the laws.
import { Amount, brokenLaws, LAWS, openLedger, PartyId } from '@coinlab/core';

const alice = PartyId.of('alice');
const before = openLedger();
const tap = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
const result = before.submit(tap, { now: before.state.time, actAs: [alice] });
if (result.ok) {
  const { update, ledger } = result.value;
  console.log(brokenLaws(LAWS, { before: before.state, update, after: ledger.state }));
  const forged = { ...update, detail: { ...update.detail, minted: Amount.of('2') } };
  console.log(brokenLaws(LAWS, { before: before.state, update: forged, after: ledger.state })[0]?.name);
}

// Prints:
// []
// created minus archived coin equals minted minus burned coin
