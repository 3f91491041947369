import { allOf, openRoundsOf } from '@coinlab/core/views';
import { newestUsableRound } from '@coinlab/core/rules';
import { Amount, ContractId, find, holdingsOf, rulesOf, type LedgerState } from '@coinlab/core';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { askDeclared } from './declared.ts';
import { alice, bob, inSeconds, NO_CONTRACT, type Answered } from './wallet-fixture.ts';
import { dso, synchronizer } from './scan-fixture.ts';

/*
 * Contracts between synchronizers: the registry answers 409 where it would disclose one, scan omits its synchronizer, and commands that use
 * one are refused.
 * Source: specification of the API §2.1, §3.1.
 */

let server: CoinlabServer;

beforeEach(async () => {
  server = await createServer({ clock: 'manual', dev: true });
});
afterEach(() => server.close());

const state = (): LedgerState => server.state;

const ask = async (method: string, path: string, body?: object): Promise<Answered> => {
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  return askDeclared(server, path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
};

function rulesId(): string {
  const rules = rulesOf(state());
  if (!rules) throw new Error('the ledger is open');
  return ContractId.format(rules.id);
}

function roundId(): string {
  const round = newestUsableRound(state(), server.now);
  if (!round) throw new Error('a round is open');
  return ContractId.format(round.id);
}

function coinId(): string {
  for (const { id } of holdingsOf(state(), alice, 'oldest')) return ContractId.format(id);
  throw new Error('alice has a coin');
}

function factoryId(): string {
  for (const { id } of allOf(state(), 'ExternalPartyAmuletRules')) return ContractId.format(id);
  throw new Error('the ledger has a factory');
}

const reassign = async (contractId: string, inTransit?: boolean): Promise<unknown> =>
  (await ask('POST', '/dev/reassign', { contractId, ...(inTransit === undefined ? {} : { inTransit }) })).body;

const choiceArguments = {
  expectedAdmin: dso,
  transfer: {
    sender: alice,
    receiver: bob,
    amount: '5.0',
    instrumentId: { admin: dso, id: 'Amulet' },
    requestedAt: '2026-01-01T00:00:00Z',
    executeBefore: '2026-01-02T00:00:00Z',
    inputHoldingCids: [],
    meta: { values: {} },
  },
  extraArgs: { context: { values: {} }, meta: { values: {} } },
};

const FACTORY = '/registry/transfer-instruction/v1/transfer-factory';

const withCoin = (): object => ({
  ...choiceArguments,
  transfer: { ...choiceArguments.transfer, inputHoldingCids: [coinId()] },
});

const factory = async (): Promise<number> =>
  (await ask('POST', '/registry/transfer-instruction/v2/transfer-factory', { choiceArguments })).status;

let payments = 0;
const pay = (): Promise<Answered> =>
  ask('POST', '/v0/wallet/token-standard/transfers', {
    receiver_party_id: bob,
    amount: '5',
    description: '',
    expires_at: inSeconds(3_600),
    tracking_id: `payment ${++payments}`,
  });

const refusal = (id: string): object => ({
  status: 409,
  body: { error: `contract ${id} is moving between synchronizers; retry later` },
});

describe('POST /dev/reassign', () => {
  it('makes the transfer factory answer 409 until the contract is back', async () => {
    const id = factoryId();
    expect(await reassign(id)).toEqual({ inTransit: [id] });
    expect((await ask('GET', '/dev/reassign')).body).toEqual({ inTransit: [id] });
    for (const version of ['v1', 'v2'])
      expect(
        await ask('POST', `/registry/transfer-instruction/${version}/transfer-factory`, { choiceArguments }),
      ).toEqual(refusal(id));
    expect(await reassign(id, false)).toEqual({ inTransit: [] });
    expect(await factory()).toBe(200);
  });

  it('makes contexts of an instruction answer 409 while its locked coin is in transit; the factory answers 200', async () => {
    const offered = await ask('POST', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: bob,
      amount: '5',
      description: '',
      expires_at: inSeconds(3_600),
      tracking_id: 'one',
    });
    const instruction = offered.body.output.transfer_instruction_cid as string;
    const number = ContractId.parse(instruction);
    const found = number.ok ? find(state(), 'TransferInstruction', number.value) : null;
    if (!found) throw new Error('the offer creates an instruction');
    const id = ContractId.format(found.lockedHolding);
    await reassign(id);
    for (const choice of ['accept', 'reject', 'withdraw'])
      expect(
        await ask('POST', `/registry/transfer-instruction/v1/${instruction}/choice-contexts/${choice}`, {}),
      ).toEqual(refusal(id));
    expect(await factory()).toBe(200);
  });

  it('makes scan omit the synchronizer of the contract, also if the request says that the contract is cached', async () => {
    const id = rulesId();
    const rulesUpdate = async (body: object): Promise<Record<string, unknown>> =>
      (await ask('POST', '/v0/amulet-rules', body)).body.amulet_rules_update;
    const cached = { cached_amulet_rules_contract_id: id, cached_amulet_rules_domain_id: synchronizer };
    expect(await rulesUpdate(cached)).toEqual({ domain_id: synchronizer });
    await reassign(id);
    expect(await rulesUpdate(cached)).toEqual({});
    const update = await rulesUpdate({});
    expect(update).toMatchObject({ contract: { contract_id: id } });
    expect(update).not.toHaveProperty('domain_id');
    const dsoInfo = (await ask('GET', '/v0/dso')).body;
    expect(dsoInfo.amulet_rules).not.toHaveProperty('domain_id');
    expect(dsoInfo.dso_rules).toHaveProperty('domain_id', synchronizer);
    await reassign(id, false);
    expect(await rulesUpdate({})).toHaveProperty('domain_id', synchronizer);
  });

  it.each([
    ['the rules', () => rulesId()],
    ['the round', () => roundId()],
    ['the coin', () => coinId()],
  ])('makes wallet payments answer 409 while %s is in transit, without an effect', async (_, idOf) => {
    const id = idOf();
    await reassign(id);
    const { offset } = state();
    expect(await pay()).toEqual(refusal(id));
    expect(state().offset).toBe(offset);
    await reassign(id, false);
    expect((await pay()).status).toBe(200);
  });

  it.each([
    ['the factory', () => factoryId()],
    ['the round', () => roundId()],
    ['the coin', () => coinId()],
  ])(
    'makes the ledger API refuse a transfer while %s is in transit, as the router of the network does',
    async (_, idOf) => {
      const { factoryId: contractId, choiceContext } = (await ask('POST', FACTORY, { choiceArguments: withCoin() }))
        .body;
      const id = idOf();
      const transfer = {
        templateId: '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory',
        contractId,
        choice: 'TransferFactory_Transfer',
        choiceArgument: {
          ...withCoin(),
          extraArgs: { context: choiceContext.choiceContextData, meta: { values: {} } },
        },
      };
      const submit = (commandId: string): Promise<Answered> =>
        ask('POST', '/v2/commands/submit-and-wait', {
          commands: [{ ExerciseCommand: transfer }],
          commandId,
          actAs: [alice],
          disclosedContracts: choiceContext.disclosedContracts,
        });
      await reassign(id);
      const { offset } = state();
      expect(await submit('one')).toMatchObject({
        status: 400,
        body: {
          code: 'UNKNOWN_CONTRACT_SYNCHRONIZERS',
          errorCategory: 9,
          grpcCodeValue: 9,
          resources: [['CONTRACT_ID', id]],
        },
      });
      expect(state().offset).toBe(offset);
      await reassign(id, false);
      expect((await submit('one')).status).toBe(200);
    },
  );

  it('makes submit of the server object return a rejection, which the metrics count', async () => {
    const rules = rulesOf(state());
    if (!rules) throw new Error('the ledger is open');
    await reassign(rulesId());
    const { offset } = state();
    const tap = { type: 'Tap', receiver: alice, amount: Amount.ofUnits(1n) } as const;
    const error = { code: 'CONTRACT_IN_TRANSIT', contracts: [rules.id] };
    expect(await server.submit(tap, alice)).toEqual({ ok: false, error });
    expect(
      await ask('POST', '/dev/submit', {
        actAs: [alice],
        command: { type: 'Tap', receiver: alice, amount: '1.0' },
      }),
    ).toMatchObject({
      status: 409,
      body: { ...(refusal(rulesId()) as { body: object }).body, code: 'CONTRACT_IN_TRANSIT' },
    });
    expect(state().offset).toBe(offset);
    expect((await ask('GET', '/metrics')).body).toContain('coinlab_rejections_total{code="CONTRACT_IN_TRANSIT"} 2');
  });

  it('does not stop automation: rounds advance while the rules are in transit', async () => {
    await reassign(rulesId());
    const [before] = openRoundsOf(state());
    await server.advance('1h');
    expect(openRoundsOf(state())[0]?.round).toBeGreaterThan(before?.round ?? Infinity);
  });

  it('ends every transit when the ledger is reset', async () => {
    await reassign(factoryId());
    await ask('POST', '/dev/reset', {});
    expect((await ask('GET', '/dev/reassign')).body).toEqual({ inTransit: [] });
    expect(await factory()).toBe(200);
  });

  it('refuses unknown and malformed contracts', async () => {
    expect(await ask('POST', '/dev/reassign', { contractId: NO_CONTRACT })).toEqual({
      status: 404,
      body: { error: `no active contract ${NO_CONTRACT}` },
    });
    expect(await ask('POST', '/dev/reassign', { contractId: 'x' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('contractId: expected') as string },
    });
  });
});
