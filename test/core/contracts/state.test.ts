import {
  allOf,
  contractCount,
  contractsAbout,
  contractsByKey,
  countOfTemplate,
  dueBy,
  dustExpiringAt,
  findAny,
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
} from '@coinlab/core/views';
import {
  Amount,
  contractsOf,
  countOf,
  emptyLedger,
  Engine,
  find,
  genesis,
  holdingsOf,
  inputsCovering,
  Instant,
  isKnownParty,
  openLedger,
  PartyId,
  Round,
  utxoCountOf,
  type Contract,
  type ContractId,
  type LedgerState,
  type TemplateName,
  type Update,
} from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { second, type Unplaced } from '../ledger-fixture.ts';
import { ids, NaiveState } from './naive-state.ts';

const whale = PartyId.of('whale');
const owners = [whale, ...['alice', 'bob', 'carol'].map(PartyId.of)];
const stranger = PartyId.of('stranger');
const dso = PartyId.of('DSO');

/** A small generator of its own: thousands of draws from one number that fast-check draws. */
class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  below(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!; // callers have some
  }
}

class Pair {
  readonly engine: Engine;
  naive: NaiveState;

  constructor(state: LedgerState, naive: NaiveState = NaiveState.of(state)) {
    this.engine = new Engine({}, state);
    this.naive = naive;
  }

  fork(): Pair {
    return new Pair(this.engine.state, this.naive);
  }

  /** Applies an update that archives and creates, made by hand. */
  apply(contracts: readonly Unplaced[], archived: readonly ContractId[]): void {
    const { state } = this.engine;
    const created = contracts.map((contract, i) => ({ id: state.nextContract + i, ...contract }) as Contract);
    const gone = archived.map((id) => findAny(state, id)!); // drawn from the active ones
    const value = (list: readonly Contract[]): Amount =>
      Amount.sum(list.flatMap((one) => (one.template === 'Holding' ? [one.amount] : [])));
    const update: Update = {
      offset: (state.offset + 1) as Update['offset'],
      updateId: '01KDT00000000000000000HAND' as Update['updateId'],
      recordTime: state.time,
      kind: 'PartyAllocated',
      actAs: [],
      archived,
      created,
      detail: { minted: value(created), burned: value(gone), party: dso },
    };
    this.engine.apply(update);
    this.naive = this.naive.after(update);
    expect(archived.filter((id) => findAny(this.engine.state, id) !== null)).toEqual([]);
  }

  /** Archives and creates at random; `growth` of a hundred draws create. */
  mutate(chance: Chance, growth: number, most: number): void {
    const created: Unplaced[] = [];
    const archived = new Set<ContractId>();
    const removable = this.naive.contracts.filter(({ template }) => REMOVABLE.has(template));
    for (let n = 1 + chance.below(most); n > 0; n--) {
      if (chance.below(100) < growth) created.push(draw(chance));
      else if (removable.length > 0) {
        // Now the oldest, now the newest, now any, so that all ends of the orders are worn away.
        const where = chance.below(4);
        const at = where === 0 ? 0 : where === 1 ? removable.length - 1 : chance.below(removable.length);
        archived.add(removable.splice(at, 1)[0]!.id); // some are left
      }
    }
    this.apply(created, [...archived]);
  }

  ask(chance: Chance): void {
    const { naive } = this;
    const { state } = this.engine;
    const owner = chance.pick(owners);
    const order = chance.pick(['largest', 'smallest', 'oldest', 'newest'] as const);
    switch (chance.below(8)) {
      case 0:
      case 1:
        return expect(ids(holdingsOf(state, owner, order))).toEqual(ids(naive.inOrder(owner, order)));
      case 2: {
        const limit = drawAmount(chance);
        return expect(ids(holdingsBelow(state, owner, limit))).toEqual(ids(naive.below(owner, limit)));
      }
      case 3: {
        const asked = drawAmount(chance);
        return expect(holdingOfExactly(state, owner, asked)).toEqual(naive.exactly(owner, asked));
      }
      case 4: {
        const index = chance.below(naive.count(owner) + 2);
        return expect(holdingAt(state, owner, index)).toEqual(naive.at(owner, index));
      }
      case 5: {
        const [asked, most] = [drawAmount(chance), chance.below(40)];
        return expect(inputsCovering(state, owner, asked, order, most)).toEqual(
          naive.covering(owner, asked, order, most),
        );
      }
      case 6: {
        const round = Round.of(chance.below(60));
        return expect(ids(dustExpiringAt(state, round))).toEqual(ids(naive.dust(round)));
      }
      default: {
        const time = second(chance.below(120));
        return expect(ids(dueBy(state, time))).toEqual(ids(naive.due(time)));
      }
    }
  }

  askAll(chance: Chance): void {
    const { state } = this.engine;
    const { contracts } = this.naive;
    this.naive.expectOf(state, {
      owners: [...owners, stranger, dso],
      amounts: [drawAmount(chance), drawAmount(chance)],
      rounds: [0, 5, 20, 59].map(Round.of),
      times: [0, 30, 119].map(second),
      most: [chance.below(40), 100],
    });
    for (const owner of [...owners, stranger]) {
      expect(utxoCountOf(state, owner)).toBe(this.naive.count(owner) + this.naive.locked(owner).length);
      for (const template of ['TransferInstruction', 'TransferPreapproval', 'AppRewardCoupon'] as const) {
        const mine = contracts.filter((one) => one.template === template && partiesOf(one).includes(owner));
        expect([...contractsOf(state, template, owner)]).toEqual(mine);
      }
      expect(isKnownParty(state, owner)).toBe(
        contracts.some((one) => one.template === 'KnownParty' && one.party === owner),
      );
    }
    for (const template of [
      'TransferInstruction',
      'TransferPreapproval',
      'AppRewardCoupon',
      'OpenMiningRound',
    ] as const) {
      const all = contracts.filter((one) => one.template === template);
      expect([...allOf(state, template)]).toEqual(all);
      expect(countOfTemplate(state, template)).toBe(all.length);
    }
    const half = second(60);
    const due = contracts.filter((one) => (deadlineOf(one) ?? Instant.latest) <= half);
    expect(ids(dueBy(state, half)).toSorted()).toEqual(ids(due).toSorted());
    const some = chance.pick(contracts);
    expect(findAny(state, some.id)).toEqual(some);
    expect(find(state, some.template === 'Holding' ? 'KnownParty' : 'Holding', some.id)).toBeNull();
    expect(findAny(state, state.nextContract as ContractId)).toBeNull();
  }
}

const REMOVABLE: ReadonlySet<TemplateName> = new Set([
  'Holding',
  'TransferInstruction',
  'TransferPreapproval',
  'AppRewardCoupon',
  'ValidatorRewardCoupon',
  'KnownParty',
  'TrackingRecord',
  'ExecutedTransaction',
] as const);

function deadlineOf(contract: Contract): Instant | null {
  switch (contract.template) {
    case 'TransferInstruction':
      return contract.transfer.executeBefore;
    case 'TransferPreapproval':
      return contract.expiresAt;
    case 'OpenMiningRound':
      return contract.targetClosesAt;
    default:
      return null;
  }
}

function partiesOf(contract: Contract): readonly PartyId[] {
  switch (contract.template) {
    case 'TransferInstruction':
      return [contract.transfer.sender, contract.transfer.receiver];
    case 'TransferPreapproval':
      return [contract.receiver, contract.provider];
    case 'AppRewardCoupon':
      return [contract.provider, ...(contract.beneficiary ? [contract.beneficiary] : [])];
    default:
      return [];
  }
}

/** Few different amounts and many coins: ties are the rule. Now and then one at the edge of what a double holds exactly, or beyond it. */
function drawAmount(chance: Chance): Amount {
  if (chance.below(60) === 0) return Amount.ofUnits(2n ** 53n + BigInt(chance.below(5) - 2));
  if (chance.below(200) === 0) return Amount.ofUnits(10n ** 30n + BigInt(chance.below(3)));
  return Amount.ofUnits(BigInt(1 + chance.below(chance.below(4) === 0 ? 5000 : 40)));
}

function draw(chance: Chance): Unplaced {
  const kind = chance.below(22);
  const [one, other] = [chance.pick(owners), chance.pick(owners)];
  const soon = second(chance.below(100));
  if (kind < 16) {
    const isLocked = chance.below(8) === 0;
    return {
      template: 'Holding',
      // Half of all coins are the whale's, so that it has thousands.
      owner: chance.below(2) === 0 ? whale : one,
      amount: drawAmount(chance),
      createdAt: Round.of(chance.below(20)),
      ratePerRound: chance.below(10) === 0 ? Amount.zero : Amount.ofUnits(BigInt(1 + chance.below(30))),
      lock: isLocked ? { holders: [dso, other].sort(), expiresAt: soon, context: null } : null,
    };
  }
  if (kind === 16) {
    const transfer = { sender: one, receiver: other, amount: Amount.one, requestedAt: second(0), executeBefore: soon };
    return { template: 'TransferInstruction', transfer: { ...transfer, meta: {} }, lockedHolding: 1 as ContractId };
  }
  if (kind === 17) {
    const times = { validFrom: second(0), lastRenewedAt: second(0), expiresAt: soon };
    return { template: 'TransferPreapproval', receiver: one, provider: other, ...times };
  }
  if (kind === 18) {
    const beneficiary = chance.below(2) === 0 ? other : null;
    const round = Round.of(chance.below(6));
    if (chance.below(3) === 0) return { template: 'ValidatorRewardCoupon', user: one, amount: Amount.one, round };
    return { template: 'AppRewardCoupon', provider: one, featured: false, amount: Amount.one, round, beneficiary };
  }
  if (kind === 19) return { template: 'KnownParty', party: one, displayName: '' };
  const text = `${chance.below(3)}`;
  if (kind === 20) return { template: 'ExecutedTransaction', party: one, hash: text, expiresAt: soon };
  const subject = chance.pick(['transfer', 'traffic'] as const);
  const receiver = subject === 'transfer' ? other : null;
  const tracked = { template: 'TrackingRecord', subject, owner: one, receiver, trackingId: text } as const;
  const contract = chance.pick([1, 300, 2 ** 40]) as ContractId; // a cast: any whole number from 1
  // Outcomes that are final are kept packed.
  return chance.pick([
    { ...tracked, status: 'created', failure: null, reason: null, contract },
    { ...tracked, status: 'completed', failure: null, reason: null, contract },
    { ...tracked, status: 'completed', failure: null, reason: null, contract },
    { ...tracked, status: 'failed', failure: 'rejected', reason: `${text} – zurück 💸`, contract: null },
  ]);
}

describe('the queries of the state', () => {
  it.each(['Nothing', 'constructor', ''])(
    'find no contracts of a template %o, which plain JavaScript may name',
    (name) => {
      const { state } = openLedger();
      const template = name as never;
      expect([...allOf(state, template)]).toEqual([]);
      expect(countOfTemplate(state, template)).toBe(0);
    },
  );

  const start = (): Pair => {
    const { state } = openLedger();
    return new Pair(state);
  };

  it('give the same results as a naive list while a state grows to thousands of coins and shrinks to zero', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const chance = new Chance(seed);
        const pair = start();
        // Far more than a node of 32, and for the whale more than 32 × 32.
        for (const [steps, growth, most] of [
          [60, 95, 60],
          [60, 50, 60],
          [20, 90, 60],
          [160, 5, 40],
          [40, 60, 4],
        ] as const) {
          for (let i = 0; i < steps; i++) {
            pair.mutate(chance, growth, most);
            if (chance.below(3) === 0) pair.ask(chance);
          }
          pair.askAll(chance);
        }
        const rest = pair.naive.contracts.filter(({ template }) => REMOVABLE.has(template)).map(({ id }) => id);
        pair.apply([], rest);
        pair.askAll(chance);
        // The settings, the rules, the factory and three rounds.
        expect(contractCount(pair.engine.state)).toBe(6);
      }),
      { numRuns: runs(8) },
    );
  });

  it('find a contract by its party and by its key when the party is called like the key', () => {
    const [receiver, provider] = ['receiver', 'provider'].map(PartyId.of) as [PartyId, PartyId];
    const ledger = openLedger();
    const now = ledger.state.time;
    const proposed = ledger.submit({ type: 'ProposePreapproval', receiver, provider }, { now, actAs: [receiver] });
    if (!proposed.ok) throw new Error(JSON.stringify(proposed.error));
    const { state: after } = proposed.value.ledger;
    const found = (key: string): readonly string[] =>
      [...contractsByKey(after, 'TransferPreapprovalProposal', key)].map(({ template }) => template);
    for (const key of [receiver, provider, `receiver:${receiver}`])
      expect(found(key)).toEqual(['TransferPreapprovalProposal']);
    for (const key of [`receiver:${provider}`, 'receiver:', receiver.slice('receiver:'.length)])
      expect(found(key)).toEqual([]);
  });

  it('find a coupon by its provider, whether or not the provider is the DSO of another fork', () => {
    const [mine, theirs] = ['DSO', 'alice'].map(PartyId.of) as [PartyId, PartyId];
    const unopened = emptyLedger().state;
    for (const each of [mine, theirs]) {
      const engine = new Engine({}, unopened);
      for (const { command, context } of genesis({ dso: each })) expect(engine.submit(command, context).ok).toBe(true);
      const pair = new Pair(engine.state);
      const coupon = { featured: false, amount: Amount.one, round: Round.of(0), beneficiary: null };
      pair.apply([{ template: 'AppRewardCoupon', provider: theirs, ...coupon }], []);
      const found = [...contractsByKey(pair.engine.state, 'AppRewardCoupon', theirs)];
      // The state does not keep contracts by their DSO.
      expect(found).toHaveLength(each === theirs ? 0 : 1);
    }
  });

  it('find records with keys of their own by subject and key, not by stakeholder', () => {
    const [one, other] = ['alice', 'bob'].map(PartyId.of) as [PartyId, PartyId];
    const pair = start();
    const outcome = { status: 'completed', failure: null, reason: null, contract: null } as const;
    const tracked = { subject: 'transfer', owner: one, receiver: other, trackingId: 'rent', ...outcome } as const;
    pair.apply(
      [
        { template: 'TrackingRecord', ...tracked },
        { template: 'ExecutedTransaction', party: one, hash: 'ab', expiresAt: second(9) },
        { template: 'ExecutedTransaction', party: one, hash: 'cd', expiresAt: second(9) },
      ],
      [],
    );
    const { state } = pair.engine;
    const [record, ...executed] = pair.naive.contracts.slice(-3);
    for (const template of ['TrackingRecord', 'ExecutedTransaction'] as const)
      for (const party of [one, other]) expect([...contractsOf(state, template, party)]).toEqual([]);
    expect([...contractsAbout(state, 'ExecutedTransaction', one)]).toEqual(executed);
    expect(countOfTemplate(state, 'ExecutedTransaction')).toBe(2);
    expect([...contractsByKey(state, 'ExecutedTransaction', `party:${one}`)]).toEqual(executed);
    expect([...contractsAbout(state, 'ExecutedTransaction', other)]).toEqual([]);
    for (const key of [`own:transfer:${one}:rent`, `incoming:transfer:${other}:rent`])
      expect([...contractsByKey(state, 'TrackingRecord', key)]).toEqual([record]);
  });

  it('give the same packed records in forks that name parties of their own', () => {
    const first = start();
    const tracked = (name: string, i: number): Unplaced => ({
      template: 'TrackingRecord',
      subject: 'transfer',
      owner: PartyId.of(`${name}-${i % 7}`),
      receiver: PartyId.of(`${name}-${i % 11}`),
      trackingId: `${name} ${i}`,
      ...(i % 3 === 0
        ? { status: 'failed', failure: 'expired', reason: `${i} – zurück`, contract: null }
        : { status: 'completed', failure: null, reason: null, contract: (i + 1) as ContractId }),
    });
    const add = (pair: Pair, name: string): void => {
      const records = Array.from({ length: 300 }, (_, i) => tracked(name, i));
      pair.apply(records, []);
    };
    add(first, 'a');
    const other = first.fork();
    for (const name of ['b', 'c']) {
      add(first, `first-${name}`);
      add(other, `other-${name}`);
    }
    for (const pair of [other, first, other]) {
      pair.askAll(new Chance(1));
      // A packed one: those made by hand are not frozen.
      const [oldest] = allOf(pair.engine.state, 'TrackingRecord');
      expect(Object.isFrozen(oldest)).toBe(true);
    }
    // Archives packed ones.
    const some = other.naive.contracts.filter(({ template, id }) => template === 'TrackingRecord' && id % 5 === 0);
    other.apply(
      [],
      some.map(({ id }) => id),
    );
    for (const pair of [first, other]) pair.askAll(new Chance(2));
  });

  it('return more than a thousand coins of one owner', () => {
    const chance = new Chance(1);
    const pair = start();
    for (let i = 0; i < 60; i++) pair.mutate(chance, 95, 120);
    expect(countOf(pair.engine.state, whale)).toBeGreaterThan(1024);
    pair.askAll(chance);
  });

  it.each([
    ['when dust was looked up before the spends', true],
    ['when no dust was looked up before', false],
  ])('find the dust among thousands of created and spent coins, %s', (_, asked) => {
    const pair = start();
    const coin = (i: number): Unplaced => ({
      template: 'Holding',
      owner: whale,
      amount: Amount.ofUnits(BigInt(1000 + (i % 500))),
      createdAt: Round.of(0),
      ratePerRound: Amount.unit,
      lock: null,
    });
    const late = Round.of(1250);
    for (let n = 0; n < 10; n++) {
      const before = pair.engine.state.nextContract;
      pair.apply(
        Array.from({ length: 400 }, (_none, i) => coin(n * 400 + i)),
        [],
      );
      if (asked) expect([...dustExpiringAt(pair.engine.state, Round.of(0))]).toEqual([]);
      // Two in a hundred stay.
      const gone = pair.naive.contracts.filter(({ id }) => id >= before && id % 50 !== 0).map(({ id }) => id);
      pair.apply([], gone);
    }
    const fork = pair.fork();
    expect(ids(dustExpiringAt(pair.engine.state, late))).toEqual(ids(pair.naive.dust(late)));
    expect([...pair.naive.dust(late)].length).toBeGreaterThan(20);
    expect(ids(dustExpiringAt(fork.engine.state, Round.of(9999)))).toEqual(ids(fork.naive.dust(Round.of(9999))));
    expect(ids(dustExpiringAt(pair.engine.state, Round.of(9999)))).toEqual(ids(pair.naive.dust(Round.of(9999))));
  });

  it('find all dust of a round in small and large wallets, for rounds in any order and more than a week apart', () => {
    const pair = start();
    const chance = new Chance(7);
    const coin = (i: number): Unplaced => ({
      template: 'Holding',
      owner: i % 2 === 0 ? whale : PartyId.of(`saver-${i % 61}`),
      amount: Amount.ofUnits(BigInt(1 + chance.below(6000)) * 100n + BigInt(chance.below(2))),
      createdAt: Round.of(chance.below(3)),
      ratePerRound: Amount.ofUnits(i % 17 === 0 ? 0n : 100n),
      lock: null,
    });
    for (const round of [0, 500, 1005, 1007, 1008, 1009, 2015, 2016, 2017, 4000, 100, 4032, 6010].map(Round.of)) {
      pair.apply(
        Array.from({ length: 60 }, (_none, i) => coin(i)),
        [],
      );
      expect(ids(dustExpiringAt(pair.engine.state, round))).toEqual(ids(pair.naive.dust(round)));
      const gone = pair.naive.contracts.filter(({ template }) => template === 'Holding' && chance.below(4) === 0);
      pair.apply(
        [],
        gone.map(({ id }) => id),
      );
      expect(ids(dustExpiringAt(pair.engine.state, round))).toEqual(ids(pair.naive.dust(round)));
    }
    expect([...pair.naive.dust(Round.of(6010))].length).toBeGreaterThan(100);
  });

  it('find the dust among twenty thousand small coins created since the last lookup, in each fork', () => {
    const pair = start();
    const coin = (i: number): Unplaced => ({
      template: 'Holding',
      owner: PartyId.of(`saver-${i % 1000}`),
      amount: Amount.ofUnits(BigInt(1 + (i % 900))),
      createdAt: Round.of(0),
      ratePerRound: Amount.unit,
      lock: null,
    });
    expect(ids(dustExpiringAt(pair.engine.state, Round.of(0)))).toEqual([]);
    const create = (to: Pair, count: number): void => {
      const coins = Array.from({ length: count }, (_none, i) => coin(i));
      to.apply(coins, []);
    };
    create(pair, 12_000);
    const fork = pair.fork();
    create(pair, 8_000);
    create(fork, 10);
    for (const round of [1, 5, 901].map(Round.of))
      for (const { engine, naive } of [pair, fork])
        expect(ids(dustExpiringAt(engine.state, round))).toEqual(ids(naive.dust(round)));
  });

  it('return each fork’s own contracts for any order of writes and reads', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const chance = new Chance(seed);
        const first = start();
        for (let i = 0; i < 10; i++) first.mutate(chance, 95, 60);
        const pairs = [first];
        for (let i = 0; i < 120; i++) {
          const at = chance.below(pairs.length);
          const pair = pairs[at]!; // there is at least one
          const what = chance.below(10);
          if (what === 0) {
            const fork = pair.fork();
            if (pairs.length < 5) pairs.push(fork);
            else pairs[chance.below(pairs.length)] = fork;
          } else if (what < 6) pair.mutate(chance, chance.pick([10, 50, 90]), 30);
          else pair.ask(chance);
        }
        for (const pair of pairs) pair.askAll(chance);
      }),
      { numRuns: runs(15) },
    );
  });
});
