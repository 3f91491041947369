import {
  Amount,
  countOf,
  Duration,
  GENESIS_TIME,
  genesisConfig,
  holdingsOf,
  inputsCovering,
  Instant,
  openEngine,
  Engine,
  PartyId,
  type Command,
  type LedgerState,
} from '@coinlab/core';
import { fewOf, packMintTo, packPayment, pay, walletOf, type WalletPayment } from '@coinlab/core/simulation';
import { describe, expect, it } from 'vitest';
import { allOf } from '@coinlab/core/views';
import { alice, bob, carol, dso, provider } from './ledger-fixture.ts';
import { founded } from './packed-shells.ts';

/** Makes a packed payment. @returns false when it has no packed form, and then nothing changes */
function packs(engine: Engine, payment: WalletPayment): boolean {
  const packed = packPayment(payment, engine.state);
  if (packed) engine.apply(packed);
  return packed !== null;
}

const dave = PartyId.of('dave');

describe('a payment by wallet number', () => {
  it.each([
    ['from', { from: 1_000_000 }],
    ['to', { to: -1 }],
    ['units', { units: 0.5 }],
    ['units', { units: 2 ** 53 }],
    ['units', { units: Number.NaN }],
  ])('is refused with the name of the %s when it is out of range', (field, wrong) => {
    const engine = openEngine();
    const { state } = engine;
    const right = { from: walletOf(state, alice), to: walletOf(state, bob), units: 1 };
    const { from: payer, to: payee, units } = { ...right, ...wrong };
    expect(pay(engine, { from: payer, to: payee, units, now: GENESIS_TIME })).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', field },
    });
  });

  it('without a preapproval of the receiver is refused like a command without a preapproval', () => {
    const engine = openEngine();
    const [from, to] = [alice, bob].map((party) => walletOf(engine.state, party)) as [number, number];
    expect(pay(engine, { from, to, units: 1, now: GENESIS_TIME })).toMatchObject({
      error: { code: 'CONTRACT_NOT_FOUND' },
    });
  });
});

describe('a payment that cannot be packed', () => {
  const free = { profile: 'feeless', config: 'feeless' } as const;
  const later = Instant.plus(GENESIS_TIME, Duration.minutes(2));

  it('has the same outcome as under the full rules: before the last update, at the latest time, to its sender, with featured apps', () => {
    const shells = founded(free);
    expect(shells.pay(alice, bob, 5, later)).toBe(true);
    expect(shells.pay(alice, bob, 5, GENESIS_TIME)).toBe(false);
    expect(shells.pay(alice, bob, 5, later)).toBe(true);
    expect(shells.pay(alice, alice, 5, later)).toBe(true);
    shells.submit({ type: 'GrantFeaturedAppRight', provider: dso }, { now: later, actAs: [dso] });
    expect(shells.pay(alice, bob, 5, later)).toBe(true);
    expect(shells.pay(alice, bob, 5, Instant.latest)).toBe(false);
    shells.agree();
  });

  it('changes nothing when it is refused: before the last update, to oneself, without a valid preapproval', () => {
    const engine = openEngine({ config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } });
    const expiresAt = Instant.plus(GENESIS_TIME, Duration.minutes(4));
    for (const receiver of [alice, bob]) {
      const consent = { type: 'CreatePreapproval', receiver, provider: dso, expiresAt, inputs: [] } as const;
      engine.submit(consent, { now: GENESIS_TIME, actAs: [receiver, dso] });
      engine.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, { now: GENESIS_TIME, actAs: [receiver] });
    }
    const [a, b, c] = [alice, bob, carol].map((party) => walletOf(engine.state, party)) as [number, number, number];
    expect(packs(engine, { from: a, to: b, units: 5, now: later })).toBe(true);
    const hash = engine.hash();
    expect(packs(engine, { from: a, to: b, units: 5, now: Instant.plus(later, Duration.seconds(-1)) })).toBe(false);
    expect(packs(engine, { from: a, to: a, units: 5, now: later })).toBe(false);
    expect(packs(engine, { from: a, to: c, units: 5, now: later })).toBe(false);
    for (const units of [0, -5, 0.5, Number.NaN, 1e10 - 4])
      expect(packs(engine, { from: a, to: b, units, now: later })).toBe(false);
    expect(packs(engine, { from: c, to: b, units: 5, now: later })).toBe(false);
    for (const now of [expiresAt, Instant.latest]) expect(packs(engine, { from: a, to: b, units: 5, now })).toBe(false);
    expect(engine.hash()).toBe(hash);
    expect(packs(engine, { from: a, to: b, units: 5, now: later })).toBe(true);
    expect(packs(engine, { from: a, to: b, units: 1e10 - 10, now: later })).toBe(true);
    expect(fewOf(engine.state, a)).toBe(0);
    engine.submit({ type: 'GrantFeaturedAppRight', provider: dso }, { now: later, actAs: [dso] });
    expect(packs(engine, { from: b, to: a, units: 5, now: later })).toBe(false);
    expect(pay(engine, { from: b, to: a, units: 5, now: later }).ok).toBe(true);
  });

  it("pays a party with a preapproval of a featured provider, until the provider's right ends", () => {
    const engine = openEngine({ config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } });
    const at = { now: later, actAs: [dso] };
    const granted = (to: PartyId): Command => ({ type: 'GrantFeaturedAppRight', provider: to });
    for (const [receiver, host] of [
      [alice, provider],
      [bob, dso],
      [carol, carol],
    ] as const) {
      if (receiver === carol) engine.submit(granted(carol), at);
      const consent = { type: 'CreatePreapproval', receiver, provider: host, expiresAt: Instant.latest, inputs: [] };
      engine.submit(consent as Command, { now: later, actAs: [receiver, host] });
      engine.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, { now: later, actAs: [receiver] });
    }
    const numbers = [alice, bob, carol].map((party) => walletOf(engine.state, party));
    const packable = (): readonly boolean[] =>
      numbers.map(
        (to, i) => packPayment({ from: numbers[(i + 1) % 3] ?? 0, to, units: 5, now: later }, engine.state) !== null,
      );
    expect(packable()).toEqual([true, true, false]);
    engine.submit(granted(provider), at);
    const before = engine.snapshot();
    engine.submit(granted(dso), at);
    expect(packable()).toEqual([false, false, false]);
    const rights = Array.from(allOf(engine.state, 'FeaturedAppRight'), ({ id }) => id);
    for (const right of rights)
      engine.submit({ type: 'WithdrawFeaturedAppRight', right, reason: 'over' } as Command, at);
    expect(packable()).toEqual([true, true, true]);
    const fork = new Engine({}, before);
    expect(packPayment({ from: numbers[1] ?? 0, to: numbers[0] ?? 0, units: 5, now: later }, fork.state)).toBeNull();
    expect(
      packPayment({ from: numbers[0] ?? 0, to: numbers[1] ?? 0, units: 5, now: later }, fork.state),
    ).not.toBeNull();
  });

  it.each([
    [
      [2n ** 53n - 2n, 2n ** 53n - 1n],
      [2 ** 53 - 2, 2 ** 53 - 1],
    ],
    [
      [2n ** 53n - 1n, 2n ** 53n - 1n],
      [2 ** 53 - 1, 2 ** 53 - 2],
    ],
    [
      [1n, 2n ** 53n - 2n],
      [2 ** 53 - 1, 1],
    ],
    [
      [1n, 2n ** 53n - 1n],
      [2 ** 53 - 1, 2],
    ],
    [
      [3n, 2n ** 53n],
      [2 ** 53 - 1, 4],
    ],
    [[2n ** 60n], [2 ** 53 - 1, 1]],
  ])('returns the exact change when the sum of the coins exceeds a double: %s', (coins, payments) => {
    for (const units of payments) {
      const shells = founded(free);
      const own = [...holdingsOf(shells.state, alice, 'oldest')];
      const amount = Amount.sum(own.map((coin) => coin.amount));
      const inputs = own.map(({ id }) => id);
      shells.submit(
        { type: 'DirectTransfer', sender: alice, receiver: bob, amount, inputs },
        { now: GENESIS_TIME, actAs: [alice] },
      );
      expect(countOf(shells.state, alice)).toBe(0);
      for (const value of coins) {
        const mint = { type: 'Mint', receiver: alice, amount: Amount.ofUnits(value) } as const;
        expect(shells.submit(mint, { now: GENESIS_TIME, actAs: [dso, alice] })).toBe(true);
      }
      const sum = coins.reduce((total, value) => total + value, 0n);
      expect(shells.pay(alice, bob, units, GENESIS_TIME)).toBe(true);
      const left = [...holdingsOf(shells.state, alice, 'oldest')].map((coin) => coin.amount);
      expect(Amount.sum(left)).toBe(sum - BigInt(units));
      shells.agree();
    }
  });

  it('is packed up to the largest sum that a double holds exactly', () => {
    for (const [rest, isPacked] of [
      [2n ** 53n - 3n, true],
      [2n ** 53n - 2n, true],
      [2n ** 53n - 1n, false],
    ] as const) {
      const engine = openEngine({ config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } });
      const consent = { type: 'CreatePreapproval', receiver: bob, provider: dso, inputs: [] } as const;
      engine.submit({ ...consent, expiresAt: Instant.latest }, { now: GENESIS_TIME, actAs: [bob, dso] });
      for (const units of [1n, rest])
        engine.submit(
          { type: 'Mint', receiver: alice, amount: Amount.ofUnits(units) },
          { now: GENESIS_TIME, actAs: [dso, alice] },
        );
      const [from, to] = [alice, bob].map((party) => walletOf(engine.state, party)) as [number, number];
      expect(packs(engine, { from: from, to: to, units: 2, now: GENESIS_TIME })).toBe(isPacked);
    }
  });

  it.each(['SelfTransfer', 'MergeHoldings', 'DirectTransfer'] as const)('is refused with a %s in the past', (type) => {
    const shells = founded(free);
    expect(shells.pay(alice, bob, 5, later)).toBe(true);
    const inputs = inputsCovering(shells.state, alice, Amount.unit, 'smallest');
    const what = { sender: alice, amount: Amount.unit, inputs };
    const command = {
      SelfTransfer: { type: 'SelfTransfer', ...what },
      MergeHoldings: { type: 'MergeHoldings', owner: alice, inputs },
      DirectTransfer: { type: 'DirectTransfer', ...what, receiver: bob },
    } as const;
    expect(shells.submit(command[type], { now: GENESIS_TIME, actAs: [alice] })).toBe(false);
    expect(shells.submit(command[type], { now: later, actAs: [alice] })).toBe(true);
    shells.agree();
  });
});

describe('coin minted by wallet number', () => {
  const later = Instant.plus(GENESIS_TIME, Duration.minutes(2));

  it.each(['feeless', 'legacy-fees'] as const)(
    'has the same outcome as the command under the full rules, with the profile %s',
    (config) => {
      const shells = founded({ profile: config, config });
      for (const units of [1, 7, 2 ** 53 - 1, 0])
        for (const receiver of [alice, dave, dso, bob, dave])
          expect(shells.mint(receiver, units, GENESIS_TIME)).toBe(units > 0);
      for (let coin = 0; coin < 40; coin++) expect(shells.mint(carol, 5 + (coin % 3), later)).toBe(true);
      expect(shells.mint(dave, 5, GENESIS_TIME)).toBe(false);
      expect(shells.pay(carol, bob, 60, later)).toBe(config === 'feeless');
      shells.agree();
    },
  );

  it('is not packed for wrong numbers, at wrong times, for a large wallet and on a network that mints none', () => {
    const engine = openEngine();
    const to = walletOf(engine.state, dave);
    const right = { to, units: 7, now: later };
    const packs = (wrong: object, state: LedgerState = engine.state): boolean =>
      packMintTo({ ...right, ...wrong }, state) !== null;
    expect(packs({})).toBe(true);
    const numbers = [-1, 0.5, Number.NaN, 1_000_000].flatMap((number) => [{ to: number }]);
    const units = [0, -7, 0.5, Number.NaN, Infinity, 2 ** 53].map((number) => ({ units: number }));
    const times = [Instant.plus(GENESIS_TIME, Duration.seconds(-1)), Instant.latest, 7].map((now) => ({ now }));
    for (const wrong of [...numbers, ...units, ...times]) expect([wrong, packs(wrong)]).toEqual([wrong, false]);
    for (let coin = 0; coin < 33; coin++)
      engine.submit({ type: 'Mint', receiver: dave, amount: Amount.unit }, { now: later, actAs: [dso, dave] });
    expect(packs({})).toBe(false);
    const other = openEngine({ isDevNet: false }).state;
    expect(packs({ to: walletOf(other, dave) }, other)).toBe(false);
  });

  it('is not packed where unknown receivers are refused, nor for a malformed party', () => {
    for (const requireKnownParties of [false, true]) {
      const { state } = openEngine({ requireKnownParties });
      const packs = (party: PartyId): boolean =>
        packMintTo({ to: walletOf(state, party), units: 7, now: later }, state) !== null;
      expect(packs(dave)).toBe(!requireKnownParties);
      // Cast: plain JavaScript may pass any text.
      expect(packs('dave' as PartyId)).toBe(false);
    }
  });
});
