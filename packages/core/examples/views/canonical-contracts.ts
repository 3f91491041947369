// Canonical contracts. `canonicalContract` returns the canonical form of a contract, which the state hash covers. You
// write the contracts that it refers to; `ARCHIVED` is the text for one that is archived. Contract ids are not part of
// the form, so equal contracts of two ledgers have equal texts.
import { ARCHIVED, canonicalContract } from '@coinlab/core/codec';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const [coin] = world.holdingsOf(world.parties.alice);
if (coin) console.log(canonicalContract(coin, () => ARCHIVED).replace(/::\w+/, ''));

// Prints:
// {"template":"Holding","owner":"alice","amount":"10000.0000000000","createdAt":1,"ratePerRound":"0.0038051800","lock":null}
