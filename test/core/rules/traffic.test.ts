import { Amount, Duration, genesisConfig, Instant } from '@coinlab/core';
import {
  availableBytes,
  baseBytesAt,
  consumeTraffic,
  initialTrafficBalance,
  MESSAGE_SIZE,
  messageBytes,
  messageCost,
  trafficCost,
} from '@coinlab/core/rules';
import type { TrafficBalance } from '@coinlab/core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, second } from '../ledger-fixture.ts';

const config = genesisConfig('feeless').traffic;

function balanceOf(fields: Partial<TrafficBalance> = {}): TrafficBalance {
  return { ...initialTrafficBalance(config, second(0)), ...fields };
}

function after(balance: TrafficBalance, cost: number, seconds: number): TrafficBalance {
  const result = consumeTraffic(balance, BigInt(cost), config, second(seconds));
  if (!result.ok) throw new Error(`refused: ${result.error.availableBytes} available`);
  return result.value;
}

describe('the cost of traffic', () => {
  it.each([
    [200_000, '60', '0.15', '12', '80'],
    [4_800_000, '16.67', '0.15', '80.016', '533.44'],
    [1, '16.67', '0.15', '0.00001667', '0.0001111333'],
  ])(
    'of %d bytes at %s USD a megabyte and a price of %s is %s USD or %s coin',
    (bytes, perMegabyte, price, usd, coin) => {
      expect(trafficCost(bytes, amount(perMegabyte), amount(price))).toEqual({ usd: amount(usd), coin: amount(coin) });
    },
  );
});

describe('the cost of a message', () => {
  it.each([
    [1000, 0, 1000n],
    [1000, 1, 1000n],
    [10_000, 3, 10_012n],
    [2500, 1, 2501n],
    [4999, 1, 5000n],
  ])('of %d bytes to %d recipients is %d', (bytes, recipients, cost) => {
    expect(messageCost({ bytes, recipients }, config)).toBe(cost);
  });

  it('grows with every input contract', () => {
    const one = messageBytes({ inputs: 1, outputs: 2 });
    expect(messageBytes({ inputs: 100, outputs: 2 }) - one).toBe(99 * MESSAGE_SIZE.inputBytes);
    expect(messageBytes({ inputs: 1, outputs: 3 }) - one).toBe(MESSAGE_SIZE.outputBytes);
    expect(messageBytes({ inputs: 2, outputs: 1 }, { fixedBytes: 7, inputBytes: 100, outputBytes: 10 })).toBe(217);
  });
});

describe('a traffic balance', () => {
  it('starts with a full base and grows back in one burst window', () => {
    const emptied = after(balanceOf(), 400_000, 0);
    expect(emptied.baseBytes).toBe(Amount.zero);
    expect(baseBytesAt(emptied, config, second(3))).toBe(amount('1000'));
    expect(baseBytesAt(emptied, config, second(600))).toBe(amount('200000'));
    expect(baseBytesAt(emptied, config, second(1200))).toBe(amount('400000'));
    expect(baseBytesAt(emptied, config, second(10_000))).toBe(amount('400000'));
  });

  it('keeps its base bytes when the given time is before its last update', () => {
    const ahead = { ...balanceOf({ baseBytes: amount('1000') }), asOf: second(600) };
    expect(baseBytesAt(ahead, config, second(0))).toBe(amount('1000'));
  });

  it('uses the base first and bought traffic for the remaining bytes', () => {
    const bought = balanceOf({ purchasedBytes: 200_000 });
    expect(after(bought, 400_000, 0)).toMatchObject({ baseBytes: Amount.zero, consumedBytes: 0 });
    expect(after(bought, 400_001, 0)).toMatchObject({ baseBytes: Amount.zero, consumedBytes: 1 });
    expect(after(bought, 600_000, 0)).toMatchObject({ baseBytes: Amount.zero, consumedBytes: 200_000 });
  });

  it('refuses a message of more bytes than base and bought traffic have, and reports the available bytes', () => {
    const bought = balanceOf({ purchasedBytes: 200_000, consumedBytes: 50_000, baseBytes: amount('10.9') });
    expect(consumeTraffic(bought, 150_011n, config, second(0))).toEqual({
      ok: false,
      error: { code: 'INSUFFICIENT_TRAFFIC', trafficBytes: 150_011, availableBytes: 150_010 },
    });
    expect(after(bought, 150_010, 0)).toMatchObject({ baseBytes: Amount.zero, consumedBytes: 200_000 });
  });

  it('keeps fractions of a byte when many small messages are sent', () => {
    const slow = { ...config, burstBytes: 1, burstWindow: Duration.seconds(1) };
    let balance: TrafficBalance = { ...balanceOf(), baseBytes: Amount.zero };
    for (let tenth = 1; tenth <= 9; tenth++) {
      const spent = consumeTraffic(balance, 0n, slow, second(tenth / 10));
      if (!spent.ok) throw new Error('a message of nothing costs nothing');
      balance = spent.value;
    }
    expect(balance.baseBytes).toBe(amount('0.9'));
  });

  it('never exceeds the burst, never falls below zero and never uses more than was bought', () => {
    const messages = fc.array(fc.record({ cost: fc.nat(700_000), wait: fc.nat(2_000_000_000) }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(1_000_000), messages, (purchasedBytes, sent) => {
        let balance = balanceOf({ purchasedBytes });
        let now = second(0);
        for (const { cost, wait } of sent) {
          now = Instant.plus(now, Duration.ofMicros(BigInt(wait)));
          const available = availableBytes(balance, config, now);
          const result = consumeTraffic(balance, BigInt(cost), config, now);
          expect(result.ok).toBe(cost <= available);
          if (!result.ok) continue;
          balance = result.value;
          expect(availableBytes(balance, config, now)).toBe(available - cost);
          expect(balance.baseBytes >= 0n && balance.baseBytes <= Amount.ofWhole(config.burstBytes)).toBe(true);
          expect(balance.consumedBytes).toBeLessThanOrEqual(purchasedBytes);
        }
      }),
    );
  });
});
