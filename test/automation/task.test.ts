import { mintForBeneficiaries } from '@coinlab/automation';
import { describe, expect, it } from 'vitest';
import { alice, provider, second, worldOf } from '../core/ledger-fixture.ts';
import { appCoupons, issuingRound, settle } from './automation-fixture.ts';

describe('a beneficiary with a single coin', () => {
  it('has its rewards minted without consuming that coin', () => {
    const world = worldOf();
    const terms = { beneficiary: alice, delegate: provider, expiresAt: second(3600), amuletMergeLimit: 10 };
    world.put({ template: 'MintingDelegation', ...terms });
    world.fund(alice, '5');
    issuingRound(world, 7);
    const inputs = appCoupons(world, alice, 7, ['1']);
    const policy = mintForBeneficiaries(provider);
    expect(policy(world.state, world.now).map(({ command }) => command)).toMatchObject([{ inputs }]);
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary']);
    expect(world.coinsOf(alice)).toEqual(['5.0', '2.0']);
  });
});
