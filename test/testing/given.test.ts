import { Amount, openLedger, PartyId, type ContractId } from '@coinlab/core';
import { createTestLedger, given, LedgerAssertionError } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const tap = { type: 'Tap', receiver: alice, amount: Amount.of('5') } as const;

function offer() {
  const ledger = createTestLedger();
  const { detail } = ledger.as(alice).offer(bob, '5');
  const { executeBefore } = detail;
  return { ledger, executeBefore, accept: { type: 'AcceptOffer', instruction: detail.instruction } as const };
}

describe('given … when … then', () => {
  it('passes when the update has the expected kind or fields', () => {
    const { ledger, accept } = offer();
    given(ledger).as(bob).when(accept).then('TransferAccepted');
    const detail = { sender: alice, receiver: bob, amount: Amount.of('5') };
    given(ledger)
      .as(bob)
      .when(accept)
      .then({ kind: 'TransferAccepted', actAs: [bob], detail });
  });

  it('passes when the rejection has the expected code or fields', () => {
    const { ledger, accept, executeBefore } = offer();
    given(ledger).as(alice).when(accept).then('NOT_AUTHORISED');
    given(ledger).as(alice).when(accept).then({ code: 'NOT_AUTHORISED', required: bob });
    given(ledger).as(bob).at(executeBefore).when(accept).then({ code: 'DEADLINE_PASSED', deadline: executeBefore });
  });

  it('starts from a test ledger, a ledger, a list of updates, or an empty list for a new ledger', () => {
    const { ledger, accept } = offer();
    given(ledger.ledger).as(bob).when(accept).then('TransferAccepted');
    given(ledger.updates()).as(bob).when(accept).then('TransferAccepted');
    given([]).as(alice).when(tap).then('Tapped');
    given(openLedger()).when(tap).then({ code: 'NOT_AUTHORISED', actAs: [] });
    expect(() => given(ledger.updates().slice(1))).toThrow(LedgerAssertionError);
  });

  it('uses the clock of a test ledger', () => {
    const { ledger, accept } = offer();
    given(ledger.advance('1h')).as(bob).when(accept).then('DEADLINE_PASSED');
  });

  it('returns a ledger for the next scenario without changing the initial ledger', () => {
    const { ledger, accept } = offer();
    const after = given(ledger).as(bob).when(accept).then('TransferAccepted');
    given(after).as(bob).when(accept).then({ code: 'CONTRACT_NOT_FOUND', contract: accept.instruction });
    given(ledger).as(bob).when(accept).then('TransferAccepted');
    expect(given(after).as(bob).when(accept)).toMatchObject({ ledger: after, update: null });
  });

  it('throws an error that lists both values of each differing field as text', () => {
    const wrong = { kind: 'Tapped', detail: { receiver: bob, amount: Amount.of('6') } } as const;
    const thrown = failureOf(() => given([]).as(alice).when(tap).then(wrong));
    expect(thrown).toBeInstanceOf(LedgerAssertionError);
    expect(thrown.expected).toMatchObject({ kind: 'Tapped', detail: { amount: '6.0' } });
    expect(thrown.actual).toMatchObject({ kind: 'Tapped', detail: { amount: '5.0' } });
    expect(thrown.message.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining(['detail.receiver', 'detail.amount', '- "6.0"', '+ "5.0"']),
    );
  });

  it('throws an error when an expected refusal or acceptance does not occur', () => {
    const accepted = failureOf(() => given([]).as(alice).when(tap).then('INSUFFICIENT_FUNDS'));
    expect(accepted).toMatchObject({ expected: { code: 'INSUFFICIENT_FUNDS' } });
    const refused = failureOf(() => given([]).as(bob).when(tap).then('Tapped'));
    expect(refused).toMatchObject({ expected: { kind: 'Tapped' } });
  });

  it('throws an error when fields of the refusal differ, with times in readable form', () => {
    const { ledger, accept, executeBefore } = offer();
    const late = given(ledger).as(bob).at(executeBefore).when(accept);
    const thrown = failureOf(() => late.then({ code: 'DEADLINE_PASSED', deadline: ledger.now }));
    expect(thrown).toMatchObject({
      expected: { deadline: '2026-01-01T00:00:00.000000Z' },
      actual: { deadline: '2026-01-01T01:00:00.000000Z' },
    });
  });

  it('throws an error when a test awaits it', async () => {
    const awaited = (async () => await (given([]).as(alice).when(tap) as unknown))();
    await expect(awaited).rejects.toThrow(LedgerAssertionError);
  });
});

describe('a reported difference', () => {
  it('names the items and the lengths in which two lists differ', () => {
    const { ledger } = offer();
    const inputs = [...ledger.inputsFor(alice, '1'), 999_999 as ContractId];
    const merge = given(ledger).as(alice).when({ type: 'MergeHoldings', owner: alice, inputs });
    merge.then({ code: 'CONTRACT_NOT_FOUND', contract: 999_999 as ContractId });
    const minted = given(ledger).as(ledger.dso, bob).when({ type: 'Mint', receiver: bob, amount: Amount.one });
    expect(failureOf(() => minted.then({ actAs: [ledger.dso, alice] })).message).toContain('actAs[1]');
    expect(failureOf(() => minted.then({ actAs: [bob] })).message).toContain('actAs\n');
  });
});

function failureOf(run: () => unknown): LedgerAssertionError {
  try {
    run();
  } catch (error) {
    return error as LedgerAssertionError;
  }
  throw new Error('nothing was thrown');
}
