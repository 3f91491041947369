import { acceptPreapprovals, PREAPPROVAL_DEFAULTS } from '@coinlab/automation';
import {
  Amount,
  holdingsOf,
  Duration,
  Instant,
  openLedger,
  PartyId,
  type Command,
  type ContractId,
  type Ledger,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { preapprovalFee } from '@coinlab/core/rules';
import { cast } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { dso } = cast;

const receiver = PartyId.of('alice');
const provider = PartyId.of('provider');
const DAY = 86_400_000_000n;

const spans = fc.bigInt(1n, 400n * DAY).map(Duration.ofMicros);
const usdPerDay = fc.bigInt(0n, 10n ** 11n).map(Amount.ofUnits);
const prices = fc.bigInt(10n ** 7n, 10n ** 11n).map(Amount.ofUnits);

/** Rounding of one fee: the days and the product are off by half a unit each, in coin by so much more as the coin is cheaper. */
function roundingOf(perDay: Amount, price: Amount): bigint {
  return (perDay + 2n * Amount.one) / (2n * price) + 2n;
}

describe('the fee of a preapproval', () => {
  it('of two half periods equals the fee of the whole period, up to rounding (invariant 30)', () => {
    fc.assert(
      fc.property(spans, spans, usdPerDay, prices, (a, b, perDay, price) => {
        const whole = preapprovalFee(Duration.ofMicros(a + b), perDay, price);
        const halves = preapprovalFee(a, perDay, price) + preapprovalFee(b, perDay, price);
        const difference = halves > whole ? halves - whole : whole - halves;
        expect(difference).toBeLessThanOrEqual(3n * roundingOf(perDay, price));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('of one purchase equals the fee of two renewals for the same time, up to rounding (invariant 30)', () => {
    fc.assert(
      fc.property(spans, spans, spans, (first, a, b) => {
        const at = (span: Duration): Instant => Instant.plus(start.state.time, Duration.ofMicros(first + span));
        const start = network(first);
        const once = burnedBy(start, [at(Duration.ofMicros(a + b))]);
        const twice = burnedBy(start, [at(a), at(Duration.ofMicros(a + b))]);
        const difference = once > twice ? once - twice : twice - once;
        expect(difference).toBeLessThanOrEqual(3n * roundingOf(Amount.of('0.00274'), Amount.of('0.005')));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('a provider with automatic acceptance', () => {
  it('gives a receiver one preapproval, for any number of proposals (invariant 49)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(3), (asks, again) => {
        let ledger = submit(
          openLedger(),
          { type: 'Mint', receiver: provider, amount: Amount.ofWhole(5000) },
          dso,
          provider,
        );
        const propose = (): void =>
          void (ledger = submit(ledger, { type: 'ProposePreapproval', receiver, provider }, receiver));
        for (let i = 0; i < asks; i++) propose();
        const policy = acceptPreapprovals(provider, { ...PREAPPROVAL_DEFAULTS, acceptsForeignReceivers: true });
        for (let i = 0; i < asks + again; i++) {
          for (const { command, actAs } of policy(ledger.state, ledger.state.time))
            ledger = submit(ledger, command, ...actAs);
          if (i < again) propose();
        }
        expect([...contractsByKey(ledger.state, 'TransferPreapproval', `receiver:${receiver}`)]).toHaveLength(1);
      }),
      { numRuns: runs(50) },
    );
  });
});

/** A ledger on which the provider has paid for a first span, and has coin for more. */
function network(span: Duration): Ledger {
  const minted = submit(
    openLedger(),
    { type: 'Mint', receiver: provider, amount: Amount.ofWhole(100_000) },
    dso,
    provider,
  );
  const expiresAt = Instant.plus(minted.state.time, span);
  return submit(
    minted,
    { type: 'CreatePreapproval', receiver, provider, expiresAt, inputs: coinsOf(minted) },
    provider,
    receiver,
  );
}

function burnedBy(start: Ledger, renewals: readonly Instant[]): bigint {
  let ledger = start;
  for (const newExpiresAt of renewals) {
    const [preapproval] = contractsByKey(ledger.state, 'TransferPreapproval', `receiver:${receiver}`);
    if (!preapproval) throw new Error('the receiver has a preapproval');
    const command = { type: 'RenewPreapproval', preapproval: preapproval.id, newExpiresAt } as const;
    ledger = submit(ledger, { ...command, inputs: coinsOf(ledger) }, provider);
  }
  return ledger.state.burned - start.state.burned;
}

function coinsOf({ state }: Ledger): readonly ContractId[] {
  return [...holdingsOf(state, provider, 'largest')].map(({ id }) => id);
}

function submit(ledger: Ledger, command: Command, ...actAs: readonly PartyId[]): Ledger {
  const result = ledger.submit(command, { now: ledger.state.time, actAs });
  if (!result.ok) throw new Error(`${command.type} is refused with ${result.error.code}`);
  return result.value.ledger;
}
