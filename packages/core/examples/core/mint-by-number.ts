// Minted coin by wallet number, for the founding of large networks. `packMintTo` returns null where a `Mint` command is
// needed, for example for a wallet with many coins.
import { countOf, GENESIS_TIME, openEngine, PartyId, updateOf } from '@coinlab/core';
import { packMintTo, walletOf } from '@coinlab/core/simulation';

const alice = PartyId.of('alice');
const engine = openEngine();
const to = walletOf(engine.state, alice);

for (let coin = 1; coin <= 3; coin++) {
  const entry = packMintTo({ to, units: coin * 10_000_000_000, now: GENESIS_TIME }, engine.state);
  if (entry) {
    engine.apply(entry);
    console.log(updateOf(entry).kind, countOf(engine.state, alice));
  }
}

// Prints:
// Minted 1
// Minted 2
// Minted 3
