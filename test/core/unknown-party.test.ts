import {
  Amount,
  Duration,
  emptyLedger,
  GENESIS_TIME,
  Instant,
  openEngine,
  openLedger,
  type Command,
} from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, dso } from './ledger-fixture.ts';

const at = { now: GENESIS_TIME, actAs: [alice, bob, dso] };
const expiresAt = Instant.plus(GENESIS_TIME, Duration.hours(1));
const amount = Amount.of('1');
const sending = { sender: alice, receiver: bob, amount };
const TO_BOB: readonly Command[] = [
  { type: 'DirectTransfer', ...sending, inputs: [] },
  { type: 'CreateOffer', ...sending, inputs: [], executeBefore: expiresAt },
  { type: 'CreateWalletOffer', ...sending, unit: 'coin', description: '', expiresAt, trackingId: 'a' },
  { type: 'Mint', receiver: bob, amount },
  { type: 'Tap', receiver: bob, amount },
  { type: 'ProposePreapproval', receiver: bob, provider: alice },
  { type: 'CreatePreapproval', receiver: bob, provider: alice, expiresAt, inputs: [] },
];

describe('a ledger that requires known parties', () => {
  const strict = openLedger({ requireKnownParties: true });

  it.each(TO_BOB.map((command) => [command.type, command] as const))(
    'refuses %s with UNKNOWN_PARTY until the receiver is allocated',
    (_, command) => {
      const refused = { code: 'UNKNOWN_PARTY', party: bob };
      expect(strict.check(command, at)).toEqual(refused);
      expect(openEngine({ requireKnownParties: true }).submit(command, at)).toEqual({ ok: false, error: refused });
      const allocated = strict.submit({ type: 'AllocateParty', party: bob }, at);
      if (!allocated.ok) return expect.unreachable(allocated.error.code);
      expect(allocated.value.ledger.check(command, at)?.code).not.toBe('UNKNOWN_PARTY');
      expect(openLedger().check(command, at)?.code).not.toBe('UNKNOWN_PARTY');
    },
  );

  it('stays strict after a replay of its log', () => {
    const replayed = strict.updates().reduce((ledger, update) => ledger.apply(update), emptyLedger());
    expect(replayed.hash()).toBe(strict.hash());
    expect(replayed.check({ type: 'Tap', receiver: bob, amount }, at)?.code).toBe('UNKNOWN_PARTY');
  });
});
