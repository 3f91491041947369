// Delegated minting.
import { Duration } from '@coinlab/core';
import { coinsToMerge, expireMintingDelegations, mintForBeneficiaries, type Policy } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, carol } = world.parties;
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}

const terms = { beneficiary: alice, delegate: carol, amuletMergeLimit: 2, expiresAt: world.later('1h') };
world.put({ template: 'MintingDelegation', ...terms });
for (const amount of ['1', '2', '3']) world.mint(alice, amount);
console.log(world.utxoCountOf(alice), coinsToMerge(world.utxoCountOf(alice), 2));
run(mintForBeneficiaries(carol));
console.log(world.utxoCountOf(alice));
world.advance('2h');
run(expireMintingDelegations(carol, Duration.seconds(5)));

// Prints:
// 4 3
// MintedForBeneficiary
// 2
// MintingDelegationRejected
