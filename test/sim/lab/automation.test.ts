import { Amount, balanceOf, brokenLaws, countOf, Engine, LAWS, PartyId, type Update } from '@coinlab/core';
import { firstByKey } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import { parseScenario, World } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { ofKind, play, scenarioOf } from './lab-fixture.ts';

const hint = PartyId.hint;

function scenario(parties: string, { rounds = 12, network = 'rewards: false, expiresDust: false' } = {}): string {
  return `
name: automation
duration: { rounds: ${rounds} }
network: { ${network} }
parties:
${parties}`;
}

const PAID = `
  - name: shop
    count: 1
    payments: null
    opening: { coins: 0, amount: { constant: '1' } }
    income: { every: 1, amount: { constant: '10' } }
    wallet: { merge: { never: true } }`;

function checked(updates: readonly Update[]): void {
  const engine = new Engine();
  for (const update of updates) {
    const before = engine.snapshot();
    engine.apply(update);
    expect(brokenLaws(LAWS, { before, update, after: engine.state })).toEqual([]);
  }
}

describe('the automation of a group', () => {
  it('merges a wallet’s coins in the round after a second coin arrived', () => {
    const { updates, world } = play(scenario(`${PAID}\n    automation: { collects: true }`));
    expect(countOf(world.state, PartyId.of('shop-0'))).toBe(2);
    expect(ofKind(updates, 'HoldingsMerged').map(({ detail }) => detail.inputs)).toEqual(Array(10).fill(2));
    checked(updates);
  });

  it('collects the rewards of a featured provider in their issuing rounds', () => {
    const text = scenario(
      `
  - { name: payers, count: 4, payments: { arrivals: { every: { rounds: 2 } }, amount: { constant: '1' }, to: { groups: [apps] } }, wallet: { merge: { never: true } } }
  - { name: apps, count: 1, featured: true, payments: null, wallet: { merge: { never: true } }, automation: { collects: true } }`,
      { rounds: 24, network: '' },
    );
    const { updates } = play(text);
    const minted = ofKind(updates, 'HoldingsMerged').filter(
      ({ detail }) => hint(detail.sender) === 'apps-0' && detail.minted > 0n,
    );
    expect(minted.length).toBeGreaterThan(0);
  });

  it('collects a wallet’s rewards in their issuing rounds, also when nothing else happens to the wallet', () => {
    // Each user pays once, in the first round.
    const text = scenario(
      `
  - { name: users, count: 3, validator: nodes, payments: { arrivals: { every: { rounds: 1000 } }, amount: { constant: '1' }, to: { groups: [apps] } }, wallet: { merge: { never: true } } }
  - { name: nodes, count: 1, payments: null, automation: { collects: true } }
  - { name: apps, count: 1, payments: null, wallet: { merge: { never: true } }, automation: { collects: true } }`,
      { rounds: 24, network: 'profile: legacy-fees' },
    );
    const { updates } = play(text);
    const merged = ofKind(updates, 'HoldingsMerged').filter(({ detail }) => hint(detail.sender) === 'apps-0');
    // Three coins arrive in two rounds; the rewards can be minted rounds later.
    expect(merged.map(({ detail }) => detail.minted > 0n)).toEqual([false, false, true]);
  });

  it('sweeps by USD limits in one step', () => {
    const { updates } = play(
      scenario(
        `${PAID}
    automation: { sweep: { to: cold, maxBalanceUsd: '5', minBalanceUsd: '1' } }
  - { name: cold, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } } }`,
        { network: "rewards: false, expiresDust: false, amuletPrice: '0.1'" },
      ),
    );
    const swept = ofKind(updates, 'TransferCompleted');
    // 10 coin per round are 1 USD: with 60 the wallet holds 6 USD and keeps 1.
    expect(swept.map(({ detail }) => [hint(detail.receiver), Amount.short(detail.amount)])).toEqual([
      ['cold-0', '50.0'],
      ['cold-0', '50.0'],
    ]);
    checked(updates);
  });

  it('sweeps by wallet offers, which the receiver accepts and the sender’s validator completes', () => {
    const { updates, world } = play(
      scenario(
        `${PAID}
    automation: { completesOffers: true, sweep: { to: cold, maxBalanceUsd: '5', minBalanceUsd: '1', preapproved: false } }
  - { name: cold, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } }, automation: { accepts: { from: [shop] } } }`,
        { network: "rewards: false, expiresDust: false, amuletPrice: '0.1'", rounds: 16 },
      ),
    );
    const kinds = updates.map(({ kind }) => kind).filter((kind) => kind.startsWith('WalletOffer'));
    expect(kinds.slice(0, 3)).toEqual(['WalletOfferCreated', 'WalletOfferAccepted', 'WalletOfferCompleted']);
    expect(balanceOf(world.state, PartyId.of('cold-0')).total).toBeGreaterThan(0n);
    checked(updates);
  });

  it('accepts two-step transfers in the next round, before the owner would answer', () => {
    const text = scenario(`
  - { name: payers, count: 2, payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '1' }, to: { groups: [keyed] } } }
  - name: keyed
    count: 2
    payments: null
    receives: { offers: { after: { constant: 5h } } }
    automation: { accepts: { from: [payers] } }`);
    const { updates, world } = play(text);
    expect(ofKind(updates, 'TransferOffered')).toHaveLength(24);
    // Those of the last round wait for the next.
    expect(ofKind(updates, 'TransferAccepted')).toHaveLength(22);
    expect([...world.counts.refused]).toEqual([]);
  });

  it('mints rewards by delegation, and merges coins down to the limit', () => {
    const text = scenario(`
  - { name: nodes, temperament: validator, count: 1 }
  - name: keyed
    count: 3
    payments: null
    validator: nodes
    opening: { coins: 9, amount: { constant: '1' } }
    wallet: { merge: { never: true } }
    automation: { mints: { mergeLimit: 4, every: 1h } }`);
    const { updates, world } = play(text);
    expect(ofKind(updates, 'MintingDelegationAccepted')).toHaveLength(3);
    for (const number of [0, 1, 2]) expect(countOf(world.state, PartyId.of(`keyed-${number}`))).toBe(4);
    checked(updates);
  });

  it('consumes the traffic of a validator’s wallets, and buys more before it is used up', () => {
    const text = scenario(
      `
  - { name: payers, count: 5, validator: nodes, payments: { arrivals: { every: { rounds: 1, count: 8 } }, amount: { constant: '0.1' } }, wallet: { merge: { never: true } } }
  - { name: nodes, temperament: validator, count: 1, opening: { coins: 1, amount: { constant: '100000' } }, automation: { topUp: { bytesPerSecond: 1000, every: 30m } } }`,
      { rounds: 16 },
    );
    const { updates, world } = play(text);
    expect(ofKind(updates, 'TrafficConsumed').length).toBeGreaterThan(10);
    const bought = ofKind(updates, 'TrafficToppedUp');
    expect(bought.length).toBeGreaterThan(1);
    expect(bought.every(({ detail }) => detail.burned > 0n)).toBe(true);
    expect(balanceOf(world.state, PartyId.of('nodes-0')).total).toBeLessThan(Amount.of('100000'));
    checked(updates);
  });

  it('renews the preapprovals of a validator’s wallets at the network’s fee', () => {
    const text = scenario(
      `
  - { name: users, count: 3, payments: null, validator: nodes }
  - { name: nodes, temperament: validator, count: 1, payments: null, automation: { preapprovals: { lifetime: 2h, renewal: 1h } } }`,
      { rounds: 30 },
    );
    const { updates, world } = play(text);
    const renewed = ofKind(updates, 'PreapprovalRenewed');
    // Four parties, including the validator, in five hours: after one and after three.
    expect(renewed).toHaveLength(8);
    expect(renewed.every(({ detail }) => detail.burned > 0n)).toBe(true);
    const preapproval = preapprovalOf(world.state, PartyId.of('users-0'), world.now);
    expect(hint(preapproval?.provider ?? PartyId.of('unknown'))).toBe('nodes-0');
    checked(updates);
  });

  it('does not run for wallets without new updates', () => {
    const text = scenario(`
  - { name: idle, count: 50, payments: null, automation: { collects: true, completesOffers: true } }`);
    const world = new World(scenarioOf(text), { onEntry: () => undefined });
    // The value of the founding's coupons is known some rounds later.
    while (!world.isOver) world.playRound();
    expect((world.save() as { readonly helped: readonly number[] }).helped).toEqual([]);
  });
});

describe('a group of validators', () => {
  it('onboards the users of a group and provides their preapprovals, with the users distributed evenly over the validators', () => {
    const { world } = play(
      scenario(`
  - { name: users, count: 3, payments: null, validator: nodes }
  - { name: nodes, temperament: validator, count: 2, payments: null }`),
    );
    const hosts = [0, 1, 2].map((number) => {
      const user = PartyId.of(`users-${number}`);
      const install = firstByKey(world.state, 'WalletAppInstall', `endUser:${user}`);
      const preapproval = preapprovalOf(world.state, user, world.now);
      return [install?.validator, preapproval?.provider].map((party) => (party ? hint(party) : null));
    });
    expect(hosts).toEqual([
      ['nodes-0', 'nodes-0'],
      ['nodes-1', 'nodes-1'],
      ['nodes-0', 'nodes-0'],
    ]);
  });

  it.each([
    ['a group that hosts itself', '{ name: a, count: 1, validator: a }'],
    ['minting without a validator', '{ name: a, count: 1, automation: { mints: {} } }'],
    ['an unknown group of senders', '{ name: a, count: 1, automation: { accepts: { from: [b] } } }'],
    ['too many senders', '{ name: a, count: 101, automation: { accepts: { from: [a] } } }'],
  ])('is refused with the line of an invalid setting: %s', (_, party) => {
    const parsed = parseScenario(scenario(`  - ${party}`), 'x.yaml');
    expect(parsed.ok ? [] : parsed.error.map(({ line }) => line)).toEqual([6]);
  });
});
