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
  updateOf,
  type Command,
  type CompactLog,
  type Context,
  type Entry,
  type EngineOptions,
  type Law,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { findAny, scanContracts } from '@coinlab/core/views';
import { packPayment, pay, walletOf } from '@coinlab/core/simulation';
import { preapprovalOf } from '@coinlab/core/rules';
import { isPacked, type PackedTransfer } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso } from './ledger-fixture.ts';
import { payloadsOf, sealed } from './log/segments.ts';

/*
 * Laws, listeners, logs and replaying engines see every entry, packed transfers included.
 */

const SEED = 7;
const FREE = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
const at = (...actAs: Context['actAs']): Context => ({ now: GENESIS_TIME, actAs });
const ANYTHING: Law = { name: 'anything holds', invariant: 1, holds: () => true };
const NO_TRANSFER: Law = {
  name: 'no party is paid',
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

function transfers(state: LedgerState): readonly Command[] {
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
  const engine = funded({ log, onEntry: (entry) => updates.push(updateOf(entry)), ...options });
  const before = engine.snapshot();
  const go = (): void => {
    for (const nth of [0, 1, 2])
      expect(engine.submit(transfers(engine.state)[nth] as Command, at(alice)).ok).toBe(true);
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
  it.each([0, 1, 2])('are checked for each kind of transfer, including kinds with a packed form: %i', (nth) => {
    const { state } = funded();
    const command = transfers(state)[nth] as Command;
    for (const submit of [
      () => new Engine({ laws: [NO_TRANSFER] }, state).submit(command, at(alice)),
      () => ledgerFrom(state, [NO_TRANSFER]).submit(command, at(alice)),
    ])
      expect(submit).toThrow(/no party is paid/);
    expect(new Engine({}, state).submit(command, at(alice)).ok).toBe(true);
    expect(ledgerFrom(state).submit(command, at(alice)).ok).toBe(true);
  });

  it('are checked for a payment by wallet numbers', () => {
    const { state } = funded();
    const [from, to] = [alice, bob].map((party) => walletOf(state, party)) as [number, number];
    const payment = { from, to, units: 5, now: GENESIS_TIME };
    expect(packPayment(payment, state)).not.toBeNull();
    const engine = new Engine({ laws: [NO_TRANSFER] }, state);
    expect(() => pay(engine, payment)).toThrow(/no party is paid/);
  });

  it('are checked for replayed updates', () => {
    const { before, log } = history();
    expect(() => new Engine({ laws: [NO_TRANSFER] }, before).replay(log.whole())).toThrow(/no party is paid/);
  });
});

describe('the listener of an engine', () => {
  it('receives every entry, including payments by wallet number', () => {
    const { engine, updates, log } = history();
    const [from, to] = [alice, bob].map((party) => walletOf(engine.state, party)) as [number, number];
    for (let i = 0; i < 2; i++) expect(pay(engine, { from, to, units: 5, now: GENESIS_TIME }).ok).toBe(true);
    expect(updates.map(({ offset }) => offset)).toEqual(Array.from({ length: engine.state.offset }, (_, i) => i + 1));
    expect(read(log)).toEqual(updates);
  });

  it('receives packed transfers without conversion, and may keep them', () => {
    const entries: Entry[] = [];
    history({ onEntry: (entry) => entries.push(entry) });
    const six = history().updates.slice(-6);
    expect(entries.slice(-6).map(isPacked)).toEqual(six.map(() => true));
    expect(entries.slice(-6).map(updateOf)).toEqual(six);
  });

  it('receives replayed entries, like the attached log', () => {
    const { engine, updates, log } = history();
    const entries: Entry[] = [];
    const copy = openCompactLog(SEED);
    const replayed = new Engine({ onEntry: (entry) => entries.push(entry), log: copy });
    expect(replayed.replay(log.whole())).toBeNull();
    expect(replayed.hash()).toBe(engine.hash());
    expect(entries.map(updateOf)).toEqual(updates);
    expect(entries.some(isPacked)).toBe(true);
    expect(Buffer.from(copy.whole()).length).toBeGreaterThan(100);
    expect(read(copy)).toEqual(updates);
  });
});

describe('a compact log of an engine', () => {
  it('is read with the ids of its own seed, even if the engine has another seed', () => {
    const other = openCompactLog(SEED + 1);
    const { updates, engine } = history({ log: other });
    expect(read(other)).toEqual(updates);
    const replayed = new Engine();
    expect(replayed.replay(other.whole())).toBeNull();
    expect(replayed.hash()).toBe(engine.hash());
    // Without a listener the log is still complete.
    const quiet = openCompactLog(SEED + 1);
    history({ log: quiet, onEntry: () => undefined });
    expect(read(quiet)).toEqual(updates);
  });

  it('is replayed from the engine’s offset: at the start, in the middle or at the end of the log', () => {
    const { engine, before, half, log } = history();
    for (const state of [before, half, engine.snapshot()]) {
      const later = new Engine({}, state);
      expect(later.replay(log.whole())).toBeNull();
      expect(later.state.offset).toBe(engine.state.offset);
      expect(later.hash()).toBe(engine.hash());
    }
  });

  it('contains each party in full at its first payment when the log starts in the middle of a history', () => {
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
      const other = new Engine(
        { log: long, onEntry: (entry) => updates.push(updateOf(entry)), laws: [ANYTHING] },
        state,
      );
      for (const engine of [one, other]) {
        const [payer] = pairs[first] as (typeof pairs)[number];
        const [coin] = holdingsOf(engine.state, payer, 'oldest');
        const self: Command = {
          type: 'SelfTransfer',
          sender: payer,
          amount: Amount.of('1'),
          inputs: [coin?.id as ContractId],
        };
        expect(engine.submit(self, at(payer)).ok).toBe(true);
        for (const [sender, receiver] of [...pairs.slice(first), ...pairs.slice(0, first)]) {
          const inputs = [[...holdingsOf(engine.state, sender, 'oldest')][0]?.id as ContractId];
          const pay: Command = { type: 'DirectTransfer', sender, receiver, amount: Amount.of('0.5'), inputs };
          expect(engine.submit(pay, at(sender)).ok).toBe(true);
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

  it('contains a packed transfer in short form if it follows from the entry before, otherwise an update', () => {
    const { state } = funded();
    const entries: Entry[] = [];
    const engine = new Engine({ onEntry: (entry) => entries.push(entry) }, state);
    for (const nth of [0, 1]) engine.submit(transfers(engine.state)[nth] as Command, at(alice));
    const [before, packed] = entries as [PackedTransfer, PackedTransfer];
    const written = (change: Partial<PackedTransfer>): number => {
      const log = openCompactLog(SEED);
      // As an update, so that the log knows the round and the parties.
      log.append(updateOf(before));
      const bytes = log.whole().length;
      const entry = { ...packed, ...change };
      log.append(entry);
      const length = log.whole().length - bytes;
      expect(read(log).at(-1)).toEqual(updateOf(entry));
      return length;
    };
    const short = written({});
    expect(written({ recordTime: Instant.plus(packed.recordTime, 1n as Duration) })).toBeLessThan(short + 10);
    const others: readonly Partial<PackedTransfer>[] = [
      { round: (packed.round + 1) as PackedTransfer['round'] },
      { rate: Amount.add(packed.rate, Amount.unit) },
      { seed: SEED + 1 },
      ...[-1, 1, 2].flatMap((by) => [
        { offset: (packed.offset + by) as PackedTransfer['offset'] },
        { firstCoin: (packed.firstCoin + by) as ContractId },
      ]),
    ];
    for (const change of others) expect(written(change)).toBeGreaterThan(short + 10);
  });

  it('is replayed by an engine with a diverged history up to the first update that does not apply, as a list of updates is', () => {
    const { before, log } = history();
    const updates = read(log).slice(before.offset + 1);
    const later = Instant.plus(GENESIS_TIME, Duration.minutes(1));
    const preapproval = preapprovalOf(before, bob, GENESIS_TIME)?.id as ContractId;
    const tap: Command = { type: 'Tap', receiver: bob, amount: Amount.of('1') };
    const [, self, merge] = transfers(before) as [Command, Command, Command];
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
      expect(strayed.submit(command, { now, actAs: [party] }).ok).toBe(true);
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

  it('is refused at once when it announces more entries than its size allows', () => {
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

  it('is applied or refused exactly like its updates when its bytes are forged', () => {
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

  it('is replayed up to the first malformed segment, also when the hash of that segment is valid', () => {
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
