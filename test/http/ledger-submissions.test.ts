import { ContractId, Duration, REJECTION_CODES, type Rejection } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { createServer, ledgerErrorOf } from '@coinlab/http';
import { delegatedMerges, mergeCall, onMerge, preapproved } from './ledger-choice-runs.ts';
import {
  INSTRUCTION,
  iso,
  ledgerServer,
  MERGES,
  PING,
  PREAPPROVAL,
  PROPOSAL,
  RULES,
  type Exercise,
  type LedgerServer,
  type User,
} from './ledger-commands-fixture.ts';
import { wait, type Answered } from './wallet-fixture.ts';

const GONE = ContractId.format(ContractId.of(9_999));
const STRANGE = `00${'ab'.repeat(68)}`;

/** Changes values in a JSON value by their paths, such as `transfer.amount`. */
function changed<Value extends object>(value: Value, changes: Readonly<Record<string, unknown>>): Value {
  const copy = structuredClone(value);
  for (const [path, next] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place: object = copy;
    for (const name of names) place = (place as Record<string, object>)[name] ?? {};
    Object.assign(place, { [last]: next });
  }
  return copy;
}

/** Statuses of the categories: invalid argument, failed precondition, exists, not found. */
const STATUS_OF_CATEGORY: Readonly<Record<number, number>> = { 8: 400, 9: 400, 10: 409, 11: 404 };

function expectError({ status, body }: Answered, code: string, category: number, cause: string | RegExp = ''): void {
  expect(body).toMatchObject({ code, errorCategory: category });
  expect(body.cause).toMatch(cause);
  expect(status).toBe(STATUS_OF_CATEGORY[category]);
}

const CONTEXT = 'extraArgs.context.values';
const value = (id: string): object => ({ tag: 'AV_ContractId', value: id });

it.each(['9999999999999999999', '-9223372036854775809', '1.5', '2030-01-01T00:00:00Z'])(
  'a context with the text %s can be prepared and executed',
  async (text) => {
    const ledger = await ledgerServer();
    await ledger.tap('dave', '10');
    const { disclosedContracts = [], ...transfer } = await ledger.transferOf('dave', 'bob', '1');
    const command = changed(transfer, { [`choiceArgument.${CONTEXT}.note`]: { tag: 'AV_Text', value: text } });
    const { status, body } = await ledger.wallets.post('dave', '/v2/interactive-submission/prepare', {
      commands: [{ ExerciseCommand: command }],
      disclosedContracts,
      commandId: 'c-1',
      actAs: [ledger.dave.party],
    });
    expect(status).toBe(200);
    expect(Buffer.from(String(body['preparedTransaction']), 'base64').toString('latin1')).toContain(text);
    expect((await ledger.execute('dave', body)).status).toBe(200);
  },
);

describe.each(['alice', 'dave'] as const)('a transfer of %s with a stale context', (user) => {
  it.each([
    ['a round that was archived', { [`${CONTEXT}.open-round`]: value(GONE) }, 'CONTRACT_NOT_FOUND', 11],
    ['rules that were archived', { [`${CONTEXT}.amulet-rules`]: value(GONE) }, 'CONTRACT_NOT_FOUND', 11],
    ['a preapproval that was archived', { [`${CONTEXT}.transfer-preapproval`]: value(GONE) }, 'CONTRACT_NOT_FOUND', 11],
    ['a contract id of another ledger', { [`${CONTEXT}.open-round`]: value(STRANGE) }, 'CONTRACT_NOT_FOUND', 11],
    ['an input that was spent', { 'transfer.inputHoldingCids': [GONE] }, 'CONTRACT_NOT_FOUND', 11],
    ['no round', { [CONTEXT]: {} }, 'INVALID_ARGUMENT', 8],
    ['another administrator', { expectedAdmin: `other::1220${'a'.repeat(64)}` }, 'DAML_FAILURE', 9],
    ['another instrument', { 'transfer.instrumentId.id': 'Gold' }, 'DAML_FAILURE', 9],
    ['a deadline that has passed', { 'transfer.executeBefore': '2025-12-31T00:00:00Z' }, 'DAML_FAILURE', 9],
    ['an amount of zero', { 'transfer.amount': '0.0' }, 'DAML_FAILURE', 9],
    ['more than the inputs are worth', { 'transfer.amount': '100.0' }, 'DAML_FAILURE', 9],
    ['no inputs', { 'transfer.inputHoldingCids': [] }, 'DAML_FAILURE', 9],
  ])('is refused with %s', async (_, changes, code, category) => {
    const ledger = await ledgerServer();
    await ledger.tap(user, '10');
    const transfer = await ledger.transferOf(user, 'bob', '3');
    const { offset } = ledger.server.state;
    const choiceArgument = changed(transfer.choiceArgument, changes);
    expectError(await ledger.exercise(user, { ...transfer, choiceArgument }), code, category);
    expect(ledger.server.state.offset).toBe(offset);
    ledger.updateOf(await ledger.exercise(user, transfer));
  });

  it.each([
    ['the factory', STRANGE],
    ['the factory', GONE],
  ])('is refused without %s', async (_, contractId) => {
    const ledger = await ledgerServer();
    await ledger.tap(user, '10');
    const transfer = await ledger.transferOf(user, 'bob', '3');
    const refused = await ledger.exercise(user, { ...transfer, contractId });
    expectError(refused, 'CONTRACT_NOT_FOUND', 11);
    expect(refused.body.resources).toEqual([['CONTRACT_ID', contractId]]);
  });

  it('is refused when the request does not disclose a contract of its context', async () => {
    const ledger = await ledgerServer();
    await ledger.tap(user, '10');
    const transfer = await ledger.transferOf(user, 'bob', '3');
    for (const { contractId } of transfer.disclosedContracts ?? []) {
      const disclosedContracts = transfer.disclosedContracts?.filter((each) => each.contractId !== contractId) ?? [];
      const refused = await ledger.exercise(user, { ...transfer, disclosedContracts });
      expectError(refused, 'CONTRACT_NOT_FOUND', 11);
      expect(refused.body.resources).toEqual([['CONTRACT_ID', contractId]]);
    }
  });

  it('is refused after the round of its context has closed', async () => {
    const ledger = await ledgerServer();
    await ledger.tap(user, '10');
    const transfer = await ledger.transferOf(user, 'bob', '3', { executeBefore: '2026-03-01T00:00:00Z' });
    await ledger.server.advance('2h');
    expectError(await ledger.exercise(user, transfer), 'CONTRACT_NOT_FOUND', 11);
    const fresh = await ledger.transferOf(user, 'bob', '3');
    ledger.updateOf(await ledger.exercise(user, fresh));
  });
});

describe('a command of the ledger API', () => {
  it.each<[string, (tap: Exercise) => object, string, string | RegExp]>([
    [
      'a choice with a misspelt name',
      (tap) => ({ ExerciseCommand: { ...tap, choice: 'AmuletRules_DevNetTap' } }),
      'COMMAND_PREPROCESSING_FAILED',
      /commands\[0\]\.ExerciseCommand\.choice: .*AmuletRules_DevNet_Tap$/,
    ],
    [
      'a template without choices here',
      (tap) => ({ ExerciseCommand: { ...tap, templateId: '#splice-amulet:Splice.Amulett:AmuletRules' } }),
      'COMMAND_PREPROCESSING_FAILED',
      /templateId: .*the nearest is #splice-amulet:Splice.AmuletRules:AmuletRules$/,
    ],
    [
      'a malformed template id',
      (tap) => ({ ExerciseCommand: { ...tap, templateId: 'AmuletRules' } }),
      'COMMAND_PREPROCESSING_FAILED',
      /expected #package-name:Module\.Name:Entity/,
    ],
    [
      'a created contract without rules here',
      () => ({ CreateCommand: { templateId: `${MERGES}:MergeDelegation`, createArguments: {} } }),
      'COMMAND_PREPROCESSING_FAILED',
      /the nearest is .*MergeDelegationProposal$/,
    ],
    [
      'a malformed amount',
      (tap) => ({ ExerciseCommand: changed(tap, { 'choiceArgument.amount': 'ten' }) }),
      'COMMAND_PREPROCESSING_FAILED',
      'choiceArgument.amount: got "ten", expected a decimal',
    ],
    [
      'a missing field',
      (tap) => ({ ExerciseCommand: changed(tap, { 'choiceArgument.receiver': undefined }) }),
      'COMMAND_PREPROCESSING_FAILED',
      'choiceArgument.receiver: got nothing, expected a party id',
    ],
    [
      'a misspelt field',
      (tap) => ({ ExerciseCommand: changed(tap, { 'choiceArgument.ammount': '1' }) }),
      'COMMAND_PREPROCESSING_FAILED',
      'choiceArgument.ammount: got "1", expected no such field; the nearest is amount',
    ],
    [
      'a kind of command that is not supported',
      (tap) => ({ CreateAndExerciseCommand: tap }),
      'COMMAND_PREPROCESSING_FAILED',
      'expected CreateCommand or ExerciseCommand',
    ],
    [
      'a misspelt kind of command',
      (tap) => ({ ExersiceCommand: tap }),
      'COMMAND_PREPROCESSING_FAILED',
      'the nearest is ExerciseCommand',
    ],
  ])('is refused for this reason: %s', async (_, make, code, cause) => {
    const ledger = await ledgerServer();
    const { disclosedContracts = [], ...tap } = ledger.tapOf('alice', '1');
    expectError(await ledger.submit('alice', make(tap), { disclosedContracts }), code, 8, cause);
  });

  it('is refused when another command comes with it', async () => {
    const ledger = await ledgerServer();
    const ping = {
      templateId: PING,
      createArguments: { id: '1', initiator: ledger.partyOf('alice'), responder: ledger.partyOf('bob') },
    };
    const commands = [{ CreateCommand: ping }, { CreateCommand: ping }];
    expectError(await ledger.submit('alice', {}, { commands }), 'COMMAND_PREPROCESSING_FAILED', 8, '2 commands');
  });

  it('is refused for a contract of another template', async () => {
    const ledger = await ledgerServer();
    const contractId = ledger.idOf('AmuletRules');
    const accept = { templateId: INSTRUCTION, contractId, choice: 'TransferInstruction_Accept' };
    const choiceArgument = { extraArgs: { context: {}, meta: {} } };
    const refused = await ledger.exercise('alice', { ...accept, choiceArgument });
    expectError(refused, 'CONTRACT_NOT_FOUND', 11);
  });

  it('accepts an offer until its deadline, and is refused with category 9 afterwards', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '10');
    const executeBefore = iso(ledger.server.now + 60_000_000n);
    ledger.updateOf(await ledger.exercise('alice', await ledger.transferOf('alice', 'bob', '3', { executeBefore })));
    const accept = await ledger.stepOf('Accept');
    wait(ledger.wallets, 60);
    const refused = await ledger.exercise('bob', accept);
    expectError(refused, 'DAML_FAILURE', 9, 'DEADLINE_PASSED');
    expect(refused.body.context).toMatchObject({
      rejection: 'DEADLINE_PASSED',
      deadline: '2026-01-01T00:01:00.000000Z',
    });
  });

  it('is refused when the controller of its choice does not act', async () => {
    const ledger = await ledgerServer();
    const tap = ledger.tapOf('bob', '1');
    expectError(await ledger.exercise('alice', tap), 'DAML_AUTHORIZATION_ERROR', 8);
  });

  it('is refused for a round that is not open yet', async () => {
    const ledger = await ledgerServer();
    const tap = ledger.tapOf('alice', '1');
    const later = ledger.idOf('OpenMiningRound');
    const refused = await ledger.exercise('alice', {
      ...tap,
      choiceArgument: { ...tap.choiceArgument, openRound: later },
      disclosedContracts: ledger.disclosing(later, ledger.idOf('AmuletRules')),
    });
    expect(ledger.round).not.toBe(later);
    expectError(refused, 'DAML_FAILURE', 9, 'ROUND_NOT_OPEN');
  });

  it('is refused when the contract has another template than the command names, and no rules', async () => {
    const ledger = await ledgerServer();
    const party = ledger.partyOf('alice');
    const pong = { templateId: '#pong:Pong:Pong', arguments: '{}', signatories: [party], observers: [] };
    await ledger.wallets.submit({ type: 'CreateForeignContract', ...pong }, party);
    const contractId = ledger.idOf('ForeignContract');
    const archive = { templateId: PING, contractId, choice: 'Archive', choiceArgument: {} };
    expectError(await ledger.exercise('alice', archive), 'CONTRACT_NOT_FOUND', 11);
  });

  it('cancels a preapproval as its receiver or its provider only', async () => {
    const ledger = await ledgerServer();
    await preapproved(ledger, 'alice');
    const cancel = {
      templateId: PREAPPROVAL,
      contractId: ledger.idOf('TransferPreapproval'),
      choice: 'TransferPreapproval_Cancel',
    };
    const refused = await ledger.exercise('alice', { ...cancel, choiceArgument: { p: ledger.partyOf('bob') } });
    expectError(refused, 'DAML_FAILURE', 9, 'GROUP_MISMATCH');
    ledger.updateOf(await ledger.exercise('alice', { ...cancel, choiceArgument: { p: ledger.partyOf('alice') } }));
  });

  it('that merges by delegation is refused with a factory that is not active', async () => {
    const ledger = await ledgerServer();
    await delegatedMerges(ledger, 'alice');
    const { choiceArg, disclosedContracts } = await mergeCall(ledger, 'alice');
    const merge = { ...onMerge(ledger, 'MergeDelegation', 'Merge'), disclosedContracts };
    const choiceArgument = changed(choiceArg, { 'optMergeTransfer.factoryCid': GONE });
    const refused = await ledger.exercise('ledger-api-user', { ...merge, choiceArgument });
    expectError(refused, 'CONTRACT_NOT_FOUND', 11);
    ledger.updateOf(await ledger.exercise('ledger-api-user', { ...merge, choiceArgument: choiceArg }));
  });

  it('is refused when it expects the DSO of another network', async () => {
    const ledger = await ledgerServer();
    const createArguments = {
      receiver: ledger.partyOf('alice'),
      provider: ledger.server.validator,
      expectedDso: ledger.partyOf('bob'),
    };
    expectError(
      await ledger.create('alice', { templateId: PROPOSAL, createArguments }),
      'DAML_FAILURE',
      9,
      'DSO_MISMATCH',
    );
  });

  it('is refused for another synchronizer', async () => {
    const ledger = await ledgerServer();
    const refused = await ledger.exercise('alice', ledger.tapOf('alice', '1'), { synchronizerId: 'other::1220' });
    expectError(refused, 'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', 9);
  });

  it('is refused for an external party without a signature', async () => {
    const ledger = await ledgerServer();
    const { disclosedContracts = [], ...tap } = ledger.tapOf('dave', '1');
    const body = {
      commands: [{ ExerciseCommand: tap }],
      disclosedContracts,
      commandId: 'c',
      actAs: [ledger.dave.party],
    };
    const refused = await ledger.wallets.post('dave', '/v2/commands/submit-and-wait', body);
    expectError(refused, 'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', 9, 'prepare its command');
  });
});

describe('the rights to submit a command', () => {
  const redacted = { code: 'NA', cause: 'A security-sensitive error has been received', errorCategory: -1 };
  const paths = ['/v2/commands/submit-and-wait', '/v2/interactive-submission/prepare'];

  it.each(paths)('must include every acting party, or %s returns 401 or 403 without the reason', async (path) => {
    const ledger = await ledgerServer();
    const { disclosedContracts = [], ...tap } = ledger.tapOf('alice', '1');
    const body = {
      commands: [{ ExerciseCommand: tap }],
      disclosedContracts,
      commandId: 'c',
      actAs: [ledger.partyOf('alice')],
    };
    for (const user of ['bob', 'ledger-api-user'])
      expect(await ledger.wallets.post(user, path, body)).toMatchObject({
        status: 403,
        body: { ...redacted, grpcCodeValue: 7 },
      });
    expect(await ledger.wallets.post(null, path, body)).toMatchObject({
      status: 401,
      body: { ...redacted, grpcCodeValue: 16 },
    });
  });

  it('must include reading as every party of readAs', async () => {
    const ledger = await ledgerServer();
    const readAs = [ledger.partyOf('bob')];
    expect((await ledger.exercise('alice', ledger.tapOf('alice', '1'), { readAs })).status).toBe(403);
  });

  it("are the rights of the token's user", async () => {
    const ledger = await ledgerServer();
    const tap = ledger.tapOf('alice', '1');
    expect((await ledger.exercise('alice', tap, { userId: 'bob' })).status).toBe(403);
    ledger.updateOf(await ledger.exercise('alice', tap, { userId: 'alice' }));
  });

  it('let only the user who signs for a prepared transaction execute it', async () => {
    const ledger = await ledgerServer();
    const prepared = await prepareTap(ledger);
    expect((await ledger.execute('alice', prepared.body)).status).toBe(403);
    expect((await ledger.execute('dave', prepared.body, { userId: 'alice' })).status).toBe(403);
    ledger.updateOf(await ledger.execute('dave', prepared.body));
  });
});

async function prepareTap(ledger: LedgerServer, change: object = {}): Promise<Answered> {
  const { disclosedContracts, ...tap } = ledger.tapOf('dave', '1');
  const body = {
    commands: [{ ExerciseCommand: tap }],
    disclosedContracts,
    commandId: 'c-1',
    actAs: [ledger.dave.party],
  };
  return ledger.wallets.post('dave', '/v2/interactive-submission/prepare', { ...body, ...change });
}

describe('a prepared transaction', () => {
  it('changes nothing before it is executed', async () => {
    const ledger = await ledgerServer();
    const { offset } = ledger.server.state;
    const { body } = await prepareTap(ledger, { verboseHashing: true });
    expect(body).toMatchObject({
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      hashingDetails: expect.any(String),
    });
    expect(ledger.server.state.offset).toBe(offset);
  });

  it('takes effect at most once', async () => {
    const ledger = await ledgerServer();
    const { body } = await prepareTap(ledger);
    ledger.updateOf(await ledger.execute('dave', body));
    expectError(await ledger.execute('dave', body), 'DUPLICATE_COMMAND', 10);
    expect(ledger.coins('dave').length).toBe(1);
  });

  it('fails when a contract of its context was archived after the preparation', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('dave', '10');
    const rules = ledger.idOf('AmuletRules');
    const provider = ledger.partyOf('alice');
    const granted = await ledger.exercise('alice', {
      templateId: RULES,
      contractId: rules,
      choice: 'AmuletRules_DevNet_FeatureApp',
      choiceArgument: { provider },
      disclosedContracts: ledger.disclosing(rules),
    });
    ledger.updateOf(granted);
    const right = ledger.one('FeaturedAppRight').id;
    const { disclosedContracts = [], ...transfer } = await ledger.transferOf('dave', 'bob', '1');
    const path = `choiceArgument.${CONTEXT}.featured-app-right`;
    const command = changed(transfer, { [path]: value(ContractId.format(right)) });
    const prepared = await prepareTap(ledger, {
      commands: [{ ExerciseCommand: command }],
      disclosedContracts: [...disclosedContracts, ...ledger.disclosing(ContractId.format(right))],
    });
    await ledger.wallets.submit({ type: 'CancelFeaturedAppRight', right }, provider);
    expectError(await ledger.execute('dave', prepared.body), 'CONTRACT_NOT_FOUND', 11);
  });

  it.each<[string, (ledger: LedgerServer, body: Record<string, string>) => object, string | RegExp]>([
    [
      "a signature of another party's key",
      (ledger) => ({ partySignatures: { signatures: [ledger.signatureOf(ledger.dave.party, 'ab'.repeat(64))] } }),
      'INVALID_SIGNATURE',
    ],
    ['no signature', () => ({ partySignatures: { signatures: [] } }), '0 signatures'],
    ...(['format', 'signingAlgorithmSpec', 'signedBy', 'signature'] as const).map(
      (field): [string, (ledger: LedgerServer) => object, string] => [
        `another ${field}`,
        (ledger) => ({
          partySignatures: {
            signatures: [
              changed(ledger.signatureOf(ledger.dave.party, 'ab'.repeat(64)), { [`signatures.0.${field}`]: 'AAAA' }),
            ],
          },
        }),
        `partySignatures.signatures.${field}: got AAAA`,
      ],
    ),
    ['another hashing scheme', () => ({ hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V9' }), 'hashingSchemeVersion'],
    ['a text that no ledger prepared', () => ({ preparedTransaction: 'AAAA' }), 'preparedTransaction'],
    [
      'a changed transaction',
      (_, body) => ({
        preparedTransaction: Buffer.from(
          Buffer.from(String(body['preparedTransaction']), 'base64')
            .toString('latin1')
            .replaceAll('1.0000000000', '9.0000000000'),
          'latin1',
        ).toString('base64'),
      }),
      'INVALID_SIGNATURE',
    ],
  ])('is refused with %s', async (_, make, cause) => {
    const ledger = await ledgerServer();
    const { body } = await prepareTap(ledger);
    const refused = await ledger.execute('dave', body, make(ledger, body) as Record<string, unknown>);
    expectError(refused, 'INVALID_ARGUMENT', 8, cause);
    expect(ledger.coins('dave')).toEqual([]);
  });

  it('is refused with the signature of a party that the user may not execute for', async () => {
    const ledger = await ledgerServer();
    const { body } = await prepareTap(ledger);
    const signatures = [ledger.signatureOf(ledger.partyOf('bob'), 'ab'.repeat(64))];
    const refused = await ledger.execute('dave', body, { partySignatures: { signatures } });
    expect(refused.status).toBe(403);
  });

  it('can be prepared for a local party, which has no key to execute it', async () => {
    const ledger = await ledgerServer();
    const { disclosedContracts, ...tap } = ledger.tapOf('alice', '1');
    const body = {
      commands: [{ ExerciseCommand: tap }],
      disclosedContracts,
      commandId: 'c',
      actAs: [ledger.partyOf('alice')],
    };
    const answer = await ledger.wallets.post('alice', '/v2/interactive-submission/prepare', body);
    expect(answer.status).toBe(200);
    const signatures = [ledger.signatureOf(ledger.partyOf('alice'), 'ab'.repeat(64))];
    const refused = await ledger.execute('alice', answer.body, { partySignatures: { signatures } });
    expectError(refused, 'INVALID_ARGUMENT', 8, 'has no key');
    expect(ledger.coins('alice')).toEqual([]);
  });
});

describe.each(['alice', 'dave'] as const)('a repeated command of %s', (user) => {
  const ids = { commandId: 'c-1', submissionId: 's-1', workflowId: 'w-1' };

  it('is refused within 24 hours, and takes effect again later', async () => {
    const ledger = await ledgerServer();
    const tap = (): Promise<Answered> => ledger.exercise(user, ledger.tapOf(user, '1'), ids);
    ledger.updateOf(await tap());
    await ledger.server.advance(Duration.hours(23));
    const refused = await tap();
    expectError(refused, 'DUPLICATE_COMMAND', 10, 'c-1');
    await ledger.server.advance(Duration.hours(1));
    ledger.updateOf(await tap());
    expect(ledger.coins(user).length).toBe(2);
  });

  it('takes effect when the first submission was refused', async () => {
    const ledger = await ledgerServer();
    expectError(await ledger.exercise(user, ledger.tapOf(user, '0'), ids), 'DAML_FAILURE', 9);
    ledger.updateOf(await ledger.exercise(user, ledger.tapOf(user, '1'), ids));
  });
});

describe('de-duplication', () => {
  const ids = { commandId: 'c-1', submissionId: 's-1', workflowId: 'w-1' };

  it.each([
    ['a duration that begins after it', { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } }, 200],
    ['a duration that includes it', { DeduplicationDuration: { value: { seconds: '600' } } }, 409],
    ['an offset after it', { DeduplicationOffset: { value: 1_000 } }, 200],
    ['an offset before it', { DeduplicationOffset: { value: 0 } }, 409],
    ['no period', { Empty: {} }, 409],
    ['a duration of more than a day', { DeduplicationDuration: { value: { seconds: 86_401 } } }, 400],
  ])('with %s answers a repetition after five minutes with the status %i', async (_, deduplicationPeriod, status) => {
    const ledger = await ledgerServer();
    ledger.updateOf(await ledger.exercise('alice', ledger.tapOf('alice', '1'), ids));
    wait(ledger.wallets, 300);
    const again = await ledger.exercise('alice', ledger.tapOf('alice', '1'), { ...ids, deduplicationPeriod });
    expect(again.status).toBe(status);
    if (status === 400) expectError(again, 'INVALID_DEDUPLICATION_PERIOD', 9, '86401 seconds');
  });

  it('stores the ids of the command in the update, so that completions can be read from the log', async () => {
    const ledger = await ledgerServer();
    const { created } = ledger.updateOf(await ledger.exercise('alice', ledger.tapOf('alice', '1'), ids));
    const actAs = [ledger.partyOf('alice')];
    expect(created.at(-1)).toMatchObject({ template: 'SubmittedCommand', userId: 'alice', actAs, ...ids });
  });

  it('survives a restart from the log', async () => {
    const ledger = await ledgerServer();
    const tap = ledger.tapOf('alice', '1');
    ledger.updateOf(await ledger.exercise('alice', tap, ids));
    const headers = { authorization: `Bearer ${await ledger.server.token('ledger-api-user')}` };
    const log = await (await ledger.server.fetch('/log', { headers })).text();
    const { disclosedContracts = [], ...exercise } = tap;
    const body = {
      commands: [{ ExerciseCommand: exercise }],
      disclosedContracts,
      actAs: [ledger.partyOf('alice')],
      ...ids,
    };
    const { post } = await restarted(log);
    expectError(await post('alice', '/v2/commands/submit-and-wait', body), 'DUPLICATE_COMMAND', 10);
    const other = await post('alice', '/v2/commands/submit-and-wait', { ...body, commandId: 'c-2' });
    expect(other.status).toBe(200);
  });
});

async function restarted(from: string) {
  const server = await createServer({ from, automation: { dso: false } });
  const post = async (user: User, path: string, body: object): Promise<Answered> => {
    const headers = { authorization: `Bearer ${await server.token(user)}` };
    const answer = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  return { post };
}

describe('the error of a rejection', () => {
  it('is defined for every rejection code, with the category that clients use', () => {
    const problems = REJECTION_CODES.map(
      (code) => [code, ledgerErrorOf({ code, ...FIELDS } as unknown as Rejection)] as const,
    );
    const others = problems
      .filter(([, { code }]) => code !== 'DAML_FAILURE')
      .map(([code, body]) => [code, body.code, body.errorCategory]);
    expect(others).toEqual([
      ['CONTRACT_NOT_FOUND', 'CONTRACT_NOT_FOUND', 11],
      ['NOT_AUTHORISED', 'DAML_AUTHORIZATION_ERROR', 8],
      ['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 8],
      ['UNKNOWN_PARTY', 'PARTY_NOT_KNOWN_ON_LEDGER', 11],
      ['TIME_IN_PAST', 'ABORTED', 2],
      ['INSUFFICIENT_TRAFFIC', 'SEQUENCER_REQUEST_FAILED', 2],
      ['INVALID_SIGNATURE', 'INVALID_ARGUMENT', 8],
      ['DUPLICATE_COMMAND', 'DUPLICATE_COMMAND', 10],
      ['NOT_BOOTSTRAPPED', 'SERVICE_UNAVAILABLE', 1],
      ['CONTRACT_IN_TRANSIT', 'UNKNOWN_CONTRACT_SYNCHRONIZERS', 9],
    ]);
  });
});

/** Fields of every rejection, since the sentences read them. */
const FIELDS = {
  contracts: [],
  contract: null,
  wanted: 'it',
  field: 'f',
  value: 'v',
  expected: 'e',
  actual: 'a',
  actAs: [],
  required: 'p',
  amount: 0n,
  units: 0n,
  party: 'p',
  requestedAt: 0n,
  at: 0n,
  deadline: 0n,
  expiresAt: 0n,
  lockExpiresAt: 0n,
  dustAt: 0n,
  missing: 0n,
  opensAt: 0n,
  notBefore: 0n,
  ledgerTime: 0n,
};

describe.each(['alice', 'dave'] as const)('a transaction in the answer to %s', (user) => {
  async function tapped(ledger: LedgerServer, transactionFormat?: object): Promise<Answered> {
    const { disclosedContracts = [], ...tap } = ledger.tapOf(user, '1');
    const ids = { commandId: 'c-1', workflowId: 'w-1' };
    const commands = {
      commands: [{ ExerciseCommand: tap }],
      disclosedContracts,
      actAs: [ledger.partyOf(user)],
      ...ids,
    };
    if (user === 'alice')
      return ledger.wallets.post(user, '/v2/commands/submit-and-wait-for-transaction', { commands, transactionFormat });
    const { body } = await ledger.wallets.post(user, '/v2/interactive-submission/prepare', commands);
    return ledger.execute(user, body, { transactionFormat }, 'executeAndWaitForTransaction');
  }

  it('has the created coin and the ids of the submission', async () => {
    const ledger = await ledgerServer();
    const { status, body } = await tapped(ledger);
    expect({ status, body }).toMatchObject({ status: 200, body: { transaction: { commandId: 'c-1' } } });
    const { events, offset, updateId } = body.transaction;
    expect(ledger.updateOf({ status, body: { completionOffset: offset, updateId } }).kind).toBe('Tapped');
    const [coin] = ledger.coins(user);
    expect(events).toMatchObject([
      { CreatedEvent: { contractId: coin, createArgument: { owner: ledger.partyOf(user) } } },
    ]);
  });

  it('has no events when the requested format excludes all of them', async () => {
    const ledger = await ledgerServer();
    const TemplateFilter = { value: { templateId: RULES } };
    const filtersByParty = { [ledger.partyOf(user)]: { cumulative: [{ identifierFilter: { TemplateFilter } }] } };
    const format = { eventFormat: { filtersByParty }, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
    expect((await tapped(ledger, format)).body.transaction.events).toEqual([]);
  });

  it('is refused before the command takes effect when the format names another party or an unknown shape', async () => {
    const ledger = await ledgerServer();
    const { offset } = ledger.server.state;
    const format = (party: User, shape: string): object => ({
      eventFormat: { filtersByParty: { [ledger.partyOf(party)]: {} } },
      transactionShape: `TRANSACTION_SHAPE_${shape}`,
    });
    expect((await tapped(ledger, format('bob', 'ACS_DELTA'))).status).toBe(403);
    expect((await tapped(ledger, format(user, 'FULL'))).status).toBe(400);
    expect(ledger.server.state.offset).toBe(offset);
  });
});
