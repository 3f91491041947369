import { allOf } from '@coinlab/core/views';
import {
  Amount,
  balanceOf,
  holdingsOf,
  Duration,
  Instant,
  openLedger,
  PartyId,
  PROFILE_NAMES,
  type Command,
  type ContractId,
  type Ledger,
} from '@coinlab/core';
import { sweep, topUp, topUpParameters, type SweepConfig } from '@coinlab/automation';
import { cast } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { dso } = cast;

const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const provider = PartyId.of('provider');
const memberId = 'PAR::one::1220';

const units = (most: bigint): fc.Arbitrary<Amount> => fc.bigInt(1n, most).map(Amount.ofUnits);
const usd = units(300n * Amount.one);

describe.each(PROFILE_NAMES.filter((profile) => profile !== 'legacy-fees'))('under the rules of %s', (profile) => {
  it('a sweep acts only above the maximum balance and leaves the minimum (invariant 53)', () => {
    let fired = 0;
    fc.assert(
      fc.property(
        fc.array(units(2000n * Amount.one), { minLength: 1, maxLength: 8 }),
        fc.bigInt(10n ** 6n, 5n * Amount.one).map(Amount.ofUnits),
        usd,
        usd,
        fc.constantFrom('direct', 'locked', 'public'),
        fc.array(fc.constantFrom('accept', 'wait', 'fund'), { maxLength: 5 }),
        (coins, amuletPrice, a, b, form, between) => {
          const config: SweepConfig = {
            receiver: bob,
            maxBalanceUSD: Amount.max2(a, b),
            minBalanceUSD: Amount.min(a, b),
            useTransferPreapproval: form === 'direct',
          };
          let ledger = withPreapproval(openLedger({ profile, amuletPrice }));
          for (const amount of coins) ledger = submit(ledger, { type: 'Mint', receiver: alice, amount }, dso, alice);
          const policy = sweep(alice, config, form === 'public' ? 'public' : 'locked');
          // What is offered locks its coin or counts as outstanding; either way it is no longer at hand.
          const atHand = (): bigint => {
            const outstanding = form === 'direct' ? 0n : offered(ledger, amuletPrice);
            return Amount.mul(amuletPrice, balanceOf(ledger.state, alice).unlocked) - outstanding;
          };
          for (const step of ['wait', ...between]) {
            if (step === 'fund')
              ledger = submit(ledger, { type: 'Tap', receiver: alice, amount: Amount.ofWhole(500) }, alice);
            if (step === 'accept')
              for (const { id, receiver } of allOf(ledger.state, 'TransferOffer'))
                if (receiver === bob) ledger = submit(ledger, { type: 'AcceptWalletOffer', offer: id }, bob);
            const before = atHand();
            const tasks = policy(ledger.state, ledger.state.time);
            for (const { command, actAs } of tasks) ledger = submit(ledger, command, ...actAs);
            fired += tasks.length;
            if (tasks.length > 0) expect(before).toBeGreaterThan(config.maxBalanceUSD);
            // The amount is rounded once in coin and once in USD, half a unit each.
            if (tasks.length > 0) expect(atHand()).toBeGreaterThanOrEqual(config.minBalanceUSD - rounding(amuletPrice));
            else
              expect(before <= config.maxBalanceUSD || before - config.minBalanceUSD <= rounding(amuletPrice)).toBe(
                true,
              );
          }
        },
      ),
      { numRuns: runs(150) },
    );
    expect(fired).toBeGreaterThan(runs(150) / 10);
  });
});

describe('a top-up loop', () => {
  it('never buys twice within its interval (invariant 48)', () => {
    let bought = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 30, max: 3600 }),
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.nat(40_000_000)), { maxLength: 25 }),
        (targetThroughput, interval, poll, steps) => {
          const config = {
            targetThroughput,
            minTopupInterval: Duration.seconds(Math.max(interval, poll)),
            pollingInterval: Duration.seconds(poll),
            tap: 'always',
          } as const;
          let ledger = openLedger();
          const policy = topUp({ validator: provider, member: { memberId }, config });
          const times: Instant[] = [];
          for (const [wait, bytes] of steps) {
            const now = Instant.plus(ledger.state.time, Duration.seconds(wait));
            for (const { command, actAs } of policy(ledger.state, now)) {
              ledger = submitAt(ledger, now, command, ...actAs);
              if (command.type === 'TopUpTraffic') times.push(now);
            }
            const used = ledger.submit({ type: 'ConsumeTraffic', memberId, bytes: bytes + 1 }, { now, actAs: [dso] });
            if (used.ok) ledger = used.value.ledger;
          }
          const least = topUpParameters(config, 200_000).interval;
          expect(least).toBeGreaterThanOrEqual(config.minTopupInterval);
          for (const [i, time] of times.entries()) {
            const before = times[i - 1];
            if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(least);
          }
          bought += Math.max(0, times.length - 1);
        },
      ),
      { numRuns: runs(150) },
    );
    expect(bought).toBeGreaterThan(runs(150) / 10);
  });
});

function rounding(price: Amount): bigint {
  return 2n + price / Amount.one;
}

/** The sum of pending offers to the receiver, in USD. */
function offered({ state }: Ledger, price: Amount): bigint {
  return Amount.sum(
    [...allOf(state, 'TransferOffer'), ...allOf(state, 'AcceptedTransferOffer')]
      .filter(({ sender, receiver }) => sender === alice && receiver === bob)
      .map(({ amount }) => Amount.mul(price, amount)),
  );
}

function withPreapproval(start: Ledger): Ledger {
  const ledger = submit(start, { type: 'Mint', receiver: provider, amount: Amount.ofWhole(100_000) }, dso, provider);
  const inputs = [...ledgerCoins(ledger)];
  const expiresAt = Instant.plus(ledger.state.time, Duration.days(1));
  return submit(ledger, { type: 'CreatePreapproval', receiver: bob, provider, expiresAt, inputs }, provider, bob);
}

function* ledgerCoins({ state }: Ledger): Generator<ContractId> {
  for (const { id } of holdingsOf(state, provider, 'largest')) yield id;
}

function submit(ledger: Ledger, command: Command, ...actAs: readonly PartyId[]): Ledger {
  return submitAt(ledger, ledger.state.time, command, ...actAs);
}

function submitAt(ledger: Ledger, now: Instant, command: Command, ...actAs: readonly PartyId[]): Ledger {
  const result = ledger.submit(command, { now, actAs });
  if (!result.ok) throw new Error(`${command.type} is refused with ${result.error.code}`);
  return result.value.ledger;
}
