import {
  Amount,
  ContractId,
  type Command,
  openEngine,
  openLedger,
  PartyId,
  type Rejected,
  type Update,
  type UpdateOf,
} from '@coinlab/core';
import { createServer } from '@coinlab/http';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';

// The compiler checks the types in this file: a line with `@ts-expect-error` must not compile.

const alice = PartyId.of('alice');
const ledger = openLedger();
const engine = openEngine();
const context = { now: ledger.state.time, actAs: [alice] };
const tap = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
const unlock = { type: 'Unlock', holding: ContractId.of(999) } as const;

type UnlockRefusals = Rejected<
  'INVALID_ARGUMENT' | 'TIME_IN_PAST' | 'NOT_BOOTSTRAPPED' | 'NOT_AUTHORISED' | 'CONTRACT_NOT_FOUND'
>;

describe('the type of the result of submit', () => {
  it('has the update kind of the command', async () => {
    const world = createTestLedger();
    const server = await createServer({ dev: true, clock: 'manual' });
    for (const result of [
      ledger.submit(tap, context),
      engine.submit(tap, context),
      world.submit(tap, alice),
      await server.submit(tap, alice),
      await server.host.submit(tap, [alice]),
    ]) {
      if (!result.ok) throw new Error(result.error.code);
      expectTypeOf(result.value.update).toEqualTypeOf<UpdateOf<'Tapped'>>();
      expect(result.value.update.kind).toBe('Tapped');
      // @ts-expect-error: a tap does not become a transfer
      expect(result.value.update.kind === 'TransferCompleted').toBe(false);
    }
    await server.close();
  });

  it('has the rejection codes of the command', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    for (const result of [
      ledger.submit(unlock, context),
      engine.submit(unlock, context),
      createTestLedger().submit(unlock, alice),
      await server.submit(unlock, alice),
      await server.host.submit(unlock, [alice]),
    ]) {
      if (result.ok) throw new Error('no such coin');
      expectTypeOf(result.error).toEqualTypeOf<UnlockRefusals>();
      expect(result.error.code).toBe('CONTRACT_NOT_FOUND');
      // @ts-expect-error: only OwnerExpireLock waits for the lock
      expect(result.error.code === 'LOCK_NOT_EXPIRED').toBe(false);
    }
    await server.close();
  });

  it('has UNKNOWN_PARTY among the rejection codes of a command with a receiver', () => {
    const result = openLedger({ requireKnownParties: true }).submit(tap, context);
    expect(!result.ok && result.error.code === 'UNKNOWN_PARTY').toBe(true);
  });

  it('includes every update and every rejection when the type of the command is unknown', () => {
    const commands: readonly Command[] = [tap, unlock];
    for (const command of commands) {
      const result = ledger.submit(command, context);
      if (result.ok) expectTypeOf(result.value.update).toEqualTypeOf<Update>();
      else expect(result.error.code).not.toBe('LOCK_NOT_EXPIRED');
    }
  });

  it('includes the updates of both commands when the command is one of two', () => {
    const commands = [tap, { ...tap, type: 'Mint' }] as const;
    for (const command of commands) {
      const result = engine.submit(command, context);
      if (result.ok) expectTypeOf(result.value.update).toEqualTypeOf<UpdateOf<'Tapped'> | UpdateOf<'Minted'>>();
    }
    expect(commands).toHaveLength(2);
  });
});

describe('the type of the argument of submit', () => {
  const amount = Amount.of('1');

  it('refuses to compile a field that the command does not have', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    const results = [
      // @ts-expect-error: Tap has no memo
      ledger.submit({ type: 'Tap', receiver: alice, amount, memo: 'rent' }, context),
      // @ts-expect-error: the optional field is trackingId
      engine.submit({ type: 'Tap', receiver: alice, amount, trackingID: 'a' }, context),
      // @ts-expect-error: Tap has no memo
      createTestLedger().submit({ type: 'Tap', receiver: alice, amount, memo: 'rent' }, alice),
      // @ts-expect-error: Tap has no memo
      await server.submit({ type: 'Tap', receiver: alice, amount, memo: 'rent' }, alice),
      // @ts-expect-error: Tap has no memo
      await server.host.submit({ type: 'Tap', receiver: alice, amount, memo: 'rent' }, [alice]),
    ];
    // Commands in memory may carry more than the ledger reads; only JSON is checked for unknown fields.
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    await server.close();
  });

  it('refuses to compile a missing field, a field of a wrong type and an unknown command', () => {
    const results = [
      // @ts-expect-error: the amount is missing
      ledger.submit({ type: 'Tap', receiver: alice }, context),
      // @ts-expect-error: a receiver is a party id
      ledger.submit({ type: 'Tap', receiver: 'alice', amount }, context),
      // @ts-expect-error: no such command
      ledger.submit({ type: 'Tab', receiver: alice, amount }, context),
    ];
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENT' } });
  });
});
