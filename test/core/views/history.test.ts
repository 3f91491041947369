import {
  Amount,
  genesisConfig,
  type Command,
  type ContractId,
  type Offset,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { HistoryIndex, historyItemsOf, type HistoryItem } from '@coinlab/core/histories';
import { outOfFundsReason, participantOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';

const deadline = second(100);

/** The history of a party as an index over the whole log gives it: all on one page. */
function historyOf(world: World, party: PartyId): readonly HistoryItem[] {
  return indexOf(world).page(party, { pageSize: 1000 }, reader(world)) ?? [];
}

function indexOf(world: World): HistoryIndex {
  const index = new HistoryIndex();
  for (const update of world.ledger.updates()) index.add(update);
  return index;
}

function reader(world: World): (offset: Offset) => Update {
  const log = world.ledger.updates();
  return (offset) => log[offset - 1] as Update;
}

/** The parts of an item about coin: type, choice, then each party with its amount. */
function told(item: HistoryItem | undefined): readonly unknown[] {
  if (!item) return [];
  const parties = [
    ...(item.type === 'transfer' ? [item.sender] : []),
    ...(item.type === 'transfer' || item.type === 'balance_change' ? item.receivers : []),
  ];
  return [item.type, item.subtype.choice, ...parties.map((each) => [each.party, Amount.short(each.amount)])];
}

function latest(world: World, party: PartyId): readonly unknown[] {
  return told(historyOf(world, party)[0]);
}

const transferOf = (inputs: readonly ContractId[], more = {}) => ({
  sender: alice,
  receiver: bob,
  amount: amount('30'),
  inputs,
  executeBefore: deadline,
  ...more,
});

function offered() {
  const world = worldOf();
  const inputs = [world.fund(alice, '100')];
  const meta = { reason: 'rent' };
  const { detail } = world.accepted('TransferOffered', { type: 'CreateOffer', ...transferOf(inputs), meta }, alice);
  return { world, ...detail };
}

describe('the history of a party', () => {
  it('is empty before its first item', () => {
    expect(historyOf(worldOf(), alice)).toEqual([]);
  });

  it('shows a merge by delegation as the operator’s gift, then as the merge that the owner pays with it', () => {
    const world = worldOf();
    world.fund(alice, '5');
    const minted = world.ledger.updates().at(-1) as Update;
    const none = { extra: 0n, extraFees: null, inputs: 0, mergeFees: null };
    const cost = { holdingFees: amount('0.1'), outputFees: [amount('0.2'), amount('0.3')], changeFee: amount('0.4') };
    const free = { holdingFees: 0n, outputFees: [], changeFee: 0n };
    const itemsOf = (call: object, party: PartyId): readonly unknown[] => {
      const detail = { operator: provider, calls: [{ ...none, ...call }] };
      const update = { ...minted, kind: 'DelegatedHoldingsMerged', detail } as unknown as Update;
      return historyItemsOf(update, party).map((item) => told(item).slice(2));
    };
    const brought = { owner: bob, extra: amount('7'), extraFees: cost, inputs: 3, mergeFees: free };
    expect(itemsOf(brought, provider)).toEqual([
      [
        [provider, '-8.0'],
        [bob, '7.0'],
      ],
    ]);
    expect(itemsOf(brought, bob)).toEqual([
      [
        [provider, '-8.0'],
        [bob, '7.0'],
      ],
      [[bob, '0.0']],
    ]);
    expect(itemsOf({ ...brought, extraFees: null }, provider)).toEqual([
      [
        [provider, '-7.0'],
        [bob, '7.0'],
      ],
    ]);
    expect(itemsOf({ owner: bob, inputs: 2, mergeFees: cost }, bob)).toEqual([[[bob, '-1.0']]]);
    expect(itemsOf({ owner: bob, inputs: 2, mergeFees: cost }, provider)).toEqual([]);
    expect(itemsOf({ owner: bob, extra: amount('7') }, bob)).toEqual([
      [
        [provider, '-7.0'],
        [bob, '7.0'],
      ],
    ]);
    // An operator that is its own customer only moves its own.
    expect(itemsOf({ ...brought, owner: provider }, provider)).toEqual([[[provider, '-1.0']], [[provider, '0.0']]]);
    expect(itemsOf({ owner: bob }, bob)).toEqual([]);
  });

  it('shows minted and tapped coin as income', () => {
    const world = worldOf();
    world.fund(alice, '5');
    world.submit({ type: 'Tap', receiver: alice, amount: amount('7') }, alice);
    expect(historyOf(world, alice).map(told)).toEqual([
      ['balance_change', 'AmuletRules_DevNet_Tap', [alice, '7.0']],
      ['balance_change', 'AmuletRules_Mint', [alice, '5.0']],
    ]);
    expect(historyOf(world, bob)).toEqual([]);
  });

  it('lists each item with its event id, its time and the choice that caused it', () => {
    const world = worldOf();
    world.wait(7).fund(alice, '5');
    const { updateId } = world.ledger.updates().at(-1) as Update;
    expect(historyOf(world, alice)[0]).toEqual({
      type: 'balance_change',
      eventId: `#${updateId}:0`,
      date: second(7),
      subtype: {
        template: 'Splice.AmuletRules:AmuletRules',
        choice: 'AmuletRules_Mint',
        amuletOperation: null,
        interface: null,
      },
      receivers: [{ party: alice, amount: amount('5') }],
      transferInstruction: null,
    });
  });

  it('shows a payment as the same item to sender and receiver', () => {
    const world = worldOf();
    world.put({
      template: 'TransferPreapproval',
      receiver: bob,
      provider,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt: deadline,
    });
    const inputs = [world.fund(alice, '100')];
    const meta = { 'splice.lfdecentralizedtrust.org/reason': 'rent' };
    world.submit({ type: 'DirectTransfer', ...transferOf(inputs), meta }, alice);
    const [seen] = historyOf(world, alice);
    expect(told(seen)).toEqual(['transfer', 'TransferFactory_Transfer', [alice, '-30.0'], [bob, '30.0']]);
    expect(seen).toMatchObject({ description: 'rent', transferInstruction: null, holdingFees: 0n });
    expect(historyOf(world, bob)).toEqual([seen]);
    expect(historyOf(world, provider)).toEqual([]);
  });

  it('shows a transfer to oneself as no change', () => {
    const world = worldOf();
    const inputs = world.fundEach(alice, ['1', '2']);
    const { receiver: _, ...self } = transferOf(inputs, { amount: amount('2') });
    world.submit({ type: 'SelfTransfer', ...self }, alice);
    expect(latest(world, alice)).toEqual(['transfer', 'TransferFactory_Transfer', [alice, '0.0']]);
    world.submit({ type: 'MergeHoldings', owner: alice, inputs: world.holdings(alice).map(({ id }) => id) }, alice);
    expect(latest(world, alice)).toEqual(['transfer', 'WalletAppInstall_ExecuteBatch', [alice, '0.0']]);
  });

  it('shows rewards that a merge mints as one sum per kind', () => {
    const world = worldOf();
    const round = world.advanceRounds() - 1;
    const issuing = {
      template: 'IssuingMiningRound',
      round: round as never,
      opensAt: second(0),
      targetClosesAt: second(10_000),
      perValidatorRewardCoupon: amount('2'),
      perFeaturedAppRewardCoupon: amount('3'),
      perUnfeaturedAppRewardCoupon: amount('1'),
      perSvRewardCoupon: amount('5'),
      perValidatorFaucetCoupon: amount('7'),
    } as const;
    world.put(issuing);
    const coupons = [
      {
        template: 'AppRewardCoupon',
        provider: alice,
        featured: true,
        amount: amount('10'),
        round: round as never,
        beneficiary: null,
      },
      { template: 'SvRewardCoupon', sv: bob, beneficiary: alice, round: round as never, weight: 4 },
      { template: 'ValidatorLivenessActivityRecord', validator: alice, round: round as never },
      {
        template: 'DevelopmentFundCoupon',
        beneficiary: alice,
        fundManager: bob,
        amount: amount('9'),
        reason: '',
        expiresAt: second(10_000),
      },
    ] as const;
    const inputs = coupons.map((coupon) => world.put(coupon));
    world.submit({ type: 'MergeHoldings', owner: alice, inputs }, alice);
    const [item] = historyOf(world, alice);
    expect(told(item)).toEqual(['transfer', 'WalletAppInstall_ExecuteBatch', [alice, '66.0']]);
    expect(item).toMatchObject({
      appRewardsUsed: amount('30'),
      svRewardsUsed: amount('20'),
      validatorRewardsUsed: amount('7'),
      developmentFundCouponsUsed: amount('9'),
    });
  });

  it('includes fees in the sender’s amount', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('0.15') });
    const inputs = [world.fund(alice, '1000')];
    world.put({
      template: 'TransferPreapproval',
      receiver: bob,
      provider,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt: deadline,
    });
    world.submit({ type: 'DirectTransfer', ...transferOf(inputs, { amount: amount('100') }) }, alice);
    expect(latest(world, bob)).toEqual(['transfer', 'TransferFactory_Transfer', [alice, '-101.4'], [bob, '100.0']]);
    expect(world.coinsOf(alice)).toEqual(['898.6']);
  });
});

describe('a two-step transfer in the history', () => {
  it("is deducted from the sender's balance when offered, and hidden from the receiver", () => {
    const { world, instruction } = offered();
    const [item] = historyOf(world, alice);
    expect(told(item)).toEqual(['transfer', 'TransferFactory_Transfer', [alice, '-30.0']]);
    expect(item).toMatchObject({
      transferInstruction: { contract: instruction, receiver: bob, amount: amount('30') },
      description: 'rent',
    });
    expect(historyOf(world, bob)).toEqual([]);
  });

  it('becomes a payment when it is accepted', () => {
    const { world, instruction } = offered();
    world.submit({ type: 'AcceptOffer', instruction }, bob);
    const [item] = historyOf(world, bob);
    expect(told(item)).toEqual(['transfer', 'TransferInstruction_Accept', [alice, '-30.0'], [bob, '30.0']]);
    expect(item).toMatchObject({
      transferInstruction: { contract: instruction, receiver: null, amount: null },
      subtype: { interface: 'Splice.Api.Token.TransferInstructionV1:TransferInstruction' },
    });
    expect(historyOf(world, alice)[0]).toEqual(item);
  });

  it.each([
    ['RejectOffer', 'TransferInstruction_Reject', bob, 0],
    ['WithdrawOffer', 'TransferInstruction_Withdraw', alice, 0],
    ['ExpireOffer', 'TransferInstruction_Update', dso, 100],
  ] as const)(
    'returns its coin to the sender by the command %s, and both parties see that',
    (type, choice, actor, at) => {
      const { world, instruction } = offered();
      world.at(second(at)).submit({ type, instruction }, actor);
      expect(latest(world, alice)).toEqual(['balance_change', choice, [alice, '30.0']]);
      expect(historyOf(world, bob)).toEqual([historyOf(world, alice)[0]]);
      expect(historyOf(world, bob)[0]).toMatchObject({ transferInstruction: instruction });
    },
  );

  it('returns zero when its coin was unlocked before', () => {
    const { world, instruction, lockedHolding } = offered();
    world.at(deadline).submit({ type: 'OwnerExpireLock', holding: lockedHolding }, alice);
    expect(latest(world, alice)).toEqual(['balance_change', 'LockedAmulet_OwnerExpireLock', [alice, '30.0']]);
    world.submit({ type: 'RejectOffer', instruction }, bob);
    expect(latest(world, bob)).toEqual(['balance_change', 'TransferInstruction_Reject', [alice, '0.0']]);
  });

  it('shows the unlocking by owner and lock holder', () => {
    const { world, lockedHolding } = offered();
    world.submit({ type: 'Unlock', holding: lockedHolding }, alice, dso);
    expect(latest(world, alice)).toEqual(['balance_change', 'LockedAmulet_Unlock', [alice, '30.0']]);
  });
});

describe('other items of the history', () => {
  it('include a purchase of traffic of every kind', () => {
    const { traffic } = genesisConfig('feeless');
    const world = worldOf({
      amuletPrice: amount('0.15'),
      config: { traffic: { ...traffic, extraTrafficPriceUsd: amount('60') } },
    });
    const memberId = participantOf(alice);
    const [one, two] = world.fundEach(alice, ['100', '100']) as [ContractId, ContractId];
    world.submit({ type: 'BuyMemberTraffic', payer: alice, memberId, trafficBytes: 200_000, inputs: [one] }, alice);
    expect(latest(world, alice)).toEqual(['transfer', 'AmuletRules_BuyMemberTraffic', [alice, '-80.0']]);
    const asked = { endUser: alice, memberId, trafficBytes: 200_000, trackingId: 'x', expiresAt: deadline };
    const { request } = world.accepted(
      'TrafficRequestCreated',
      { type: 'CreateTrafficRequest', ...asked },
      alice,
    ).detail;
    const before = historyOf(world, alice).length;
    world.submit({ type: 'CompleteTrafficRequest', request, walletProvider: provider, inputs: [two] }, alice, provider);
    expect(latest(world, alice)).toEqual(['transfer', 'WalletAppInstall_ExecuteBatch', [alice, '-80.0']]);
    expect(historyOf(world, alice)).toHaveLength(before + 1);
    const { topUpState } = world.accepted(
      'TopUpStateCreated',
      { type: 'CreateTopUpState', validator: alice, memberId },
      alice,
    ).detail;
    const topUp = { topUpState, trafficBytes: 200_000, minTopupInterval: 0n as never, inputs: [], tap: true };
    world.submit({ type: 'TopUpTraffic', ...topUp }, alice);
    expect(latest(world, alice)).toEqual(['transfer', 'WalletAppInstall_ExecuteBatch', [alice, '0.0']]);
    const operations = historyOf(world, alice)
      .slice(0, 2)
      .map(({ subtype }) => subtype.amuletOperation);
    expect(operations).toEqual(['CO_BuyMemberTraffic', 'CO_CompleteBuyTrafficRequest']);
  });

  it('include the purchase of a preapproval, for the provider that paid', () => {
    const world = worldOf({ amuletPrice: amount('0.15') });
    const inputs = [world.fund(provider, '100')];
    const expiresAt = second(90 * 86_400);
    const { detail } = world.accepted(
      'PreapprovalCreated',
      { type: 'CreatePreapproval', receiver: bob, provider, expiresAt, inputs },
      provider,
      bob,
    );
    expect(latest(world, provider)).toEqual([
      'transfer',
      'AmuletRules_CreateTransferPreapproval',
      [provider, '-1.644'],
    ]);
    const newExpiresAt = second(180 * 86_400);
    const rest = [detail.change as ContractId];
    world.submit({ type: 'RenewPreapproval', preapproval: detail.preapproval, newExpiresAt, inputs: rest }, provider);
    expect(latest(world, provider)).toEqual(['transfer', 'TransferPreapproval_Renew', [provider, '-1.644']]);
    expect(historyOf(world, bob)).toEqual([]);
  });

  it('include coupons that pay for a preapproval, as rewards', () => {
    const world = worldOf({ amuletPrice: amount('0.15') });
    const record = { beneficiary: provider, fundManager: bob, amount: amount('5'), reason: '', expiresAt: deadline };
    const inputs = [world.put({ template: 'DevelopmentFundCoupon', ...record })];
    const expiresAt = second(90 * 86_400);
    world.submit({ type: 'CreatePreapproval', receiver: bob, provider, expiresAt, inputs }, provider, bob);
    const [item] = historyOf(world, provider);
    expect(told(item)).toEqual(['transfer', 'AmuletRules_CreateTransferPreapproval', [provider, '3.356']]);
    expect(item).toMatchObject({ developmentFundCouponsUsed: amount('5') });
  });

  it('include paid wallet offers and failed payments', () => {
    const world = worldOf();
    const coin = world.fund(alice, '100');
    const pay = (trackingId: string): ContractId => {
      const terms = { sender: alice, receiver: bob, amount: amount('30'), unit: 'coin', expiresAt: deadline } as const;
      const made: Command = { type: 'CreateWalletOffer', ...terms, description: 'rent', trackingId };
      const { offer } = world.accepted('WalletOfferCreated', made, alice).detail;
      return world.accepted('WalletOfferAccepted', { type: 'AcceptWalletOffer', offer }, bob).detail.accepted;
    };
    const [paid, failed] = [pay('1'), pay('2')];
    expect(historyOf(world, bob)).toEqual([]);
    world.submit({ type: 'CompleteWalletOffer', accepted: paid, walletProvider: alice, inputs: [coin] }, alice);
    expect(latest(world, bob)).toEqual(['transfer', 'AcceptedTransferOffer_Complete', [alice, '-30.0'], [bob, '30.0']]);
    world.submit({ type: 'AbortWalletOffer', accepted: failed, reason: outOfFundsReason(amount('1.5')) }, alice);
    expect(historyOf(world, alice)[0]).toMatchObject({
      type: 'notification',
      subtype: { amuletOperation: 'CO_CompleteAcceptedTransfer' },
      details: 'ITR_InsufficientFunds: out of funds (missing 1.5 CC)',
    });
    expect(historyOf(world, bob)).toHaveLength(1);
  });

  it('include expired dust, as one item per coin owner', () => {
    const world = worldOf();
    for (const owner of [alice, bob, alice]) world.fund(owner, '0.0000000001');
    const holdings = [...world.holdings(alice), ...world.holdings(bob)].map(({ id }) => id);
    world.advanceRounds(5);
    const { updateId } = world.submit({ type: 'ExpireDust', holdings }, dso);
    const items = historyOf(world, alice).slice(0, 2);
    expect(items.map(told)).toEqual([
      ['balance_change', 'Amulet_Expire', [alice, '-0.0000000001']],
      ['balance_change', 'Amulet_Expire', [alice, '-0.0000000001']],
    ]);
    expect(items.map(({ eventId }) => eventId)).toEqual([`#${updateId}:1`, `#${updateId}:0`]);
    expect(historyOf(world, bob)[0]?.eventId).toBe(`#${updateId}:2`);
  });
});

describe('a page of a history', () => {
  function busy() {
    const world = worldOf();
    for (let i = 1; i <= 7; i++) world.fund(alice, String(i));
    for (const owner of [alice, carol, alice, alice]) world.fund(owner, '0.0000000001');
    const dust = [...world.holdings(alice).slice(7), ...world.holdings(carol)].map(({ id }) => id);
    world.advanceRounds(5);
    world.submit({ type: 'ExpireDust', holdings: dust }, dso);
    world.fund(alice, '8');
    return { world, index: indexOf(world), read: reader(world) };
  }

  it.each([1, 2, 3, 5, 100])('of %d items continues the page before, to the end and without gaps', (pageSize) => {
    const { world, index, read } = busy();
    const whole = historyOf(world, alice);
    expect(whole).toHaveLength(14);
    const seen: HistoryItem[] = [];
    for (let pages = 0; pages <= 14; pages++) {
      const beginAfterId = seen.at(-1)?.eventId ?? '';
      const page = index.page(alice, { beginAfterId, pageSize }, read) ?? [];
      expect(page.length).toBeLessThanOrEqual(pageSize);
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen).toEqual(whole);
    expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(14);
  });

  it("reads only the party's own updates from the log", () => {
    const { world, index, read } = busy();
    const whole = historyOf(world, alice);
    let reads = 0;
    const counting = (offset: Offset): Update => {
      reads += 1;
      return read(offset);
    };
    index.page(alice, { pageSize: 3 }, counting);
    expect(reads).toBeLessThanOrEqual(3);
    reads = 0;
    expect(index.page(alice, { beginAfterId: whole[10]?.eventId ?? '', pageSize: 2 }, counting)).toEqual(
      whole.slice(11, 13),
    );
    expect(reads).toBeLessThanOrEqual(3);
  });

  it('is empty for a size of zero and beyond the end', () => {
    const { world, index, read } = busy();
    expect(index.page(alice, { pageSize: 0 }, read)).toEqual([]);
    const last = historyOf(world, alice).at(-1)?.eventId ?? '';
    expect(index.page(alice, { beginAfterId: last, pageSize: 5 }, read)).toEqual([]);
    expect(index.page(bob, { pageSize: 5 }, read)).toEqual([]);
  });

  it("is null when the cursor is unknown or an item of another party's history", () => {
    const { world, index, read } = busy();
    const [{ eventId } = { eventId: '' }] = historyOf(world, alice);
    const others = historyOf(world, carol)[0]?.eventId ?? '';
    for (const beginAfterId of ['nonsense', `${eventId}9`, eventId.replace(/^#./, '#7'), others]) {
      expect(index.page(alice, { beginAfterId, pageSize: 5 }, read)).toBeNull();
    }
    expect(index.page(bob, { beginAfterId: eventId, pageSize: 5 }, read)).toBeNull();
  });

  it('includes items that were added after the page before', () => {
    const { world, index } = busy();
    const before = index.page(alice, { pageSize: 100 }, reader(world)) ?? [];
    world.fund(alice, '1');
    const update = world.ledger.updates().at(-1) as Update;
    index.add(update);
    const after = index.page(alice, { pageSize: 100 }, reader(world)) ?? [];
    expect(after).toEqual([...historyItemsOf(update, alice), ...before]);
  });
});
