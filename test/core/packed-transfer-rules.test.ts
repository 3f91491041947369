import { isPacked } from '@coinlab/core/codec';
import {
  Amount,
  Engine,
  genesisConfig,
  inputsCovering,
  Instant,
  ledgerFrom,
  type Command,
  type ContractId,
  type Law,
  type OpenOptions,
  type PartyId,
} from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { external } from './external-keys.ts';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from './ledger-fixture.ts';

/*
 * Commands that differ in one thing from a packed transfer, each against a ledger with a law, which packs no transfer: both must give the
 * same update or the same rejection, and the same state.
 */
const BY_THE_RULES: Law = { name: 'anything holds', invariant: 1, holds: () => true };

const ends = second(10_000);

/** Alice has three coins and pays bob by his preapproval. */
function network(options: OpenOptions = {}) {
  const world = worldOf(options);
  const consent = (receiver: PartyId, by: PartyId): ContractId => {
    const times = { validFrom: world.now, lastRenewedAt: world.now, expiresAt: ends };
    return world.put({ template: 'TransferPreapproval', receiver, provider: by, ...times });
  };
  const preapproval = consent(bob, provider);
  const ofCarol = consent(carol, dso);
  const inputs = world.fundEach(alice, ['5', '3', '2']);
  return { world, preapproval, ofCarol, inputs, consent };
}

/** The common outcome: the kind of update and whether it was packed, or the code of the refusal. */
function answer(world: World, command: Command, actAs: readonly PartyId[] = [alice], now: Instant = world.now): string {
  const context = { now, actAs };
  const expected = ledgerFrom(world.state, [BY_THE_RULES]).submit(command, context);
  const engine = new Engine({}, world.state);
  const before = engine.hash();
  const result = engine.submit(command, context);
  if (!expected.ok || !result.ok) {
    expect(result).toEqual(expected);
    expect(engine.hash()).toBe(before);
    return expected.ok ? '' : expected.error.code;
  }
  const { ledger, update } = expected.value;
  expect(result.value.update).toEqual(update);
  expect(engine.hash()).toBe(ledger.hash());
  const { offset, time, nextContract, minted, burned } = engine.state;
  expect({ offset, time, nextContract, minted, burned }).toEqual(
    (({ state }) => ({
      offset: state.offset,
      time: state.time,
      nextContract: state.nextContract,
      minted: state.minted,
      burned: state.burned,
    }))(ledger),
  );
  for (const id of [...update.archived, ...update.created.map((contract) => contract.id)])
    expect(findAny(engine.state, id)).toEqual(findAny(ledger.state, id));
  return `${update.kind}${isPacked(result.value.entry) ? ' packed' : ''}`;
}

const units = (value: bigint): Amount => Amount.ofUnits(value);

describe('a preapproved transfer', () => {
  type Terms = Omit<Extract<Command, { type: 'DirectTransfer' }>, 'type'>;
  const { world, preapproval, ofCarol, inputs } = network();
  const [first = 0 as ContractId, ...others] = inputs;
  const ofBob = world.fund(bob, '4');
  const offer = { sender: alice, receiver: bob, amount: amount('1'), executeBefore: second(5_000) } as const;
  const locking = world.fund(alice, '1');
  world.submit({ type: 'CreateOffer', ...offer, inputs: [locking] }, alice);
  const [locked] = world.locked(alice);
  const terms: Terms = { sender: alice, receiver: bob, amount: amount('7'), inputs, preapproval };

  it.each<[string, { readonly [Key in keyof Terms]?: Terms[Key] | undefined }, string]>([
    ['as usual', {}, 'TransferCompleted packed'],
    ['of all', { amount: amount('10') }, 'TransferCompleted packed'],
    ['of a unit', { amount: Amount.unit }, 'TransferCompleted packed'],
    ['of one coin', { inputs: [first], amount: amount('5') }, 'TransferCompleted packed'],
    ['of a unit more than all', { amount: units(amount('10') + 1n) }, 'INSUFFICIENT_FUNDS'],
    ['of nothing', { amount: Amount.zero }, 'NON_POSITIVE_AMOUNT'],
    ['of less than nothing', { amount: units(-1n) }, 'NON_POSITIVE_AMOUNT'],
    ['without inputs', { inputs: [] }, 'NO_INPUTS'],
    ['of a coin named twice', { inputs: [first, first] }, 'DUPLICATE_INPUT'],
    ['of a coin that never existed', { inputs: [first, 999_999 as ContractId] }, 'CONTRACT_NOT_FOUND'],
    ['of a coin of the receiver', { inputs: [first, ofBob] }, 'GROUP_MISMATCH'],
    ['of a locked coin', { inputs: [...inputs, locked?.id ?? first] }, 'LOCK_NOT_EXPIRED'],
    ['of a contract that is no coin', { inputs: [first, preapproval] }, 'GROUP_MISMATCH'],
    ['to oneself', { receiver: alice }, 'GROUP_MISMATCH'],
    ['by the preapproval of another receiver', { preapproval: ofCarol }, 'GROUP_MISMATCH'],
    ['by a preapproval that never existed', { preapproval: 999_999 as ContractId }, 'CONTRACT_NOT_FOUND'],
    ['by a coin for a preapproval', { preapproval: first }, 'CONTRACT_NOT_FOUND'],
    ['without the name of a preapproval', { preapproval: undefined }, 'TransferCompleted packed'],
    ['with a note', { meta: { reason: 'rent' } }, 'TransferCompleted'],
    ['that was to be executed before now', { executeBefore: second(-1) }, 'DEADLINE_PASSED'],
    ['that is to be executed later than now', { executeBefore: second(9) }, 'TransferCompleted'],
    ['that is requested later than now', { requestedAt: second(9) }, 'REQUESTED_IN_FUTURE'],
    ['that was requested before', { requestedAt: second(-1) }, 'TransferCompleted'],
    ['of another instrument', { instrument: { admin: dso, id: 'Gold' } as never }, 'WRONG_INSTRUMENT'],
    ['with another admin', { expectedAdmin: bob }, 'ADMIN_MISMATCH'],
    ['with the DSO for admin', { expectedAdmin: dso }, 'TransferCompleted'],
  ])('has the same outcome as under the full rules for a transfer %s', (_, change, outcome) => {
    const command = Object.fromEntries(
      Object.entries({ type: 'DirectTransfer', ...terms, ...change }).filter(([, value]) => value !== undefined),
    );
    expect(answer(world, command as unknown as Command)).toBe(outcome);
    expect(others).toHaveLength(2);
  });

  const usual: Command = { type: 'DirectTransfer', ...terms };
  it.each<[string, readonly PartyId[], string]>([
    ['no party acts', [], 'NOT_AUTHORISED'],
    ['the receiver acts', [bob], 'NOT_AUTHORISED'],
    ['both act', [alice, bob], 'TransferCompleted'],
    ['both act, the receiver first', [bob, alice], 'TransferCompleted'],
    ['the sender acts twice', [alice, alice], 'TransferCompleted'],
  ])('has the same outcome as under the full rules when %s', (_, actAs, outcome) => {
    expect(answer(world, usual, actAs)).toBe(outcome);
  });

  it.each<[string, Instant, string]>([
    ['at the time of the last update', world.state.time, 'TransferCompleted packed'],
    ['a tick before the last update', tickOf(world.state.time, -1), 'TIME_IN_PAST'],
    ['a tick before the preapproval ends', tickOf(ends, -1), 'TransferCompleted packed'],
    ['when the preapproval ends', ends, 'PREAPPROVAL_EXPIRED'],
    ['at the end of time', Instant.latest, 'PREAPPROVAL_EXPIRED'],
    ['a tick before the end of time', tickOf(Instant.latest, -1), 'PREAPPROVAL_EXPIRED'],
  ])('has the same outcome as under the full rules %s', (_, now, outcome) => {
    expect(answer(world, usual, [alice], now)).toBe(outcome);
  });

  it('earns a reward for a featured provider only', () => {
    const { world: fresh, consent, ...there } = network();
    const pay = { ...usual, inputs: there.inputs, preapproval: there.preapproval } as Command;
    fresh.submit({ type: 'GrantFeaturedAppRight', provider: carol }, dso);
    expect(answer(fresh, pay)).toBe('TransferCompleted packed');
    const { preapproval: _named, ...unnamed } = pay as Extract<Command, { type: 'DirectTransfer' }>;
    expect(answer(fresh, unnamed)).toBe('TransferCompleted packed');
    expect(fresh.fork().submit(pay, alice).created).toHaveLength(2);
    fresh.submit({ type: 'GrantFeaturedAppRight', provider }, dso);
    expect(answer(fresh, pay)).toBe('TransferCompleted');
    expect(fresh.fork().submit(pay, alice).created).toHaveLength(3);
    const other = consent(bob, carol);
    expect(answer(fresh, { ...pay, preapproval: other } as Command)).toBe('TransferCompleted');
  });

  const feeless = genesisConfig('feeless').transferConfigUsd;
  const inNumbers = ['TransferCompleted packed', 'SelfTransferred packed', 'HoldingsMerged packed'];
  const byTheRules = ['TransferCompleted', 'SelfTransferred', 'HoldingsMerged'];
  const refused = ['MAX_INPUTS_EXCEEDED', 'MAX_INPUTS_EXCEEDED', 'MAX_INPUTS_EXCEEDED'];
  it.each<[string, OpenOptions, readonly string[]]>([
    ['the profile legacy-fees', { profile: 'legacy-fees' }, byTheRules],
    ['the profile feeless-24h', { profile: 'feeless-24h' }, inNumbers],
    ['a fee for each coin', { config: { transferConfigUsd: { ...feeless, createFee: Amount.unit } } }, byTheRules],
    ['a holding fee that is charged', { rules: { chargesHoldingFee: true } as never }, byTheRules],
    ['one input only', { config: { transferConfigUsd: { ...feeless, maxNumInputs: 1 } } }, refused],
    ['two inputs', { config: { transferConfigUsd: { ...feeless, maxNumInputs: 2 } } }, refused],
    ['three inputs', { config: { transferConfigUsd: { ...feeless, maxNumInputs: 3 } } }, inNumbers],
    ['one output only', { config: { transferConfigUsd: { ...feeless, maxNumOutputs: 1 } } }, inNumbers],
  ])('has the same outcome as under the full rules on a ledger with %s', (_, options, outcomes) => {
    const { world: fresh, ...there } = network(options);
    fresh.advanceRounds(3);
    const paid = { amount: amount('1'), inputs: there.inputs };
    expect([
      answer(fresh, { ...usual, ...paid, preapproval: there.preapproval } as Command),
      answer(fresh, { type: 'SelfTransfer', sender: alice, ...paid }),
      answer(fresh, { type: 'MergeHoldings', owner: alice, inputs: there.inputs }),
    ]).toEqual(outcomes);
  });

  it('uses the named preapproval, or else the preapproval that the rules choose', () => {
    const { world: fresh, consent, ...there } = network();
    const pay = { type: 'DirectTransfer', sender: alice, receiver: bob, amount: amount('7') } as const;
    const second = consent(bob, carol);
    for (const preapproval of [there.preapproval, second])
      expect(answer(fresh, { ...pay, inputs: there.inputs, preapproval })).toBe('TransferCompleted packed');
    expect(answer(fresh, { ...pay, inputs: there.inputs })).toBe('TransferCompleted');
  });

  it.each([1, 2, 30, 31, 32, 33])(
    'to oneself under one’s own preapproval succeeds in a wallet of %i coins',
    (count) => {
      const { world: fresh, consent } = network();
      const preapproval = consent(carol, provider);
      const coins = fresh.fundEach(
        carol,
        Array.from({ length: count }, (_, i) => String(1 + i)),
      );
      const outcome = `TransferCompleted${count > 32 ? '' : ' packed'}`;
      for (const inputs of [coins.slice(0, 1), coins.slice(-2), coins]) {
        const pay = { type: 'DirectTransfer', sender: carol, receiver: carol, amount: amount('0.7'), inputs } as const;
        expect(answer(fresh, { ...pay, preapproval }, [carol])).toBe(outcome);
      }
    },
  );

  it('of an external party is refused without its signature', () => {
    const { world: fresh, ...others } = network();
    const dave = external(fresh, 'dave');
    const { preapproval: _named, ...unnamed } = terms;
    for (const command of [
      { ...unnamed, type: 'DirectTransfer', inputs: others.inputs, preapproval: others.preapproval },
      { ...unnamed, type: 'DirectTransfer', inputs: others.inputs },
      { ...unnamed, type: 'SelfTransfer', inputs: others.inputs },
      { type: 'MergeHoldings', owner: alice, inputs: others.inputs },
    ] as Command[])
      expect(answer(fresh, command)).toMatch(/ packed$/);
    const there = { receiver: dave.party, provider, validFrom: fresh.now, lastRenewedAt: fresh.now, expiresAt: ends };
    const id = fresh.put({ template: 'TransferPreapproval', ...there });
    const [coin = 0 as ContractId] = fresh.fundEach(alice, ['4']);
    const pay = { type: 'DirectTransfer', sender: alice, receiver: dave.party, amount: amount('4') } as const;
    fresh.submit({ ...pay, inputs: [coin], preapproval: id }, alice);
    const back = {
      ...pay,
      sender: dave.party,
      receiver: bob,
      inputs: fresh.holdings(dave.party).map((each) => each.id),
    };
    expect(answer(fresh, back, [dave.party])).toBe('NOT_AUTHORISED');
    expect(answer(fresh, { type: 'MergeHoldings', owner: dave.party, inputs: back.inputs }, [dave.party])).toBe(
      'NOT_AUTHORISED',
    );
  });
});

/** A double rounds the second; of 2⁶⁴ + 5 and of −(2⁶⁴ − 5) units the lowest word holds 5. */
const LARGE = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n + 5n, 2n ** 64n - 5n, 2n ** 64n, 2n ** 64n + 5n, 10n ** 38n - 1n];

describe('an amount that no double holds exactly', () => {
  const { world, inputs, preapproval } = network();
  const direct = { type: 'DirectTransfer', sender: alice, receiver: bob, inputs, preapproval } as const;
  const self = { type: 'SelfTransfer', sender: alice, inputs } as const;

  it.each(LARGE)('moves no coin, neither %s units nor as many below zero', (value) => {
    for (const command of [direct, self]) {
      expect(answer(world, { ...command, amount: units(value) })).toBe('INSUFFICIENT_FUNDS');
      expect(answer(world, { ...command, amount: units(-value) })).toBe('NON_POSITIVE_AMOUNT');
    }
  });

  it.each(LARGE)('is minted exactly: %s units', (value) => {
    const mint = { type: 'Mint', receiver: carol } as const;
    expect(answer(world, { ...mint, amount: units(value) }, [dso, carol])).toBe('Minted');
    expect(answer(world, { ...mint, amount: units(-value) }, [dso, carol])).toBe('NON_POSITIVE_AMOUNT');
  });

  it.each(LARGE)('is covered by all coins, and as many units below zero by none: %s', (value) => {
    expect(inputsCovering(world.state, alice, units(value), 'smallest')).toHaveLength(inputs.length);
    expect(inputsCovering(world.state, alice, units(-value), 'smallest')).toEqual([]);
  });

  it('is covered by as many of the smallest coins as its last unit needs', () => {
    const { world: fresh } = network();
    const coins = [1n, 2n ** 53n - 1n, 2n ** 53n - 1n].map((value) => {
      const mint = { type: 'Mint', receiver: carol, amount: units(value) } as const;
      return fresh.accepted('Minted', mint, dso, carol).detail.holding;
    });
    for (const [value, count] of [
      [2n ** 53n - 1n, 2],
      [2n ** 53n, 2],
      [2n ** 53n + 1n, 3],
    ] as const)
      expect(inputsCovering(fresh.state, carol, units(value), 'smallest')).toEqual(coins.slice(0, count));
  });
});

describe('a list of inputs that names another coin at each read', () => {
  const { world, inputs } = network();
  const [first = 0 as ContractId, second = 0 as ContractId] = inputs;
  const listed = (): readonly ContractId[] => {
    let reads = 0;
    return Object.defineProperty([first], 0, { get: () => (reads++ % 2 === 0 ? first : second) });
  };
  const to = { receiver: bob, amount: amount('1') };

  it.each<[string, (inputs: readonly ContractId[]) => Command]>([
    ['transfer', (own) => ({ type: 'DirectTransfer', sender: alice, ...to, inputs: own })],
    ['transfer to oneself', (own) => ({ type: 'SelfTransfer', sender: alice, amount: to.amount, inputs: own })],
    ['merge', (own) => ({ type: 'MergeHoldings', owner: alice, inputs: own })],
  ])('is read once by a %s', (_, command) => {
    const [once, twice] = [new Engine({}, world.state), new Engine({}, world.state)];
    const context = { now: world.now, actAs: [alice] };
    expect(once.submit(command([first]), context).ok).toBe(true);
    expect(twice.submit(command(listed()), context).ok).toBe(true);
    expect(twice.hash()).toBe(once.hash());
  });
});

describe('a transfer to oneself and a merge', () => {
  const { world, inputs, preapproval } = network();
  const [first = 0 as ContractId] = inputs;
  const self = { type: 'SelfTransfer', sender: alice, amount: amount('7'), inputs } as const;
  const merge = { type: 'MergeHoldings', owner: alice, inputs } as const;

  it.each<[string, Command, readonly PartyId[], string]>([
    ['a split', self, [alice], 'SelfTransferred packed'],
    ['a split of one coin', { ...self, inputs: [first], amount: amount('1') }, [alice], 'SelfTransferred packed'],
    ['a split of the whole sum', { ...self, amount: amount('10') }, [alice], 'SelfTransferred packed'],
    ['a split of more than the sum', { ...self, amount: units(amount('10') + 1n) }, [alice], 'INSUFFICIENT_FUNDS'],
    ['a split of nothing', { ...self, amount: Amount.zero }, [alice], 'NON_POSITIVE_AMOUNT'],
    ['a split with a note', { ...self, meta: { reason: 'x' } }, [alice], 'SelfTransferred'],
    ['a split too late', { ...self, executeBefore: second(-1) }, [alice], 'DEADLINE_PASSED'],
    ['a split by another party', self, [bob], 'NOT_AUTHORISED'],
    ['a split by both parties', self, [bob, alice], 'SelfTransferred'],
    ['a merge', merge, [alice], 'HoldingsMerged packed'],
    ['a merge of one coin', { ...merge, inputs: [first] }, [alice], 'HoldingsMerged packed'],
    ['a merge without inputs', { ...merge, inputs: [] }, [alice], 'NO_INPUTS'],
    ['a merge of one coin twice', { ...merge, inputs: [first, first] }, [alice], 'DUPLICATE_INPUT'],
    ['a merge of a contract that is no coin', { ...merge, inputs: [first, preapproval] }, [alice], 'GROUP_MISMATCH'],
    ['a merge by another party', merge, [bob], 'NOT_AUTHORISED'],
    ['a merge by both parties', merge, [alice, bob], 'HoldingsMerged'],
  ])('has the same outcome as under the full rules: %s', (_, command, actAs, outcome) => {
    expect(answer(world, command, actAs)).toBe(outcome);
  });

  it('is unaffected by later changes of the caller’s input list', () => {
    const list = [...inputs];
    const engine = new Engine({}, world.state);
    const result = engine.submit({ ...merge, inputs: list }, { now: world.now, actAs: [alice] });
    list.length = 0;
    expect(result.ok ? result.value.update.archived : []).toEqual(inputs);
  });

  it('have equal effects as packed transfer and as update with a featured provider on the ledger', () => {
    const fork = world.fork();
    fork.submit({ type: 'GrantFeaturedAppRight', provider: alice }, dso);
    expect(answer(fork, self)).toBe('SelfTransferred packed');
    expect(answer(fork, merge)).toBe('HoldingsMerged packed');
  });

  it('have equal effects as packed transfer and as update at the latest possible time', () => {
    for (const command of [self, merge])
      for (const now of [Instant.latest, tickOf(Instant.latest, -1)]) answer(world, command, [alice], now);
    const before = tickOf(Instant.latest, -1);
    expect([self, merge].map((command) => answer(world, command, [alice], before))).toEqual([
      'SelfTransferred packed',
      'HoldingsMerged packed',
    ]);
  });

  it('are refused before a round is open, with and without a packed form', () => {
    const early = tickOf(second(0), -1);
    expect(answer(world, self, [alice], early)).toBe('TIME_IN_PAST');
  });

  it('have equal effects as packed transfer and as update at 100 and 101 inputs, and while a wallet grows and shrinks', () => {
    const { world: fresh } = network();
    const many = fresh.fundEach(
      carol,
      Array.from({ length: 101 }, () => '1'),
    );
    for (let count = 1; count <= 101; count += count < 20 ? 1 : 16) {
      const some = many.slice(0, count);
      const outcome = answer(fresh, { type: 'MergeHoldings', owner: carol, inputs: some }, [carol]);
      expect(outcome).toBe('HoldingsMerged');
    }
    expect(answer(fresh, { type: 'MergeHoldings', owner: carol, inputs: many }, [carol])).toBe('MAX_INPUTS_EXCEEDED');
    // A wallet splits its coin again and again, and merges them.
    const fork = network().world;
    for (let coins = 0; coins < 40; coins++) {
      const [largest] = [...fork.holdings(alice)].sort((a, b) => (a.amount < b.amount ? 1 : -1));
      const command: Command = {
        type: 'SelfTransfer',
        sender: alice,
        amount: amount('0.01'),
        inputs: [largest?.id ?? first],
      };
      const way = (count: number): string => (count > 32 ? '' : ' packed');
      expect(answer(fork, command)).toBe(`SelfTransferred${way(fork.holdings(alice).length)}`);
      fork.submit(command, alice);
      const ids = fork.holdings(alice).map(({ id }) => id);
      for (const inputs of [ids, ids.slice(0, 2)])
        expect(answer(fork, { type: 'MergeHoldings', owner: alice, inputs })).toBe(`HoldingsMerged${way(ids.length)}`);
    }
  });

  it('have equal effects as packed transfer and as update for amounts below and above 2^53', () => {
    const limit = 2n ** 53n;
    for (const { pair, way } of [
      { pair: [limit - 2n, 1n], way: ' packed' },
      { pair: [limit - 1n, 1n], way: '' },
      { pair: [limit, 1n], way: '' },
      { pair: [limit - 1n, limit - 1n], way: '' },
      { pair: [limit - 1n, limit - 2n], way: '' },
      { pair: [limit * 1000n, 3n], way: '' },
    ]) {
      const { world: fresh } = network();
      const ids = pair.map((value) => {
        const mint = { type: 'Mint', receiver: carol, amount: units(value) } as const;
        return fresh.accepted('Minted', mint, dso, carol).detail.holding;
      });
      const worth = pair.reduce((sum, value) => sum + value, 0n);
      const merge: Command = { type: 'MergeHoldings', owner: carol, inputs: ids };
      expect(answer(fresh, merge, [carol])).toBe(`HoldingsMerged${way}`);
      for (const value of [1n, worth - 1n, worth]) {
        const command: Command = { type: 'SelfTransfer', sender: carol, amount: units(value), inputs: ids };
        expect(answer(fresh, command, [carol])).toBe(`SelfTransferred${way}`);
      }
    }
  });
});

describe('minted coin', () => {
  const { world } = network();
  const mint = (value: bigint, receiver: PartyId = alice): Command => ({
    type: 'Mint',
    receiver,
    amount: units(value),
  });
  const both = [dso, alice];

  it('is packed for amounts that a double holds, and for a receiver without a coin', () => {
    expect(answer(world, mint(7n), both)).toBe('Minted packed');
    expect(answer(world, mint(2n ** 53n - 1n), both)).toBe('Minted packed');
    expect(answer(world, mint(2n ** 53n), both)).toBe('Minted');
    expect(answer(world, mint(7n, provider), [dso, provider])).toBe('Minted packed');
  });

  it('is refused for a malformed receiver, also at the second attempt', () => {
    for (const text of ['dave', `da ve::1220${'0'.repeat(64)}`, 7, null]) {
      // Cast: plain JavaScript may pass any value.
      const receiver = text as PartyId;
      for (const attempt of [1, 2])
        expect([attempt, answer(world, mint(7n, receiver), [dso, receiver])]).toEqual([attempt, 'INVALID_ARGUMENT']);
    }
  });

  it('moves a wallet of 32 coins to the large wallets', () => {
    const { world: full } = network();
    full.fundEach(
      alice,
      Array.from({ length: 29 }, () => '1'),
    );
    expect(answer(full, mint(7n), both)).toBe('Minted packed');
    full.fund(alice, '1');
    expect(answer(full, mint(7n), both)).toBe('Minted');
  });

  it('is decided by the rules if the actors differ from the DSO and the receiver, in this order', () => {
    expect(answer(world, mint(7n), [alice, dso])).toBe('Minted');
    expect(answer(world, mint(7n), [dso, alice, bob])).toBe('Minted');
    expect(answer(world, mint(7n), [dso])).toBe('NOT_AUTHORISED');
    expect(answer(world, mint(7n), [dso, bob])).toBe('NOT_AUTHORISED');
    expect(answer(world, mint(7n), [alice])).toBe('NOT_AUTHORISED');
  });

  it('is refused as by the rules', () => {
    expect(answer(world, mint(0n), both)).toBe('NON_POSITIVE_AMOUNT');
    expect(answer(world, mint(-1n), both)).toBe('NON_POSITIVE_AMOUNT');
    expect(answer(world, mint(7n), both, second(-1))).toBe('TIME_IN_PAST');
    expect(answer(worldOf({ isDevNet: false }), mint(7n), both)).toBe('DEVNET_ONLY');
  });
});
