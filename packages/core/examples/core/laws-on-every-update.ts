// Applies an update that claims to have minted more than it created.
import { Amount, GENESIS_TIME, LAWS, openLedger, PartyId } from '@coinlab/core';

const alice = PartyId.of('alice');
const ledger = openLedger({ laws: LAWS });
const context = { now: GENESIS_TIME, actAs: [alice] };
const tapped = ledger.submit({ type: 'Tap', receiver: alice, amount: Amount.of('10') }, context);

if (tapped.ok && tapped.value.update.kind === 'Tapped') {
  const { update } = tapped.value;
  try {
    ledger.apply({ ...update, detail: { ...update.detail, minted: Amount.of('11') } });
  } catch (error) {
    const [claim] = (error as Error).message.split('\n');
    console.log(claim);
  }
}

// Prints:
// broken invariant: created minus archived coin equals minted minus burned coin
