import { canonicalLines } from '@coinlab/core/codec';
import {
  codec,
  describeMalformed,
  emptyLedger,
  Engine,
  LAWS,
  ledgerFrom,
  openEngine,
  openLedger,
  PROFILE_NAMES,
  replay,
  updateOf,
  type Contract,
  type Ledger,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { contractCount, scanContracts } from '@coinlab/core/views';
import { busyNetwork, resolve, sequences, type Drawn } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { alice, amount, bob, dso, second, worldOf } from './ledger-fixture.ts';

/** Everything in a state as lines: what two states must agree on to be the same, ids and order included. */
function contentOf(state: LedgerState): readonly unknown[] {
  const { offset, time, nextContract, minted, burned } = state;
  return [{ offset, time, nextContract, minted, burned, size: contractCount(state) }, ...scanContracts(state)];
}

/** Plays drawn commands; every version on the way, the first included. */
function versionsOf(start: Ledger, steps: readonly Drawn[]): readonly Ledger[] {
  const versions = [start];
  for (const step of steps) {
    const ledger = versions.at(-1)!; // the start is one
    const { command, context } = resolve(step, ledger.state);
    const result = ledger.submit(command, context);
    if (result.ok) versions.push(result.value.ledger);
  }
  return versions;
}

function fromLog(lines: readonly string[]): Ledger {
  return replay(
    lines.map((text, i) => {
      const update = codec.decode(text, i + 1);
      if (!update.ok) throw new Error(`line ${update.error.line}: ${update.error.reason}`);
      return update.value;
    }),
  );
}

const linesOf = (ledger: Ledger): readonly string[] => ledger.updates().map((update) => codec.encode(update));

describe.each(PROFILE_NAMES)('random commands under the rules of %s:', (profile) => {
  it('a ledger and an engine write the same log and reach the same state, byte for byte', () => {
    fc.assert(
      fc.property(sequences(40), (steps) => {
        let ledger = busyNetwork(profile);
        const lines: string[] = [];
        const laws = [{ name: 'anything holds', invariant: 1, holds: () => true }];
        const engine = new Engine(
          { laws, onEntry: (entry) => lines.push(codec.encode(updateOf(entry))) },
          ledger.state,
        );
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const offset = engine.state.offset;
          const one = ledger.submit(command, context);
          const other = engine.submit(command, context);
          expect(other.ok ? other.value.update : other).toEqual(one.ok ? one.value.update : one);
          expect(ledger.check(command, context)).toEqual(one.ok ? null : one.error);
          if (one.ok) ledger = one.value.ledger;
          else
            expect([engine.state.offset, lines.length]).toEqual([
              offset,
              ledger.updates(busyNetwork(profile).state.offset).length,
            ]);
        }
        const written = ledger.updates(busyNetwork(profile).state.offset).map((update) => codec.encode(update));
        expect(lines).toEqual(written);
        expect(contentOf(engine.state)).toEqual(contentOf(ledger.state));
        expect(engine.hash()).toBe(ledger.hash());
      }),
      { numRuns: runs(60) },
    );
  });

  it('old versions of a ledger never change, and forks are independent', () => {
    fc.assert(
      fc.property(sequences(25), sequences(25), fc.nat(), (steps, others, at) => {
        const versions = versionsOf(busyNetwork(profile), steps);
        const end = versions.at(-1)!; // the start is one
        const middle = versions[at % versions.length]!; // as above
        const [hash, content] = [middle.hash(), canonicalLines(middle.state)];
        const endHash = end.hash();
        const fork = versionsOf(middle, others).at(-1)!; // as above
        expect([middle.hash(), canonicalLines(middle.state)]).toEqual([hash, content]);
        expect(end.hash()).toBe(endHash);
        expect(middle.updates()).toEqual(end.updates().slice(0, middle.updates().length));
        // What a version says of itself is what its log says: nothing leaked from one fork into another.
        expect(fromLog(linesOf(fork)).hash()).toBe(fork.hash());
        expect(fromLog(linesOf(end)).hash()).toBe(endHash);
      }),
      { numRuns: runs(15) },
    );
  });

  it('a snapshot of an engine does not change when the engine does', () => {
    fc.assert(
      fc.property(sequences(25), sequences(25), (steps, others) => {
        const engine = new Engine({}, busyNetwork(profile).state);
        const run = (list: readonly Drawn[]): void => {
          for (const step of list) {
            const { command, context } = resolve(step, engine.state);
            engine.submit(command, context);
          }
        };
        run(steps);
        const snapshot = engine.snapshot();
        const before = contentOf(snapshot);
        const second_ = new Engine({}, snapshot);
        run(others);
        expect(contentOf(snapshot)).toEqual(before);
        expect(contentOf(second_.state)).toEqual(before);
        for (const step of others) {
          const { command, context } = resolve(step, second_.state);
          second_.submit(command, context);
        }
        expect(contentOf(second_.state)).toEqual(contentOf(engine.state));
        expect(contentOf(snapshot)).toEqual(before);
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('a refused command', () => {
  it('appends nothing and leaves the ledger unchanged', () => {
    const world = worldOf();
    const coin = world.fund(alice, '5');
    const engine = new Engine({}, world.state);
    const [hash, content] = [engine.hash(), contentOf(engine.state)];
    const command = {
      type: 'CreateOffer',
      sender: alice,
      receiver: bob,
      amount: amount('5.0000000001'),
      executeBefore: second(9),
      inputs: [coin],
    } as const;
    const refused = engine.submit(command, { now: second(1), actAs: [alice] });
    expect(refused).toMatchObject({ ok: false, error: { code: 'INSUFFICIENT_FUNDS' } });
    expect([engine.hash(), contentOf(engine.state)]).toEqual([hash, content]);
    // Not even time has passed.
    expect(engine.submit({ ...command, amount: amount('5') }, { now: second(0), actAs: [alice] }).ok).toBe(true);
  });

  it('changes nothing when it is only checked, like an accepted command', () => {
    const world = worldOf();
    const hash = world.ledger.hash();
    const mint = { type: 'Mint', receiver: alice, amount: amount('1') } as const;
    expect(world.ledger.check(mint, { now: world.now, actAs: [dso, alice] })).toBeNull();
    expect(world.ledger.check(mint, { now: world.now, actAs: [alice] })?.code).toBe('NOT_AUTHORISED');
    expect([world.ledger.hash(), world.ledger.updates()]).toHaveLength(2);
    expect(world.ledger.hash()).toBe(hash);
  });

  it('is refused when its type is unknown', () => {
    const command = { type: 'StealCoin' } as never;
    const context = { now: second(0), actAs: [dso] };
    expect(openLedger().check(command, context)).toMatchObject({ code: 'INVALID_ARGUMENT', value: 'StealCoin' });
    expect(openEngine().submit(command, context)).toMatchObject({ ok: false, error: { field: 'type' } });
  });
});

describe('two ledgers with the same seed', () => {
  it('have the same log bytes, and a ledger with another seed has other ids', () => {
    const log = (seed: number): string => linesOf(openLedger({ seed })).join('\n');
    expect(log(7)).toBe(log(7));
    expect(log(7)).not.toBe(log(8));
  });
});

describe('an update that breaks a law', () => {
  const world = worldOf();
  const coin = world.fund(alice, '5');
  const state = world.state;
  const good: Update = {
    offset: (state.offset + 1) as Update['offset'],
    updateId: '01KDT00000000000000000HAND' as Update['updateId'],
    recordTime: state.time,
    kind: 'Minted',
    actAs: [dso, bob],
    archived: [],
    created: [
      {
        id: state.nextContract as Contract['id'],
        template: 'Holding',
        owner: bob,
        amount: amount('3'),
        createdAt: 1,
        ratePerRound: amount('0.1'),
        lock: null,
      } as Contract,
    ],
    detail: { minted: amount('3'), burned: amount('0'), receiver: bob, amount: amount('3'), holding: coin },
  };
  const minted = good.created[0]!; // written above
  const settings = [...scanContracts(state)].find(({ template }) => template === 'LedgerSettings')!; // opened

  const wrong: readonly (readonly [string, Partial<Update>, string])[] = [
    [
      'coin comes from nowhere',
      { detail: { ...good.detail, minted: amount('2.9999999999') } } as never,
      'created minus archived coin',
    ],
    ['coin is lost', { archived: [coin] }, 'created minus archived coin'],
    ['a contract is archived that is not active', { archived: [999 as never] }, 'active'],
    ['a contract is archived twice', { archived: [coin, coin] }, 'active'],
    ['the settings are archived', { archived: [settings.id] }, 'settings'],
    ['an id is used again', { created: [{ ...minted, id: coin }] }, 'ids ascend'],
    ['ids do not ascend', { created: [minted, { ...minted, id: (minted.id - 1) as never }] }, 'ids ascend'],
    ['a coin holds nothing', { created: [{ ...minted, amount: amount('0') } as Contract] }, 'positive'],
    ['a coin holds less than nothing', { created: [{ ...minted, amount: amount('-3') } as Contract] }, 'positive'],
    ['an offset is left out', { offset: (good.offset + 1) as never }, 'offsets'],
    ['an offset comes again', { offset: state.offset }, 'offsets'],
    ['time runs back', { recordTime: second(-1) }, 'time'],
  ];

  it('throws because of the forged field and no other difference', () => {
    expect(world.ledger.apply(good).state.minted).toBe(amount('8'));
  });

  it.each(wrong)(
    'throws for a forged update with %s; the message names the law and contains the update',
    (_, fields, law) => {
      const update = { ...good, ...fields } as Update;
      const hash = world.ledger.hash();
      for (const apply of [() => world.ledger.apply(update), () => new Engine({}, state).apply(update)]) {
        const message = messageOf(apply);
        expect(message).toContain(law);
        expect(message).toContain(codec.encode(update));
      }
      expect(world.ledger.hash()).toBe(hash);
      expect(world.ledger.apply(good).state.minted).toBe(amount('8'));
    },
  );

  it('throws with the law and the update when the law is passed explicitly', () => {
    const unlawful: Update = { ...good, actAs: [alice] };
    const strict = replay(world.ledger.updates(), LAWS);
    const engine = new Engine({ laws: LAWS }, state);
    for (const apply of [() => strict.apply(unlawful), () => engine.apply(unlawful)]) {
      const message = messageOf(apply);
      expect(message).toContain('the controllers of every choice act');
      expect(message).toContain('invariant 31');
      expect(message).toContain(codec.encode(unlawful));
    }
    expect(world.ledger.apply(unlawful).state.offset).toBe(unlawful.offset);
  });

  it('stops the replay of a log', () => {
    const [open, ...rest] = world.ledger.updates();
    expect(() => replay([open!, ...rest.slice(1)])).toThrow('offsets are dense'); // a genesis has two updates
    expect(() => replay(rest)).toThrow('offsets are dense');
    expect(replay([]).hash()).toBe(emptyLedger().hash());
  });
});

describe('a ledger opened from a state', () => {
  it('decides, writes and hashes like the original ledger, and its log begins with the next update', () => {
    const world = worldOf();
    const before = world.ledger;
    world.fund(alice, '5');
    const [coin] = world.holdings(alice);
    const on = ledgerFrom(before.state, LAWS);
    expect(on.updates()).toEqual([]);
    const minted = on.submit(
      { type: 'Mint', receiver: alice, amount: amount('5') },
      { now: world.now, actAs: [dso, alice] },
    );
    if (!minted.ok) throw new Error(minted.error.code);
    expect(minted.value.ledger.updates()).toEqual(world.ledger.updates(before.state.offset));
    expect(minted.value.update.created).toContainEqual(coin);
    expect(contentOf(minted.value.ledger.state)).toEqual(contentOf(world.state));
    expect(contentOf(on.state)).toEqual(contentOf(before.state));
  });
});

describe('a malformed value', () => {
  it('is described in one line that names field, value and expectation', () => {
    expect(describeMalformed({ field: 'inputs[3]', value: '"x"', expected: 'a contract number' })).toBe(
      'inputs[3]: got "x", expected a contract number',
    );
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('nothing was thrown');
}
