import { Amount, Engine, holdingsOf, Instant, PartyId, type Command } from '@coinlab/core';
import { walletOf } from '@coinlab/core/simulation';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const { parties, state } = createTestLedger();
const { alice, bob } = parties;
const inputs = [...holdingsOf(state, alice, 'smallest')].map(({ id }) => id);
const offer = {
  type: 'CreateOffer',
  sender: alice,
  receiver: bob,
  amount: Amount.of('2.5'),
  inputs,
  executeBefore: Instant.latest,
} as const;
const context = { now: state.time, actAs: [alice] };

/** Returns an object whose field has another value at each read. */
function unsteady(field: string, values: readonly unknown[]): Command {
  let reads = 0;
  // Cast: plain JavaScript may pass such an object.
  return Object.defineProperty({ ...offer }, field, {
    enumerable: true,
    get: () => values[Math.min(reads++, values.length - 1)],
  }) as Command;
}

describe('the check of a command', () => {
  it('refuses a text that is no party even if a wallet number was assigned to it', () => {
    const engine = new Engine({}, state);
    const text = 'no party' as PartyId; // a cast: plain JavaScript may pass any text
    walletOf(engine.state, text);
    expect(engine.submit({ ...offer, receiver: text }, context)).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGUMENT', field: 'receiver', value: '"no party"' },
    });
  });

  it('recognises a party that has no wallet number', () => {
    const submitted = new Engine({}, state).submit({ ...offer, receiver: PartyId.of('newcomer') }, context);
    expect(submitted).toMatchObject({ ok: false, error: { code: 'UNKNOWN_PARTY' } });
  });

  it('decides with the values that it checked when a field changes between two reads', () => {
    const steady = new Engine({}, state);
    expect(steady.submit(offer, context).ok).toBe(true);
    const engine = new Engine({}, state);
    expect(engine.submit(unsteady('amount', [offer.amount, 'a text']), context).ok).toBe(true);
    expect(engine.hash()).toBe(steady.hash());
  });

  it('names the path of a fault within lists, maps and the context', () => {
    const faults = [
      [{ ...offer, inputs: [inputs[0], 'x'] }, context, 'inputs[1]'],
      [{ ...offer, meta: { reason: 7 } }, context, 'meta.reason'],
      [{ ...offer, instrument: { admin: 7, id: 'Amulet' } }, context, 'instrument.admin'],
      [offer, { now: state.time, actAs: [alice, 7] }, 'context.actAs[1]'],
    ] as const;
    for (const [command, at, field] of faults)
      expect(new Engine({}, state).submit(command as Command, at as typeof context)).toMatchObject({
        ok: false,
        error: { code: 'INVALID_ARGUMENT', field },
      });
  });
});
