import { createHash } from 'node:crypto';
import {
  Amount,
  ContractId,
  countOf,
  Duration,
  Engine,
  GENESIS_TIME,
  findAny,
  firstByKey,
  genesisConfig,
  holdingsOf,
  inputsCovering,
  Instant,
  lockedHoldingsOf,
  openCompactLog,
  openEngine,
  preapprovalOf,
  PROFILE_NAMES,
  readCompactLog,
  scanContracts,
  walletOf,
  type Command,
  type Context,
  type Holding,
  type Law,
  type LedgerState,
  type PartyId,
  type PlainTransfer,
  type ProfileName,
  type Rejection,
  type RuleProfile,
  type Sha256,
  type Update,
} from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, provider } from './ledger-fixture.ts';
import { runs } from '../chance.ts';

/*
 * Most transfers are decided and applied in numbers. That this is the same as what the rules say is shown by doing both: an engine with a
 * law goes the long way with every command.
 */

const THE_LONG_WAY: Law = { name: 'anything holds', invariant: 1, holds: () => true };
const SEED = 7;
const PARTIES = [alice, bob, carol] as const;

interface World {
  readonly profile: ProfileName;
  /** Whose numbers. */
  readonly config: ProfileName;
  readonly rules?: Partial<RuleProfile>;
}

/** The same ledger in shells that must agree in everything: in numbers and watched, in numbers without updates, and the long way. */
class Shells {
  readonly #logs = [openCompactLog(SEED), openCompactLog(SEED), openCompactLog(SEED)] as const;
  readonly #seen: Update[] = [];
  /** What the quiet one says: numbers in place of the updates of plain transfers. */
  readonly #told: (Update | { readonly plain: PlainTransfer; readonly firstCoin: ContractId })[] = [];
  readonly #watched: Engine;
  readonly #quiet: Engine;
  readonly #long: Engine;

  constructor({ profile, config, rules = {} }: World) {
    const [watched, quiet, long] = this.#logs;
    const options = {
      profile,
      rules,
      seed: SEED,
      config: { ...genesisConfig(config), transferPreapprovalFeeUsd: Amount.zero },
    };
    this.#watched = openEngine({ ...options, log: watched, onUpdate: (update) => this.#seen.push(update) });
    this.#quiet = openEngine({
      ...options,
      log: quiet,
      onUpdate: (update) => this.#told.push(update),
      onPlain: (plain, firstCoin) => this.#told.push({ plain: { ...plain, inputs: [...plain.inputs] }, firstCoin }),
    });
    this.#long = openEngine({ ...options, laws: [THE_LONG_WAY], log: long });
  }

  get state(): LedgerState {
    return this.#long.state;
  }

  submit(command: Command, context: Context): boolean {
    return this.#agreesWith(command, context, () => this.#quiet.execute(command, context));
  }

  /** A payment, which the quiet one is told in numbers. */
  pay(sender: PartyId, receiver: PartyId, units: number, now: Instant): boolean {
    const amount = Amount.ofUnits(BigInt(units));
    const inputs = inputsCovering(this.state, sender, amount, 'smallest');
    return this.#agreesWith(
      { type: 'DirectTransfer', sender, receiver, amount, inputs },
      { now, actAs: [sender] },
      () => this.#quiet.pay(walletOf(this.#quiet.state, sender), walletOf(this.#quiet.state, receiver), units, now),
    );
  }

  #agreesWith(command: Command, context: Context, quietly: () => Rejection | null): boolean {
    const wanted = this.#long.submit(command, context);
    expect(this.#watched.submit(command, context)).toEqual(wanted);
    expect(quietly()).toEqual(wanted.ok ? null : wanted.error);
    return wanted.ok;
  }

  agree(): void {
    expect(this.#watched.hash()).toBe(this.#long.hash());
    expect(this.#quiet.hash()).toBe(this.#long.hash());
    const [watched, quiet, long] = this.#logs.map((log) => Buffer.from(log.whole()));
    expect(watched?.equals(long as Buffer)).toBe(true);
    expect(quiet?.equals(long as Buffer)).toBe(true);
    const read = [...readCompactLog(long as Buffer)].map((next) => (next.ok ? next.value : next.error));
    expect(read).toEqual(this.#seen);
    expect(this.#told.length).toBe(this.#seen.length);
    this.#told.forEach((told, i) => {
      const update = this.#seen[i] as Update;
      if (!('plain' in told)) return expect(told).toEqual(update);
      const { kind, now, sender, receiver, inputs, paid, change } = told.plain;
      const coins = [paid > 0 ? [receiver, paid] : [], change > 0 ? [sender, change] : []].filter(
        ({ length }) => length,
      );
      expect({ kind, now, actAs: [sender], inputs }).toEqual({
        kind: update.kind,
        now: update.recordTime,
        actAs: update.actAs,
        inputs: update.archived,
      });
      expect(coins.map(([owner, units], j) => [told.firstCoin + j, owner, BigInt(units as number)])).toEqual(
        update.created.map((coin) => coin.template === 'Holding' && [coin.id, coin.owner, coin.amount]),
      );
    });
    for (const replayed of [new Engine(), new Engine({ onUpdate: () => undefined })]) {
      expect(replayed.replay(long as Buffer)).toBeNull();
      expect(replayed.state.offset).toBe(this.state.offset);
      expect(replayed.hash()).toBe(this.#long.hash());
    }
  }
}

interface Step {
  readonly what: 'direct' | 'pay' | 'self' | 'merge' | 'tap' | 'offer' | 'round' | 'feature' | 'preapprove' | 'cancel';
  readonly from: number;
  readonly to: number;
  /** Which of the coins go in: bits. */
  readonly coins: number;
  readonly oddity: 'none' | 'twice' | 'of another' | 'unknown' | 'locked' | 'no coin';
  readonly amount: 'all' | 'part' | 'too much' | 'nothing' | 'less than nothing' | 'huge';
  readonly actors: 'sender' | 'receiver' | 'both' | 'nobody';
  readonly later: number;
  readonly says: 'nothing' | 'meta' | 'reason' | 'deadline' | 'past deadline' | 'future request' | 'coin' | 'admin';
  readonly consent: 'in force' | 'left out' | 'of another' | 'gone';
}

const mostly = <T extends string>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom<Step['what'][]>('direct', 'direct', 'pay', 'self', 'merge') },
    { weight: 6, arbitrary: fc.constant<Step['what']>('tap') },
    { weight: 2, arbitrary: fc.constantFrom<Step['what'][]>('offer', 'round') },
    { weight: 1, arbitrary: fc.constantFrom<Step['what'][]>('feature', 'preapprove', 'cancel') },
  ),
  from: fc.nat(2),
  to: fc.nat(2),
  coins: fc.integer({ min: 1, max: 2 ** 31 }),
  oddity: mostly<Step['oddity']>('none', 'twice', 'of another', 'unknown', 'locked', 'no coin'),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Step['amount']>('part') },
    { weight: 2, arbitrary: fc.constant<Step['amount']>('all') },
    { weight: 1, arbitrary: fc.constantFrom<Step['amount'][]>('too much', 'nothing', 'less than nothing', 'huge') },
  ),
  actors: mostly<Step['actors']>('sender', 'receiver', 'both', 'nobody'),
  later: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
    { weight: 1, arbitrary: fc.constant(-1) },
  ),
  says: mostly<Step['says']>(
    'nothing',
    'meta',
    'reason',
    'deadline',
    'past deadline',
    'future request',
    'coin',
    'admin',
  ),
  consent: mostly<Step['consent']>('in force', 'left out', 'of another', 'gone'),
});

/** The command that a step is in a state. */
function commandOf(step: Step, state: LedgerState): { readonly command: Command; readonly context: Context } {
  const sender = PARTIES[step.from] as PartyId;
  const receiver = step.what === 'direct' || step.what === 'pay' ? (PARTIES[step.to] as PartyId) : sender;
  const now = Instant.plus(state.time, Duration.seconds(step.later));
  const own = [...holdingsOf(state, sender, step.coins % 2 === 0 ? 'oldest' : 'smallest')];
  const chosen = own.filter((_, i) => (step.coins >> (i % 31)) & 1);
  const inputs = withOddity(
    chosen.map(({ id }) => id),
    step,
    state,
  );
  const worth = Amount.sum(chosen.map(({ amount }) => amount));
  const amount = {
    all: worth,
    part: Amount.max2(((worth * BigInt(1 + (step.coins % 97))) / 100n) as Amount, Amount.unit),
    'too much': Amount.add(worth, Amount.unit),
    nothing: Amount.zero,
    'less than nothing': Amount.of('-1'),
    huge: Amount.ofUnits(2n ** 60n),
  }[step.amount];
  const actAs = { sender: [sender], receiver: [receiver, bob], both: [sender, dso], nobody: [] }[step.actors];
  const context = { now, actAs };
  const says = {
    nothing: {},
    meta: { meta: {} },
    reason: { meta: { reason: 'rent' } },
    deadline: { executeBefore: Instant.plus(now, Duration.hours(1)) },
    'past deadline': { executeBefore: now },
    'future request': { requestedAt: Instant.plus(now, Duration.hours(1)) },
    coin: { instrument: { admin: dso, id: 'Amulet' } },
    admin: { expectedAdmin: alice },
  }[step.says];
  switch (step.what) {
    case 'pay':
    case 'direct': {
      const inForce = firstByKey(state, 'TransferPreapproval', `receiver:${receiver}`)?.id;
      const others = preapprovalOf(state, PARTIES[(step.to + 1) % 3] as PartyId, now)?.id;
      const preapproval = { 'in force': inForce, 'left out': undefined, 'of another': others, gone: 1 as ContractId }[
        step.consent
      ];
      return {
        command: {
          type: 'DirectTransfer',
          sender,
          receiver,
          amount,
          inputs,
          ...says,
          ...(preapproval === undefined ? {} : { preapproval }),
        },
        context,
      };
    }
    case 'self':
      return { command: { type: 'SelfTransfer', sender, amount, inputs, ...says }, context };
    case 'merge':
      return { command: { type: 'MergeHoldings', owner: sender, inputs }, context };
    case 'tap': {
      const large = step.amount === 'huge' ? 2n ** 55n : step.amount === 'all' ? 2n ** 53n - 1n : BigInt(step.coins);
      return {
        command: { type: 'Tap', receiver: sender, amount: Amount.ofUnits(large) },
        context: { now, actAs: [sender] },
      };
    }
    case 'offer':
      return {
        command: {
          type: 'CreateOffer',
          sender,
          receiver: bob,
          amount,
          inputs,
          executeBefore: Instant.plus(now, Duration.minutes(5)),
        },
        context,
      };
    case 'round':
      return {
        command: { type: 'AdvanceOpenRounds', amuletPrice: Amount.of(step.coins % 3 === 0 ? '0.005' : '0.01') },
        context: { now: Instant.plus(state.time, Duration.minutes(20)), actAs: [dso] },
      };
    case 'feature':
      return {
        command: { type: 'GrantFeaturedAppRight', provider: step.coins % 2 === 0 ? sender : provider },
        context: { now, actAs: [dso] },
      };
    case 'preapprove':
      return {
        command: {
          type: 'CreatePreapproval',
          receiver: sender,
          provider,
          expiresAt: Instant.plus(now, Duration.minutes(1 + (step.coins % 40))),
          inputs: [],
        },
        context: { now, actAs: [sender, provider] },
      };
    case 'cancel': {
      const preapproval = preapprovalOf(state, sender, now)?.id ?? (1 as ContractId);
      return { command: { type: 'CancelPreapproval', preapproval }, context: { now, actAs: [sender] } };
    }
  }
}

function withOddity(inputs: readonly ContractId[], { oddity, from }: Step, state: LedgerState): readonly ContractId[] {
  const other = PARTIES[(from + 1) % 3] as PartyId;
  switch (oddity) {
    case 'none':
      return inputs;
    case 'twice':
      return [...inputs, ...inputs.slice(0, 1)];
    case 'of another':
      return [...inputs, ...[...holdingsOf(state, other, 'newest')].slice(0, 1).map(({ id }) => id)];
    case 'unknown':
      return [...inputs, ContractId.of(state.nextContract + 3)];
    case 'locked':
      return [...inputs, ...[...lockedHoldingsOf(state, PARTIES[from] as PartyId)].slice(0, 1).map(({ id }) => id)];
    case 'no coin':
      return [ContractId.of(1), ...inputs];
  }
}

function founded(world: World): Shells {
  const shells = new Shells(world);
  for (const [i, receiver] of PARTIES.entries()) {
    const by = i === 0 ? provider : dso;
    shells.submit(
      {
        type: 'CreatePreapproval',
        receiver,
        provider: by,
        expiresAt: Instant.plus(GENESIS_TIME, i === 2 ? Duration.minutes(20) : Duration.days(30)),
        inputs: [],
      },
      { now: GENESIS_TIME, actAs: [receiver, by] },
    );
    for (const value of ['10', '0.5', '0.5', '7.0000000001', '3'])
      shells.submit({ type: 'Tap', receiver, amount: Amount.of(value) }, { now: GENESIS_TIME, actAs: [receiver] });
  }
  return shells;
}

const WORLDS = [
  ...PROFILE_NAMES.map((profile) => ({ profile, config: profile })),
  // Rules and prices that do not belong together: each must be looked at.
  { profile: 'feeless', config: 'feeless', rules: { chargesHoldingFee: true } },
  { profile: 'feeless', config: 'legacy-fees' },
] as const satisfies readonly World[];

describe.each(WORLDS)('under the rules of $profile with the fees of $config $rules', (world: World) => {
  it('a transfer in numbers and one by the rules give the same updates, logs, states and refusals', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const shells = founded(world);
        for (const step of steps) {
          const { command, context } = commandOf(step, shells.state);
          const units = 'amount' in command && typeof command.amount === 'bigint' ? Number(command.amount) : 0;
          if (step.what === 'pay' && Number.isSafeInteger(units))
            shells.pay(PARTIES[step.from] as PartyId, PARTIES[step.to] as PartyId, units, context.now);
          else shells.submit(command, context);
        }
        shells.agree();
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('a wallet that is no longer small', () => {
  it('pays and is paid like any other', () => {
    const shells = founded({ profile: 'feeless', config: 'feeless' });
    const tap = (receiver: PartyId, value: string): boolean =>
      shells.submit({ type: 'Tap', receiver, amount: Amount.of(value) }, { now: GENESIS_TIME, actAs: [receiver] });
    const pay = (sender: PartyId, receiver: PartyId, most: number): boolean => {
      const inputs = [...holdingsOf(shells.state, sender, 'smallest')].slice(0, most).map(({ id }) => id);
      const preapproval = preapprovalOf(shells.state, receiver, GENESIS_TIME)?.id as ContractId;
      return shells.submit(
        { type: 'DirectTransfer', sender, receiver, amount: Amount.of('0.25'), inputs, preapproval },
        { now: GENESIS_TIME, actAs: [sender] },
      );
    };
    for (let i = 0; i < 26; i++) expect(tap(bob, '1')).toBe(true);
    expect(countOf(shells.state, bob)).toBe(31);
    for (let i = 0; i < 4; i++) expect(pay(alice, bob, 2)).toBe(true);
    expect(countOf(shells.state, bob)).toBe(35);
    expect(pay(bob, carol, 30)).toBe(true);
    expect(countOf(shells.state, bob)).toBe(6);
    expect(pay(alice, bob, 1)).toBe(true);
    shells.agree();
  });
});

describe('a payment in numbers', () => {
  const engine = openEngine();
  const from = walletOf(engine.state, alice);
  const to = walletOf(engine.state, bob);

  it.each([
    ['from', 1_000_000, to, 1],
    ['to', from, -1, 1],
    ['units', from, to, 0.5],
    ['units', from, to, 2 ** 53],
    ['units', from, to, Number.NaN],
  ])('names the %s that is no number it can take', (field, payer, payee, units) => {
    expect(engine.pay(payer, payee, units, GENESIS_TIME)).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });

  it('that nobody could make by a command is refused as that would be', () => {
    expect(engine.pay(from, to, 1, GENESIS_TIME)).toMatchObject({ code: 'CONTRACT_NOT_FOUND' });
  });
});

describe('a ledger of few coins that has seen many', () => {
  it('knows those that are left and none of those that were spent, and so does a version that was kept', () => {
    const engine = openEngine();
    for (const receiver of [alice, bob])
      engine.submit({ type: 'Tap', receiver, amount: Amount.of('100') }, { now: GENESIS_TIME, actAs: [receiver] });
    const pass = (times: number): void => {
      for (let i = 0; i < times; i++)
        for (const sender of [alice, bob]) {
          const inputs = inputsCovering(engine.state, sender, Amount.of('1'), 'oldest');
          const command = { type: 'SelfTransfer', sender, amount: Amount.of('1'), inputs } as const;
          expect(engine.execute(command, { now: GENESIS_TIME, actAs: [sender] })).toBeNull();
        }
    };
    const coinsIn = (state: LedgerState): readonly ContractId[] =>
      [alice, bob].flatMap((owner) => Array.from(holdingsOf(state, owner, 'oldest'), ({ id }) => id));
    const isKnown = (state: LedgerState, id: number): boolean => findAny(state, id as ContractId) !== null;
    pass(10);
    const kept = engine.snapshot();
    const then = coinsIn(kept);
    pass(3_000);
    for (const [state, coins] of [
      [engine.state, coinsIn(engine.state)],
      [kept, then],
    ] as const) {
      const scanned = [...scanContracts(state)].filter(({ template }) => template === 'Holding').map(({ id }) => id);
      expect(scanned).toEqual(coins.toSorted((a, b) => a - b));
      expect(coins.every((id) => isKnown(state, id))).toBe(true);
      const spent = Array.from(
        { length: engine.state.nextContract - (then[0] as number) },
        (_, i) => (then[0] as number) + i,
      );
      expect(spent.filter((id) => isKnown(state, id))).toEqual(scanned.filter((id) => id >= (then[0] as number)));
    }
  });
});

describe('a compact log that another engine goes on with', () => {
  it('names the parties as that one numbers them', () => {
    const log = openCompactLog(SEED);
    const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
    const first = openEngine({ ...options, log });
    const merge = (engine: Engine, owner: PartyId): void => {
      const inputs = Array.from(holdingsOf(engine.state, owner, 'oldest'), ({ id }) => id);
      expect(
        engine.execute({ type: 'MergeHoldings', owner, inputs }, { now: GENESIS_TIME, actAs: [owner] }),
      ).toBeNull();
    };
    for (const receiver of [alice, alice, bob, bob])
      first.submit({ type: 'Tap', receiver, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [receiver] });
    merge(first, alice);
    const strange = new Engine();
    walletOf(strange.state, carol);
    walletOf(strange.state, bob);
    expect(strange.replay(log.whole())).toBeNull();
    const second = new Engine({ log }, strange.state);
    merge(second, bob);
    merge(second, alice);
    const replayed = new Engine();
    expect(replayed.replay(log.whole())).toBeNull();
    expect(replayed.hash()).toBe(second.hash());
  });
});

describe('a compact log that an engine replays', () => {
  const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
  const at = (...actAs: readonly PartyId[]): Context => ({ now: GENESIS_TIME, actAs });
  const log = openCompactLog(SEED);
  const engine = openEngine({ ...options, log });
  engine.submit(
    { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
    at(bob, dso),
  );
  for (let i = 0; i < 6; i++) engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, at(alice));
  const half = engine.snapshot();
  const pay = (on: Engine): boolean => {
    const [coin] = holdingsOf(on.state, alice, 'oldest');
    const preapproval = preapprovalOf(on.state, bob, GENESIS_TIME)?.id as ContractId;
    const inputs = coin ? [coin.id] : [];
    return (
      on.execute(
        { type: 'DirectTransfer', sender: alice, receiver: bob, amount: Amount.of('5'), inputs, preapproval },
        at(alice),
      ) === null
    );
  };
  log.take();
  for (let i = 0; i < 3; i++) expect(pay(engine)).toBe(true);
  const bytes = log.whole();

  it('goes on from where the engine is', () => {
    const later = new Engine({}, half);
    expect(later.replay(bytes)).toBeNull();
    expect(later.hash()).toBe(engine.hash());
  });

  it('is applied up to the segment that is torn, which is named', () => {
    const torn = new Engine();
    expect(torn.replay(bytes.subarray(0, bytes.length - 1))).toEqual({
      at: expect.any(Number),
      offset: half.offset,
      reason: 'a torn segment',
    });
    expect(torn.state.offset).toBe(half.offset);
  });

  it('stops where an update does not fit', () => {
    const other = new Engine({}, half);
    const [, second] = [...holdingsOf(half, alice, 'oldest')];
    other.submit({ type: 'MergeHoldings', owner: alice, inputs: [second?.id as ContractId] }, at(alice));
    expect(() => other.replay(bytes)).toThrow(/an archived contract was active|contract ids ascend/);
  });
});

describe('a coin whose id is above 2³³', () => {
  it('is kept as an object, and paid with like any other', () => {
    const options = { seed: SEED, config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
    const engine = openEngine(options);
    engine.submit(
      { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
      { now: GENESIS_TIME, actAs: [bob, dso] },
    );
    engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [alice] });
    const [tapped] = [...holdingsOf(engine.state, alice, 'oldest')];
    const { state } = engine;
    const far = 2 ** 33 - 1;
    const coin = { ...(tapped as Holding), id: far as ContractId };
    const detail = { minted: coin.amount, burned: 0n, receiver: alice, amount: coin.amount, holding: far };
    engine.apply({
      offset: state.offset + 1,
      updateId: '',
      recordTime: state.time,
      kind: 'Minted',
      actAs: [dso],
      archived: [],
      created: [coin],
      detail,
    } as unknown as Update);
    const from = walletOf(engine.state, alice);
    const to = walletOf(engine.state, bob);
    expect(engine.pay(from, to, 70_000_000_000, GENESIS_TIME)).toBeNull();
    expect(holdingsIn(engine.state, bob)).toEqual([[2 ** 33, 70_000_000_000n]]);
    expect(holdingsIn(engine.state, alice)).toEqual([[2 ** 33 + 1, 30_000_000_000n]]);
    expect(engine.pay(from, to, 10_000_000_000, GENESIS_TIME)).toBeNull();
    expect(engine.pay(to, from, 75_000_000_000, GENESIS_TIME)).toMatchObject({ code: 'CONTRACT_NOT_FOUND' });
    expect(holdingsIn(engine.state, bob).map(([id]) => id)).toEqual([2 ** 33 + 2, 2 ** 33]);
  });

  const holdingsIn = (state: LedgerState, owner: PartyId): readonly (readonly [number, bigint])[] =>
    Array.from(holdingsOf(state, owner, 'smallest'), ({ id, amount }) => [id, amount]);
});

describe("a compact log under the platform's own SHA-256", () => {
  it('is the same, byte for byte, and read with either', () => {
    const native: Sha256 = (...pieces) =>
      pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
    const logs = [openCompactLog(SEED), openCompactLog(SEED, native)] as const;
    for (const log of logs) {
      const engine = openEngine({ seed: SEED, log });
      for (let i = 0; i < 2_000; i++)
        engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('5') }, { now: GENESIS_TIME, actAs: [alice] });
    }
    const bytes = logs[1].whole();
    expect(Buffer.from(bytes).equals(logs[0].whole())).toBe(true);
    for (const sha256 of [undefined, native]) expect(new Engine().replay(bytes, sha256)).toBeNull();
    expect(new Engine().replay(bytes, (...pieces) => native(...pieces).fill(0, 0, 1))).toMatchObject({ offset: 0 });
  });
});
