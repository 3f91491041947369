// Open and continue a ledger. `openLedger` submits the commands of `genesis` to `emptyLedger`. `ledgerFrom` continues
// from a state, and its log begins with the next update.
import { emptyLedger, genesis, ledgerFrom, openLedger, PROFILE_NAMES, PROFILES } from '@coinlab/core';

let ledger = emptyLedger();
for (const { command, context } of genesis({ seed: 7 })) {
  const result = ledger.submit(command, context);
  if (result.ok) ledger = result.value.ledger;
  console.log(command.type, result.ok);
}
console.log(ledger.hash() === openLedger({ seed: 7 }).hash());
console.log(ledgerFrom(ledger.state).updates().length);

for (const name of PROFILE_NAMES) console.log(name, PROFILES[name].chargesHoldingFee);

// Prints:
// OpenLedger true
// BootstrapRounds true
// true
// 0
// legacy-fees true
// feeless false
// feeless-24h false
