import { createHash } from 'node:crypto';
import {
  Amount,
  emptyLedger,
  genesis,
  holdingsOf,
  openEngine,
  openLedger,
  PartyId,
  Round,
  type Command,
  type ContractId,
  type Holding,
  type Update,
} from '@coinlab/core';
import { canonicalLines } from '@coinlab/core/codec';
import { walletOf } from '@coinlab/core/simulation';
import { describe, expect, it } from 'vitest';
import {
  alice,
  amount,
  bob,
  carol,
  dso,
  second,
  tickOf,
  worldOf,
  type Unplaced,
  type World,
} from '../ledger-fixture.ts';

const offer = (inputs: readonly ContractId[], value: string): Command => ({
  type: 'CreateOffer',
  sender: alice,
  receiver: bob,
  amount: amount(value),
  executeBefore: second(100),
  inputs,
});
const split = (sender: PartyId, inputs: readonly ContractId[], value: string): Command => ({
  type: 'SelfTransfer',
  sender,
  amount: amount(value),
  inputs,
});
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (world: World): string => world.ledger.hash();

describe('the hash of a state', () => {
  it('is a SHA-256 in 64 hex digits over the time and the sorted contracts', () => {
    const world = worldOf();
    expect(hashOf(world)).toMatch(/^[0-9a-f]{64}$/);
    const [time, ...contracts] = canonicalLines(world.state);
    expect(time).toBe('{"time":"2026-01-01T00:00:00.000000Z"}');
    expect(contracts).toEqual([...contracts].sort());
    expect(contracts).toHaveLength(7);
    for (const line of contracts) {
      expect(Object.keys(JSON.parse(line) as object)[0]).toBe('template');
      expect(line).not.toContain('"id":');
    }
  });

  it('has the contracts of any parties and the coins of small and large wallets sorted as text', () => {
    const world = worldOf();
    const parties = ['b', 'a-1', 'c', 'a', 'a1', 'B', 'b.0'].map(PartyId.of);
    const coin = { template: 'Holding', createdAt: Round.of(1), ratePerRound: Amount.zero, lock: null } as const;
    for (const owner of parties) {
      world.put({ template: 'FeaturedAppRight', provider: owner });
      for (const validator of [bob, alice]) world.put({ template: 'ValidatorRight', user: owner, validator });
      for (const value of ['9', '100', '10']) world.put({ ...coin, owner, amount: amount(value) });
    }
    const many = Array.from({ length: 50 }, (_, nth) => String(1 + ((nth * 7) % 50)));
    for (const value of many) world.put({ ...coin, owner: carol, amount: amount(value) });
    const isSorted = (): void => {
      const [, ...contracts] = canonicalLines(world.state);
      expect(contracts).toHaveLength(7 + 6 * parties.length + many.length);
      expect(contracts).toEqual([...contracts].sort());
    };
    isSorted();
    // Then the large wallet has another index.
    expect([...holdingsOf(world.state, carol, 'largest')]).toHaveLength(many.length);
    world.put({ ...coin, owner: carol, amount: amount('51') });
    many.push('51');
    isSorted();
  });

  it('is the same if another ledger of the same origin has had numbers assigned to values that are no parties', () => {
    const world = worldOf();
    const before = hashOf(world);
    const spoilt = world.fork();
    for (const value of [undefined, null, 7, {}, Symbol('owner')]) walletOf(spoilt.state, value as unknown as PartyId);
    expect(hashOf(world)).toBe(before);
    expect(hashOf(spoilt)).toBe(before);
    world.fund(carol, '1');
    expect(canonicalLines(world.state).filter((line) => line.includes(carol))).toHaveLength(1);
  });

  it('has a contract without its party', () => {
    const world = worldOf();
    const before = canonicalLines(world.state).length;
    world.put({ template: 'FeaturedAppRight' } as unknown as Unplaced);
    world.put({ template: 'FeaturedAppRight', provider: bob });
    expect(canonicalLines(world.state)).toHaveLength(before + 2);
  });

  it("equals the hash of the state's sorted lines, for texts of any length", () => {
    const world = worldOf();
    const wanted = (1 << 16) - 200;
    const lengthOf = (): number => canonicalLines(world.state).join('\n').length + 1;
    while (lengthOf() < wanted) world.put({ template: 'ValidatorRight', user: alice, validator: bob });
    for (let more = 1; more <= 25; more++) {
      expect(hashOf(world)).toBe(sha256(`${canonicalLines(world.state).join('\n')}\n`));
      world.put({ template: 'FeaturedAppRight', provider: PartyId.of('x'.repeat(more)) });
    }
    expect(lengthOf()).toBeGreaterThan(1 << 16);
  });

  it.each<[string, (nth: number) => Partial<Holding>]>([
    ['that are all equal', () => ({})],
    ['that differ in their last digits', (nth) => ({ amount: Amount.ofUnits(BigInt(1 + ((nth * 7_919) % 40_009))) })],
    [
      'of a few kinds, most of one kind',
      (nth) => (nth % 50 > 1 ? {} : { owner: nth % 2 ? bob : carol, ratePerRound: Amount.ofUnits(BigInt(nth)) }),
    ],
    [
      'with a common prefix of several hundred',
      (nth) => ({ owner: nth === 0 || nth % 517 ? alice : PartyId.of(`a${nth}`) }),
    ],
    ['with names of every length', (nth) => ({ owner: PartyId.of('x'.repeat(1 + (nth % 100))) })],
  ])('equals the hash of the sorted lines when the coins are sorted in several parts: %s', (_, differing) => {
    const usual = { owner: alice, amount: amount('1'), createdAt: Round.of(1), ratePerRound: Amount.zero, lock: null };
    const engine = openEngine();
    const { offset, time, nextContract } = engine.state;
    const before = canonicalLines(engine.state);
    const created = Array.from({ length: 2 ** 15 + 1500 }, (_each, nth): Holding => ({
      id: (nextContract + nth) as ContractId,
      template: 'Holding',
      ...usual,
      ...differing(nth),
    }));
    const minted = Amount.sum(created.map((coin) => coin.amount));
    engine.apply({
      offset: offset + 1,
      updateId: '',
      recordTime: time,
      kind: 'PartyAllocated',
      actAs: [],
      archived: [],
      created,
      detail: { minted, burned: Amount.zero, party: dso },
    } as unknown as Update);
    const lineOf = (coin: Holding): string =>
      JSON.stringify({
        template: 'Holding',
        owner: coin.owner,
        amount: Amount.format(coin.amount),
        createdAt: coin.createdAt,
        ratePerRound: Amount.format(coin.ratePerRound),
        lock: null,
      });
    const [head, ...others] = before;
    const expected = [head, ...[...others, ...created.map(lineOf)].sort()];
    const lines = canonicalLines(engine.state);
    expect(lines.length).toBe(expected.length);
    expect(lines.findIndex((line, i) => line !== expected[i])).toBe(-1);
    expect(engine.hash()).toBe(sha256(`${expected.join('\n')}\n`));
  });

  it('equals the hash of zero bytes for an empty state', () => {
    expect(emptyLedger().hash()).toBe(sha256('{"time":null}\n'));
    expect(emptyLedger().hash()).not.toBe(openLedger().hash());
  });

  it('is equal after a withdrawn offer and after a split with the same result', () => {
    const offered = worldOf();
    const coin = offered.fund(alice, '100');
    const { instruction } = offered.accepted('TransferOffered', offer([coin], '30'), alice).detail;
    expect(offered.wait(5).submit({ type: 'WithdrawOffer', instruction }, alice).kind).toBe('TransferWithdrawn');
    const plain = worldOf();
    const other = plain.wait(5).fund(alice, '100');
    plain.submit(split(alice, [other], '30'), alice);
    expect(plain.state.offset).not.toBe(offered.state.offset);
    expect(canonicalLines(plain.state)).toEqual(canonicalLines(offered.state));
    expect(hashOf(plain)).toBe(hashOf(offered));
  });

  it('is equal for every order of disjoint commands', () => {
    const world = worldOf();
    const coins = { [alice]: world.fund(alice, '10'), [bob]: world.fund(bob, '20'), [carol]: world.fund(carol, '5') };
    const commands: readonly (readonly [Command, PartyId])[] = [
      [split(alice, [coins[alice]!], '3'), alice], // funded above
      [{ type: 'AllocateParty', party: bob }, bob],
      [
        {
          type: 'CreateOffer',
          sender: bob,
          receiver: carol,
          amount: amount('7'),
          executeBefore: second(50),
          inputs: [coins[bob]!],
        },
        bob,
      ],
      [{ type: 'ProposePreapproval', receiver: carol, provider: alice }, carol],
      [split(carol, [coins[carol]!], '1'), carol],
    ];
    const hashes = permutations(commands).map((order) => {
      const fork = world.fork().wait(1);
      for (const [command, actor] of order) fork.submit(command, actor);
      return hashOf(fork);
    });
    expect(hashes).toHaveLength(120);
    expect(new Set(hashes).size).toBe(1);
  });

  it('is equal when all contract ids differ', () => {
    const [first, second_] = [worldOf(), worldOf({ seed: 1 })];
    for (let i = 0; i < 40; i++) second_.take(second_.put({ template: 'FeaturedAppRight', provider: bob }));
    first.fund(alice, '1');
    second_.fund(alice, '1');
    expect(hashOf(first)).toBe(hashOf(second_));
  });

  it('differs when any field of a contract or of the ledger differs', () => {
    const coin: Unplaced<Holding> = {
      template: 'Holding',
      owner: alice,
      amount: amount('1'),
      createdAt: Round.of(1),
      ratePerRound: amount('0.1'),
      lock: null,
    };
    const lock = { holders: [bob], expiresAt: second(10), context: null };
    const differences: Readonly<Record<string, (world: World) => unknown>> = {
      'nothing more': () => null,
      'a coin': (world) => world.put(coin),
      'two equal coins': (world) => [world.put(coin), world.put(coin)],
      'one unit more': (world) => world.put({ ...coin, amount: amount('1.0000000001') }),
      'another owner': (world) => world.put({ ...coin, owner: bob }),
      'another round': (world) => world.put({ ...coin, createdAt: Round.of(2) }),
      'another rate': (world) => world.put({ ...coin, ratePerRound: amount('0.2') }),
      'a lock': (world) => world.put({ ...coin, lock }),
      'another holder': (world) => world.put({ ...coin, lock: { ...lock, holders: [carol] } }),
      'two holders': (world) => world.put({ ...coin, lock: { ...lock, holders: [bob, carol] } }),
      'a later lock': (world) => world.put({ ...coin, lock: { ...lock, expiresAt: tickOf(second(10), 1) } }),
      'a context': (world) => world.put({ ...coin, lock: { ...lock, context: '' } }),
      'a party': (world) => world.submit({ type: 'AllocateParty', party: alice }, alice),
      'a named party': (world) => world.submit({ type: 'AllocateParty', party: alice, displayName: ' ' }, alice),
      'the same later': (world) => world.wait(0.000001).put(coin),
    };
    const hashes = Object.entries(differences).map(([name, differ]) => {
      const world = worldOf();
      differ(world);
      return [hashOf(world), name] as const;
    });
    expect(new Map(hashes).size).toBe(hashes.length);
    for (const options of [
      { profile: 'feeless-24h' },
      { rules: { dustAtEquality: true } },
      { seed: 2 },
      { isDevNet: false },
      { amuletPrice: Amount.one },
      { initialRound: Round.of(1) },
    ] as const)
      expect(new Map(hashes).has(openLedger(options).hash())).toBe(false);
  });

  it('differs when another coin replaces the coin of an instruction', () => {
    const world = worldOf();
    const coin = world.fund(alice, '30');
    const { lockedHolding } = world.accepted('TransferOffered', offer([coin], '30'), alice).detail;
    const [locked] = world.locked(alice);
    const before = hashOf(world);
    const { id: _id, ...same } = locked!; // the offer locked it
    world.take(lockedHolding);
    world.put(same);
    expect(world.lockedCoinsOf(alice)).toEqual(['30.0']);
    expect(hashOf(world)).not.toBe(before);
  });

  it('is the same whether a state was replayed, forked or changed in place', () => {
    const world = worldOf();
    world.fundEach(alice, ['1', '2', '3']);
    const [open, bootstrap] = genesis({});
    let byHand = emptyLedger();
    for (const submission of [open!, bootstrap!]) {
      const accepted = byHand.submit(submission.command, submission.context);
      if (accepted.ok) byHand = accepted.value.ledger;
    }
    for (const value of ['1', '2', '3']) {
      const mint: Command = { type: 'Mint', receiver: alice, amount: amount(value) };
      const accepted = byHand.submit(mint, { now: world.now, actAs: [dso, alice] });
      if (accepted.ok) byHand = accepted.value.ledger;
    }
    expect(byHand.hash()).toBe(hashOf(world));
    expect(hashOf(world.fork())).toBe(hashOf(world));
  });
});

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}
