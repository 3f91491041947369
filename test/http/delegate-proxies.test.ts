import { ContractId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { offered, proxied, proxyStepOf } from './ledger-choice-runs.ts';
import { ledgerServer, type LedgerServer } from './ledger-commands-fixture.ts';

type Change = (proxyArg: Record<string, unknown>, ledger: LedgerServer) => void;

describe('a choice of a delegate proxy', () => {
  it.each<[string, Change, string, string]>([
    [
      'weights of less than 1',
      (proxyArg, ledger) => (proxyArg['beneficiaries'] = [{ beneficiary: ledger.partyOf('alice'), weight: '0.5' }]),
      'INVALID_ARGUMENT',
      'beneficiaries is weights of 0.5 in all',
    ],
    [
      'a right that was archived',
      (proxyArg) => (proxyArg['featuredAppRightCid'] = ContractId.format(ContractId.of(9_999))),
      'CONTRACT_NOT_FOUND',
      'FeaturedAppRight',
    ],
    [
      'no argument of the choice',
      (proxyArg) => delete proxyArg['choiceArg'],
      'COMMAND_PREPROCESSING_FAILED',
      'choiceArg',
    ],
  ])('is refused with %s', async (_, change, code, cause) => {
    const ledger = await ledgerServer();
    await proxied(ledger, 'alice');
    await offered(ledger, 'bob', 'alice');
    const step = await proxyStepOf(ledger, 'alice', 'Accept');
    change(step.choiceArgument.proxyArg, ledger);
    const { body } = await ledger.exercise('alice', step);
    expect(body).toMatchObject({ code, cause: expect.stringContaining(cause) });
    expect(ledger.one('TransferInstruction').transfer.receiver).toBe(ledger.partyOf('alice'));
  });

  it("is refused with another provider's right", async () => {
    const ledger = await ledgerServer();
    await proxied(ledger, 'alice');
    const proxy = ledger.idOf('ForeignContract');
    await proxied(ledger, 'bob');
    await offered(ledger, 'bob', 'alice');
    const step = { ...(await proxyStepOf(ledger, 'alice', 'Accept')), contractId: proxy };
    const { status, body } = await ledger.exercise('alice', step);
    expect(status).toBe(400);
    expect(body.cause).toContain('provider');
  });

  it('is refused for a party that may not answer the transfer', async () => {
    const ledger = await ledgerServer();
    await proxied(ledger, 'alice');
    await offered(ledger, 'alice', 'bob');
    const { status } = await ledger.exercise('alice', await proxyStepOf(ledger, 'alice', 'Accept'));
    expect(status).toBe(400);
  });
});
