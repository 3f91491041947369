import {
  Amount,
  Duration,
  type ContractId,
  Engine,
  GENESIS_TIME,
  genesisConfig,
  holdingsOf,
  Instant,
  ledgerFrom,
  openCompactLog,
  openEngine,
  readCompactLog,
  type Command,
  type CompactLog,
  type Context,
  type EngineOptions,
  type Law,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { findAny, scanContracts, walletOf } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import type { PlainTransfer } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso } from './ledger-fixture.ts';
import { payloadsOf, sealed } from './log/segments.ts';

/*
 * Whoever watches an engine sees every update, also those that are decided in numbers: laws, listeners, logs, and an engine that replays.
 */

const SEED = 7;
const FREE = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
const at = (...actAs: Context['actAs']): Context => ({ now: GENESIS_TIME, actAs });
const ANYTHING: Law = { name: 'anything holds', invariant: 1, holds: () => true };
const NO_TRANSFER: Law = {
  name: 'nobody is paid',
  invariant: 1,
  holds: ({ update: { kind } }) => !['TransferCompleted', 'SelfTransferred', 'HoldingsMerged'].includes(kind),
};

/** Alice has six coins of 5, and bob consents to be paid. */
function funded(options: Partial<EngineOptions> = {}): Engine {
  const engine = openEngine({ ...FREE, ...options });
  engine.submit(
    { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
    at(bob, dso),
  );
  for (let i = 0; i < 6; i++) engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, at(alice));
  return engine;
}

/** Transfers of alice that can be decided in numbers. */
function plainOnes(state: LedgerState): readonly Command[] {
  const [first, second] = Array.from(holdingsOf(state, alice, 'oldest'), ({ id }) => id) as [ContractId, ContractId];
  const preapproval = preapprovalOf(state, bob, GENESIS_TIME)?.id as ContractId;
  const amount = Amount.of('2');
  return [
    { type: 'DirectTransfer', sender: alice, receiver: bob, amount, inputs: [first], preapproval },
    { type: 'SelfTransfer', sender: alice, amount, inputs: [first] },
    { type: 'MergeHoldings', owner: alice, inputs: [first, second] },
  ];
}

/** An engine after transfers of each kind, what it was told, and where it was before and on the way. */
function history(options: Partial<EngineOptions> = {}) {
  const log = openCompactLog(SEED);
  const updates: Update[] = [];
  const engine = funded({ log, onUpdate: (update) => updates.push(update), ...options });
  const before = engine.snapshot();
  const go = (): void => {
    for (const nth of [0, 1, 2]) expect(engine.execute(plainOnes(engine.state)[nth] as Command, at(alice))).toBeNull();
  };
  go();
  const half = engine.snapshot();
  log.take();
  go();
  return { engine, before, half, updates, log };
}

function read(log: CompactLog): readonly Update[] {
  return [...readCompactLog(log.whole())].map((next) => {
    if (!next.ok) throw new Error(next.error.reason);
    return next.value;
  });
}

describe('the laws of an engine or a ledger', () => {
  it.each([0, 1, 2])('are asked of each kind of transfer, also where it could be decided in numbers: %i', (nth) => {
    const { state } = funded();
    const command = plainOnes(state)[nth] as Command;
    for (const submit of [
      () => new Engine({ laws: [NO_TRANSFER] }, state).submit(command, at(alice)),
      () => new Engine({ laws: [NO_TRANSFER] }, state).execute(command, at(alice)),
      () => ledgerFrom(state, [NO_TRANSFER]).submit(command, at(alice)),
    ])
      expect(submit).toThrow(/nobody is paid/);
    expect(new Engine({}, state).execute(command, at(alice))).toBeNull();
    expect(ledgerFrom(state).submit(command, at(alice)).ok).toBe(true);
  });

  it('are asked of a payment in numbers', () => {
    const { state } = funded();
    const [from, to] = [alice, bob].map((party) => walletOf(state, party)) as [number, number];
    expect(new Engine({}, state).payPlainly(from, to, 5, GENESIS_TIME)).toBe(true);
    const engine = new Engine({ laws: [NO_TRANSFER] }, state);
    expect(engine.payPlainly(from, to, 5, GENESIS_TIME)).toBe(false);
    expect(() => engine.pay(from, to, 5, GENESIS_TIME)).toThrow(/nobody is paid/);
  });

  it('are asked of what is replayed', () => {
    const { before, log } = history();
    expect(() => new Engine({ laws: [NO_TRANSFER] }, before).replay(log.whole())).toThrow(/nobody is paid/);
  });
});

describe('who listens to an engine', () => {
  it('is told of every update, also of one that was executed or paid in numbers', () => {
    const { engine, updates, log } = history();
    const [from, to] = [alice, bob].map((party) => walletOf(engine.state, party)) as [number, number];
    expect(engine.payPlainly(from, to, 5, GENESIS_TIME)).toBe(true);
    expect(engine.pay(from, to, 5, GENESIS_TIME)).toBeNull();
    expect(updates.map(({ offset }) => offset)).toEqual(Array.from({ length: engine.state.offset }, (_, i) => i + 1));
    expect(read(log)).toEqual(updates);
  });

  it('is told of numbers in place of updates where it asks for them', () => {
    const told: string[] = [];
    const { updates } = history({
      onUpdate: ({ kind }) => told.push(kind),
      onPlain: ({ kind }, firstCoin) => told.push(`${kind} ${firstCoin}`),
    });
    expect(updates).toEqual([]);
    const six = history().updates.slice(-6);
    expect(told.slice(-6)).toEqual(six.map(({ kind, created: [coin] }) => `${kind} ${coin?.id}`));
  });

  it('is told of what is replayed, and so are a log and one who is told of numbers', () => {
    const { engine, updates, log } = history();
    const told: Update[] = [];
    const numbers: number[] = [];
    const logs = [openCompactLog(SEED), openCompactLog(SEED)] as const;
    for (const options of [
      { onUpdate: (update: Update) => told.push(update) },
      { log: logs[0] },
      { log: logs[1], onUpdate: () => undefined, onPlain: (_: unknown, firstCoin: number) => numbers.push(firstCoin) },
    ]) {
      const replayed = new Engine(options);
      expect(replayed.replay(log.whole())).toBeNull();
      expect(replayed.hash()).toBe(engine.hash());
    }
    expect(told).toEqual(updates);
    for (const each of logs) expect(read(each)).toEqual(updates);
    expect(numbers).toEqual([]);
  });
});

describe('a compact log', () => {
  it('of another seed than that of the engine says what the updates are, to the id', () => {
    const other = openCompactLog(SEED + 1);
    const { updates, engine } = history({ log: other });
    expect(read(other)).toEqual(updates);
    const replayed = new Engine();
    expect(replayed.replay(other.whole())).toBeNull();
    expect(replayed.hash()).toBe(engine.hash());
    // Nobody listens, and still nothing is left out.
    const quiet = openCompactLog(SEED + 1);
    history({ log: quiet, onUpdate: () => undefined, onPlain: () => undefined });
    expect(read(quiet)).toEqual(updates);
  });

  it('is replayed from where the engine is, wherever that is', () => {
    const { engine, before, half, log } = history();
    for (const state of [before, half, engine.snapshot()]) {
      const later = new Engine({}, state);
      expect(later.replay(log.whole())).toBeNull();
      expect(later.state.offset).toBe(engine.state.offset);
      expect(later.hash()).toBe(engine.hash());
    }
  });

  it('that begins in the middle names everyone when it is the first to, payer or paid', () => {
    const engine = funded();
    for (const receiver of [alice, carol]) {
      const consent = { type: 'CreatePreapproval', receiver, provider: dso, expiresAt: Instant.latest } as const;
      engine.submit({ ...consent, inputs: [] }, at(receiver, dso));
    }
    for (const receiver of [bob, carol])
      for (let i = 0; i < 4; i++) engine.submit({ type: 'Tap', receiver, amount: Amount.of('3') }, at(receiver));
    const { state } = engine;
    const parties = [alice, bob, carol];
    const pairs = parties.flatMap((from) => parties.filter((to) => to !== from).map((to) => [from, to] as const));
    for (let first = 0; first < pairs.length; first++) {
      const [quiet, long] = [openCompactLog(SEED), openCompactLog(SEED)];
      const updates: Update[] = [];
      const one = new Engine({ log: quiet }, state);
      const other = new Engine({ log: long, onUpdate: (update) => updates.push(update), laws: [ANYTHING] }, state);
      for (const engine of [one, other]) {
        const [payer] = pairs[first] as (typeof pairs)[number];
        const [coin] = holdingsOf(engine.state, payer, 'oldest');
        const self: Command = {
          type: 'SelfTransfer',
          sender: payer,
          amount: Amount.of('1'),
          inputs: [coin?.id as ContractId],
        };
        expect(engine.execute(self, at(payer))).toBeNull();
        for (const [sender, receiver] of [...pairs.slice(first), ...pairs.slice(0, first)]) {
          const inputs = [[...holdingsOf(engine.state, sender, 'oldest')][0]?.id as ContractId];
          const pay: Command = { type: 'DirectTransfer', sender, receiver, amount: Amount.of('0.5'), inputs };
          expect(engine.execute(pay, at(sender))).toBeNull();
        }
      }
      expect(Buffer.from(quiet.whole()).equals(long.whole())).toBe(true);
      expect(read(quiet)).toEqual(updates);
      const replayed = new Engine({}, state);
      expect(replayed.replay(quiet.whole())).toBeNull();
      expect(replayed.hash()).toBe(other.hash());
      expect(replayed.state.nextContract).toBe(other.state.nextContract);
    }
  });

  it('takes in numbers what follows from the update before, and nothing else', () => {
    const { state } = funded();
    const told: PlainTransfer[] = [];
    const engine = new Engine({ onPlain: (plain) => told.push({ ...plain, inputs: [...plain.inputs] }) }, state);
    const updates: Update[] = [];
    const watched = new Engine({ onUpdate: (update) => updates.push(update) }, state);
    for (const nth of [0, 1])
      for (const each of [engine, watched]) each.execute(plainOnes(each.state)[nth] as Command, at(alice));
    const [before, after] = updates as [Update, Update];
    const [, plain] = told as [PlainTransfer, PlainTransfer];
    const firstCoin = after.created[0]?.id as number;
    const taken = (change: Partial<PlainTransfer>, offset = after.offset as number, first = firstCoin): boolean => {
      const log = openCompactLog(SEED);
      log.append(before);
      const bytes = log.whole().length;
      const isTaken = log.appendPlain({ ...plain, ...change }, offset, first);
      expect(log.whole().length > bytes).toBe(isTaken);
      return isTaken;
    };
    expect(taken({})).toBe(true);
    expect(taken({ round: (plain.round + 1) as PlainTransfer['round'] })).toBe(false);
    expect(taken({ rate: Amount.add(plain.rate, Amount.unit) })).toBe(false);
    for (const by of [-1, 1, 2]) {
      expect(taken({}, after.offset + by)).toBe(false);
      expect(taken({}, after.offset, firstCoin + by)).toBe(false);
    }
  });

  it('of another history is applied as far as its updates would be, with the ids that they name', () => {
    const { before, log } = history();
    const updates = read(log).slice(before.offset + 1);
    const later = Instant.plus(GENESIS_TIME, Duration.minutes(1));
    const preapproval = preapprovalOf(before, bob, GENESIS_TIME)?.id as ContractId;
    const tap: Command = { type: 'Tap', receiver: bob, amount: Amount.of('1') };
    const [, self, merge] = plainOnes(before) as [Command, Command, Command];
    // Other updates at the offset of the first transfer: later, without new contracts, with one or two, and one that spends two coins.
    const outcomes = (
      [
        [tap, later, bob],
        [{ type: 'CancelPreapproval', preapproval }, GENESIS_TIME, bob],
        [tap, GENESIS_TIME, bob],
        [self, later, alice],
        [self, GENESIS_TIME, alice],
        [merge, GENESIS_TIME, alice],
      ] as const
    ).map(([command, now, party]) => {
      const strayed = new Engine({}, before);
      expect(strayed.execute(command, { now, actAs: [party] })).toBeNull();
      const [one, other] = [new Engine({}, strayed.state), new Engine({}, strayed.state)];
      const errorOf = (go: () => void): string => {
        try {
          go();
          return 'none';
        } catch (error) {
          return (error as Error).message;
        }
      };
      const wanted = errorOf(() => updates.forEach((update) => one.apply(update)));
      expect(errorOf(() => other.replay(log.whole()))).toBe(wanted);
      expect(other.state.nextContract).toBe(one.state.nextContract);
      expect(other.hash()).toBe(one.hash());
      for (const { id } of scanContracts(one.state)) expect(findAny(other.state, id)).toEqual(findAny(one.state, id));
      return wanted.split('\n')[0]?.replace('broken invariant: ', '');
    });
    const gone = 'an archived contract was active';
    expect(outcomes).toEqual(['ledger time never decreases', gone, gone, 'ledger time never decreases', 'none', gone]);
  });

  it('that announces more than anybody could have written is refused at once', () => {
    const { half, log } = history();
    const [header, first, second] = payloadsOf(log.whole()) as [Uint8Array, Uint8Array, Uint8Array];
    for (let place = 0; place < second.length; place++) {
      const huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
      const other = Uint8Array.from([...second.subarray(0, place), ...huge, ...second.subarray(place + 1)]);
      const whole = sealed([header, first, other]);
      const updates = [...readCompactLog(whole)];
      expect(updates.length).toBeLessThan(second.length);
      let outcome = 'read';
      try {
        outcome = new Engine({}, half).replay(whole)?.reason ?? 'read';
      } catch (error) {
        outcome = (error as Error).message;
      }
      expect(outcome).not.toBe('');
    }
  });

  it('whose bytes were forged is replayed as its updates would be applied, or refused as they would', () => {
    const { half, log } = history();
    const [header, first, second] = payloadsOf(log.whole()) as [Uint8Array, Uint8Array, Uint8Array];
    const outcomes = new Set<string>();
    for (let place = 0; place < second.length; place++)
      for (const byte of [0, 1, 2, 5, 9, 17, 40, 100, 127]) {
        const other = Uint8Array.from(second);
        other[place] = byte;
        const whole = sealed([header, first, other]);
        const [one, two] = [new Engine({}, half), new Engine({}, half)];
        const outcomeOf = (go: () => string): string => {
          try {
            return go();
          } catch (error) {
            return (error as Error).message.split('\n')[0] as string;
          }
        };
        const wanted = outcomeOf(() => {
          for (const next of readCompactLog(whole)) {
            if (!next.ok) return next.error.reason;
            if (next.value.offset > one.state.offset) one.apply(next.value);
          }
          return 'read';
        });
        expect([place, byte, outcomeOf(() => two.replay(whole)?.reason ?? 'read')]).toEqual([place, byte, wanted]);
        outcomes.add(wanted);
        expect(two.hash()).toBe(one.hash());
        expect(two.state.nextContract).toBe(one.state.nextContract);
      }
    expect(outcomes.size).toBeGreaterThan(8);
  });

  it('whose hashes are right and whose bytes are not is replayed up to there, and nothing of it is applied', () => {
    const { engine, half, log } = history();
    const [header, first, second] = payloadsOf(log.whole()) as [Uint8Array, Uint8Array, Uint8Array];
    for (let length = 1; length < second.length; length++) {
      const cut = second.subarray(0, second.length - length);
      const whole = sealed([header, first, cut]);
      const last = [...readCompactLog(whole)].at(-1);
      const offset = last?.ok ? last.value.offset : (last?.error.offset as number);
      const replayed = new Engine({}, half);
      const bad = replayed.replay(whole);
      expect(bad?.reason).toBe(last?.ok ? undefined : last?.error.reason);
      expect(replayed.state.offset).toBe(offset);
      expect(replayed.state.offset).toBeLessThan(engine.state.offset);
    }
  });
});
