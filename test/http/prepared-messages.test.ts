import {
  DamlTransaction_Node as TransactionNode,
  PreparedTransaction,
  type Create,
  type Exercise,
} from '@canton-network/core-ledger-proto';
import { hashPreparedTransaction } from '@canton-network/core-tx-visualizer';
import { Amount, ContractId, PartyId, replay, stateHash, type Update } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { RUNS, type Run } from './ledger-choice-runs.ts';
import { iso, ledgerServer, LedgerServer, PING, type Exercise as Command } from './ledger-commands-fixture.ts';
import type { Answered } from './wallet-fixture.ts';

/*
 * Prepared transactions as the published message types and a published hasher read them. The stories of test/clients check the hash
 * with the SDK's own hasher too.
 */

interface PreparedBody extends Record<string, unknown> {
  readonly preparedTransaction: string;
  readonly preparedTransactionHash: string;
}

async function prepared(ledger: LedgerServer, command: object, change: object = {}): Promise<PreparedBody> {
  const { status, body } = await ledger.wallets.post('dave', '/v2/interactive-submission/prepare', {
    commands: [command],
    commandId: 'c-1',
    actAs: [ledger.dave.party],
    ...change,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

async function preparedTransfer(ledger: LedgerServer): Promise<PreparedBody> {
  await ledger.tap('dave', '10');
  const { disclosedContracts, ...transfer } = await ledger.transferOf('dave', 'bob', '3');
  return prepared(ledger, { ExerciseCommand: transfer }, { disclosedContracts });
}

function decoded({ preparedTransaction }: PreparedBody): PreparedTransaction {
  return PreparedTransaction.fromBinary(Buffer.from(preparedTransaction, 'base64'));
}

function encoded(message: PreparedTransaction): string {
  return Buffer.from(PreparedTransaction.toBinary(message)).toString('base64');
}

/** Returns the transaction with an unknown field, which no hash covers: number 99 with the value 1. */
function otherBytesOf(transaction: string): string {
  return Buffer.concat([Buffer.from(transaction, 'base64'), Buffer.from([0x98, 0x06, 0x01])]).toString('base64');
}

type Nodes = { readonly creates: readonly Create[]; readonly exercises: readonly Exercise[] };

function nodesOf({ transaction }: PreparedTransaction): Nodes {
  const creates: Create[] = [];
  const exercises: Exercise[] = [];
  for (const { versionedNode } of transaction?.nodes ?? []) {
    const node = versionedNode.oneofKind === 'v1' ? versionedNode.v1.nodeType : null;
    if (node?.oneofKind === 'create') creates.push(node.create);
    if (node?.oneofKind === 'exercise') exercises.push(node.exercise);
  }
  return { creates, exercises };
}

/** Reads the record of a value by its labels, without types. */
function plain(value: unknown): unknown {
  const { sum } = value as { sum: { oneofKind: string } & Record<string, never> };
  const inner = sum[sum.oneofKind] as never;
  if (sum.oneofKind === 'record')
    return Object.fromEntries(
      (inner as { fields: { label: string; value: unknown }[] }).fields.map((field) => [
        field.label,
        plain(field.value),
      ]),
    );
  if (sum.oneofKind === 'list') return (inner as { elements: unknown[] }).elements.map(plain);
  return inner;
}

const OWN_RUNS = Object.entries(RUNS)
  .filter(([name]) => name !== 'a setup proposal that ends with Withdraw')
  .map(([name, [kind, run]]) => [name, kind, run] as const);

describe('the hash of a prepared transaction', () => {
  it.each(OWN_RUNS)('equals that of a published hasher for %s', async (_, kind, run) => {
    const { wallets, dave } = await ledgerServer();
    const answers: PreparedBody[] = [];
    const post = async (user: string | null, path: string, body?: unknown): Promise<Answered> => {
      const answer = await wallets.post(user, path, body);
      if (path.endsWith('/prepare') && answer.status === 200) answers.push(answer.body);
      return answer;
    };
    expect(await run(new LedgerServer({ ...wallets, post }, dave), 'dave')).toBe(kind);
    expect(answers).not.toEqual([]);
    for (const body of answers) {
      expect(await hashPreparedTransaction(body.preparedTransaction, 'base64')).toBe(body.preparedTransactionHash);
      expect(encoded(decoded(body))).toBe(body.preparedTransaction);
    }
  });

  it('equals that of a published hasher for texts of any script and more than 64 KiB', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('dave', '10');
    const values = {
      'splice.lfdecentralizedtrust.org/reason': `Miete für März, 家賃 🏠 ${'é'.repeat(40_000)}`,
      'example.com/short': 'für März',
      'example.com/long': 'Miete für den Monat März, zahlbar bis zum 3. Werktag',
    };
    const meta = { values };
    const { disclosedContracts, ...transfer } = await ledger.transferOf('dave', 'bob', '3', { meta });
    const body = await prepared(ledger, { ExerciseCommand: transfer }, { disclosedContracts });
    expect(await hashPreparedTransaction(body.preparedTransaction, 'base64')).toBe(body.preparedTransactionHash);
    expect(encoded(decoded(body))).toBe(body.preparedTransaction);
  });

  it('equals that of a published hasher for texts of all sizes near 64 KiB', async () => {
    const ledger = await ledgerServer();
    const { party } = ledger.dave;
    for (let size = 64_000; size < 65_600; size += 9) {
      const createArguments = { id: 'x'.repeat(size), initiator: party, responder: party };
      const body = await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } });
      const published = await hashPreparedTransaction(body.preparedTransaction, 'base64');
      expect({ size, hash: body.preparedTransactionHash }).toEqual({ size, hash: published });
    }
  });

  it('is explained on request', async () => {
    const ledger = await ledgerServer();
    const { party } = ledger.dave;
    const createArguments = { id: '1', initiator: party, responder: party };
    const command = { CreateCommand: { templateId: PING, createArguments } };
    const body = await prepared(ledger, command, { verboseHashing: true });
    expect(body['hashingDetails']).toMatch(/^SHA-256\(00000030 ‖ 02 ‖ .*, hashing scheme V2$/);
  });

  it('covers the amount that the party signs', async () => {
    const body = await preparedTransfer(await ledgerServer());
    const changed = Buffer.from(body.preparedTransaction, 'base64')
      .toString('latin1')
      .replace('3.0000000000', '4.0000000000');
    const hash = await hashPreparedTransaction(Buffer.from(changed, 'latin1').toString('base64'), 'base64');
    expect(hash).not.toBe(body.preparedTransactionHash);
  });
});

describe('a prepared transfer', () => {
  it('shows the choice with its argument, the coin that it archives and the contracts that it creates', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('dave', '10');
    const [coin] = ledger.coins('dave');
    const { disclosedContracts, ...transfer } = await ledger.transferOf('dave', 'bob', '3');
    const message = decoded(await prepared(ledger, { ExerciseCommand: transfer }, { disclosedContracts }));
    const { creates, exercises } = nodesOf(message);
    const [root, ...archives] = exercises;
    expect(message.transaction?.roots).toEqual(['0']);
    expect(root).toMatchObject({
      choiceId: 'TransferFactory_Transfer',
      contractId: transfer.contractId,
      interfaceId: { moduleName: 'Splice.Api.Token.TransferInstructionV1', entityName: 'TransferFactory' },
      templateId: { moduleName: 'Splice.ExternalPartyAmuletRules', entityName: 'ExternalPartyAmuletRules' },
      actingParties: [ledger.dave.party],
      consuming: false,
    });
    expect(plain(root?.chosenValue)).toMatchObject({
      expectedAdmin: ledger.dso,
      transfer: { sender: ledger.dave.party, receiver: ledger.partyOf('bob'), amount: '3.0000000000' },
    });
    expect(archives.map(({ choiceId, contractId, consuming }) => [choiceId, contractId, consuming])).toEqual([
      ['Archive', coin, true],
    ]);
    expect(creates.map(({ templateId }) => templateId?.entityName).sort()).toEqual([
      'Amulet',
      'AmuletTransferInstruction',
      'LockedAmulet',
    ]);
    const change = creates.find(({ templateId }) => templateId?.entityName === 'Amulet');
    expect(plain(change?.argument)).toMatchObject({
      owner: ledger.dave.party,
      amount: { initialAmount: '7.0000000000', createdAt: { number: expect.any(String) } },
    });
  });

  it('names the signer, the command, the deadline and the contracts in use', async () => {
    const ledger = await ledgerServer();
    const { metadata } = decoded(await preparedTransfer(ledger));
    expect(metadata).toMatchObject({
      submitterInfo: { actAs: [ledger.dave.party], commandId: 'c-1' },
      synchronizerId: ledger.one('AmuletRules').config.traffic.activeSynchronizer,
      preparationTime: ledger.server.now,
    });
    expect(metadata?.maxLedgerEffectiveTime).toBeGreaterThan(ledger.server.now);
    const inputs = metadata?.inputContracts.map(({ contract }) =>
      contract.oneofKind === 'v1' ? contract.v1.contractId : '',
    );
    expect(inputs).toEqual(
      expect.arrayContaining([...ledger.coins('dave'), ledger.idOf('ExternalPartyAmuletRules'), ledger.round]),
    );
  });
});

describe('a signed message', () => {
  it('appends the update that it shows, once, and the log replays to the same state', async () => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const update = ledger.updateOf(await ledger.execute('dave', body));
    expect(update).toMatchObject({ kind: 'TransferOffered', actAs: [ledger.dave.party] });
    expect(ledger.one('TransferInstruction').transfer.amount).toBe(Amount.of('3'));
    const again = await ledger.execute('dave', body);
    expect(again.status).toBe(409);
    const { history, state } = ledger.server;
    const updates = Array.from({ length: state.offset }, (_, i): Update => history.updateAt(i + 1));
    expect(replay(updates).hash()).toBe(stateHash(state));
    const executed = update.created.find(({ template }) => template === 'ExecutedTransaction');
    expect(executed).toMatchObject({ hash: Buffer.from(body.preparedTransactionHash, 'base64').toString('hex') });
  });

  it('is refused as executed when its bytes change but not its content', async () => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    ledger.updateOf(await ledger.execute('dave', body));
    const preparedTransaction = otherBytesOf(body.preparedTransaction);
    const refused = await ledger.execute('dave', body, { preparedTransaction, submissionId: 'another' });
    expect(refused.status).toBe(409);
  });

  it('is refused when any one of its characters has changed', async () => {
    const ledger = await ledgerServer();
    const { party } = ledger.dave;
    const createArguments = { id: 'x'.repeat(600), initiator: party, responder: party };
    const body = await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } });
    const { preparedTransaction: text } = body;
    const inId = text.indexOf('eHh4eHh4', text.indexOf('eHh4eHh4') + 100);
    expect(text.slice(inId, inId + 64)).toBe('eHh4'.repeat(16));
    for (let at = inId; at < inId + 64; at++) {
      const preparedTransaction = `${text.slice(0, at)}${text[at] === 'e' ? 'f' : 'e'}${text.slice(at + 1)}`;
      const { status } = await ledger.execute('dave', body, { preparedTransaction, submissionId: `s-${at}` });
      expect({ at, isAccepted: status < 400 }).toEqual({ at, isAccepted: false });
    }
    expect(ledger.updateOf(await ledger.execute('dave', body)).kind).not.toBe('');
  });

  it('can be executed after many other messages were prepared', async () => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const { party } = ledger.dave;
    for (let i = 0; i < 300; i++) {
      const createArguments = { id: String(i), initiator: party, responder: party };
      await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } }, { commandId: `p-${i}` });
    }
    expect(ledger.updateOf(await ledger.execute('dave', body)).kind).toBe('TransferOffered');
  });

  it.each([0, 20, 300])('is refused with other letters of equal low bytes, %i messages later', async (messages) => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const { party } = ledger.dave;
    for (let i = 0; i < messages; i++) {
      const createArguments = { id: String(i), initiator: party, responder: party };
      await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } }, { commandId: `p-${i}` });
    }
    const [first = ''] = body.preparedTransaction;
    const other = String.fromCharCode(first.charCodeAt(0) + 256) + body.preparedTransaction.slice(1);
    const refused = await ledger.execute('dave', body, { preparedTransaction: other });
    expect(refused.body).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(ledger.updateOf(await ledger.execute('dave', body)).kind).toBe('TransferOffered');
  });

  it('can be executed in any order among as many as 20', async () => {
    const ledger = await ledgerServer();
    const { party } = ledger.dave;
    const ids = Array.from({ length: 20 }, (_, i) => `ping ${i}`);
    const bodies: PreparedBody[] = [];
    for (const id of ids) {
      const createArguments = { id, initiator: party, responder: party };
      bodies.push(await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } }, { commandId: id }));
    }
    for (const index of ids.map((_, i) => (i * 7) % ids.length)) {
      const body = bodies[index];
      if (body) ledger.updateOf(await ledger.execute('dave', body));
      expect(JSON.parse(ledger.one('ForeignContract').arguments).id).toBe(ids[index]);
    }
  });

  it.each(OWN_RUNS)(
    'has the same effect when it is decoded as when it was just prepared for %s',
    async (_, kind, run) => {
      const kept = await effectsOf(run, kind, (transaction) => transaction);
      expect(await effectsOf(run, kind, otherBytesOf)).toEqual(kept);
    },
  );

  it('can create a contract of a template that the ledger only stores', async () => {
    const ledger = await ledgerServer();
    const { party } = ledger.dave;
    const createArguments = { id: '2026', initiator: party, responder: party };
    const body = await prepared(ledger, { CreateCommand: { templateId: PING, createArguments } });
    const [ping] = nodesOf(decoded(body)).creates;
    expect(plain(ping?.argument)).toEqual(createArguments);
    ledger.updateOf(await ledger.execute('dave', body));
    expect(JSON.parse(ledger.one('ForeignContract').arguments)).toEqual(createArguments);
  });

  it.each<[string, (message: PreparedTransaction, ledger: LedgerServer) => unknown, string]>([
    ['no metadata', (message) => delete message.metadata, 'metadata is missing'],
    ['no transaction', (message) => delete message.transaction, 'a transaction that this ledger prepared'],
    ['no deadline', ({ metadata }) => delete metadata?.maxLedgerEffectiveTime, 'maxLedgerEffectiveTime: got nothing'],
    ['two roots', ({ transaction }) => transaction?.roots.push('1'), 'node 1 is in the tree twice'],
    ['no root', ({ transaction }) => transaction?.roots.pop(), 'below no root'],
    ['a root without a node', ({ transaction }) => transaction?.nodes.shift(), 'node 0 is missing'],
    ['no seeds', ({ transaction }) => transaction?.nodeSeeds.splice(0), 'seed of node 0'],
    ['two acting parties', ({ metadata }, { dso }) => metadata?.submitterInfo?.actAs.push(dso), 'actAs'],
    ['another synchronizer', ({ metadata }) => Object.assign(metadata ?? {}, { synchronizerId: 'other' }), 'got other'],
    ['another signer', ({ metadata }, { dso }) => metadata?.submitterInfo?.actAs.splice(0, 1, dso), 'has no key'],
    [
      'another command id',
      ({ metadata }) => Object.assign(metadata?.submitterInfo ?? {}, { commandId: 'c-2' }),
      'INVALID_SIGNATURE',
    ],
    [
      'a later deadline',
      ({ metadata }) => Object.assign(metadata ?? {}, { maxLedgerEffectiveTime: 2n ** 53n }),
      'INVALID_SIGNATURE',
    ],
    ['fewer input contracts', ({ metadata }) => metadata?.inputContracts.pop(), 'INVALID_SIGNATURE'],
    ['another input contract', ({ metadata }) => changeInput(metadata), 'INVALID_SIGNATURE'],
    ['a forged root before the signed one', forgeRoot, 'node 0 is listed twice'],
    ['a second seed of a node', ({ transaction }) => addSeed(transaction, 0, 32), 'the seed of node 0 is listed twice'],
    ['a seed of no node', ({ transaction }) => addSeed(transaction, 99, 32), 'node 99 is missing'],
    ['a short seed', ({ transaction }) => addSeed(transaction, -1, 31), '31 bytes'],
    ['a node below no root', addStray, 'node 99 is below no root'],
    ['a node with two parents', ({ transaction }) => childrenOf(transaction).push('1'), 'node 1 is in the tree twice'],
    ['a node below itself', ({ transaction }) => childrenOf(transaction).push('0'), 'node 0 is in the tree twice'],
  ])('is refused with %s', async (_, change, cause) => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const message = decoded(body);
    change(message, ledger);
    const { offset } = ledger.server.state;
    const rights = [{ kind: { CanExecuteAsAnyParty: { value: {} } } }];
    await ledger.wallets.post('ledger-api-user', '/v2/users/dave/rights', { userId: 'dave', rights });
    const before = ledger.server.state.offset;
    const refused = await ledger.execute('dave', body, { preparedTransaction: encoded(message) });
    expect(refused.body).toMatchObject({ code: 'INVALID_ARGUMENT', cause: expect.stringContaining(cause) });
    expect(before).toBeGreaterThanOrEqual(offset);
    expect(ledger.server.state.offset).toBe(before);
  });

  it('is refused when a contract that it uses has been archived', async () => {
    const ledger = await ledgerServer();
    const first = await preparedTransfer(ledger);
    const { disclosedContracts, ...transfer }: Command = await ledger.transferOf('dave', 'bob', '2');
    const second = await prepared(ledger, { ExerciseCommand: transfer }, { disclosedContracts, commandId: 'c-2' });
    ledger.updateOf(await ledger.execute('dave', first));
    const refused = await ledger.execute('dave', second);
    expect(refused.body).toMatchObject({ code: 'CONTRACT_NOT_FOUND', errorCategory: 11 });
  });
});

type Effect = Pick<Update, 'kind' | 'detail' | 'archived' | 'created'>;

/** Returns the updates of a run without the records that name random ids. @param change of each transaction before its execution */
async function effectsOf(run: Run, kind: string, change: (transaction: string) => string): Promise<readonly Effect[]> {
  const { wallets, dave } = await ledgerServer();
  const post = async (user: string | null, path: string, body?: unknown): Promise<Answered> => {
    const isExecution = path.includes('/interactive-submission/execute');
    const { preparedTransaction = '' } = (body ?? {}) as Partial<PreparedBody>;
    const changed = isExecution ? { ...(body as object), preparedTransaction: change(preparedTransaction) } : body;
    return wallets.post(user, path, changed);
  };
  expect(await run(new LedgerServer({ ...wallets, post }, dave), 'dave')).toBe(kind);
  const { history, state } = wallets.server;
  return Array.from({ length: state.offset }, (_, i) => {
    const { kind: own, detail, archived, created } = history.updateAt(i + 1);
    return { kind: own, detail, archived, created: created.filter(({ template }) => !RECORDS.has(template)) };
  });
}

const RECORDS: ReadonlySet<string> = new Set(['ExecutedTransaction', 'SubmittedCommand']);

/** Moves the creation of an input contract by a microsecond. */
function changeInput(metadata: PreparedTransaction['metadata']): void {
  const [input] = metadata?.inputContracts ?? [];
  if (input) input.createdAt += 1n;
}

/** Inserts a copy of the root that pays ten times as much: a map by id keeps the last node, and a search finds the first. */
function forgeRoot({ transaction }: PreparedTransaction): void {
  const [root] = transaction?.nodes ?? [];
  if (!root) return;
  const forged = TransactionNode.fromBinary(
    Buffer.from(
      Buffer.from(TransactionNode.toBinary(root)).toString('latin1').replace('3.0000000000', '9.0000000000'),
      'latin1',
    ),
  );
  transaction?.nodes.unshift(forged);
}

function addSeed(transaction: PreparedTransaction['transaction'], nodeId: number, bytes: number): void {
  if (nodeId < 0) transaction?.nodeSeeds.shift();
  transaction?.nodeSeeds.push({ nodeId: Math.max(0, nodeId), seed: new Uint8Array(bytes) });
}

function addStray({ transaction }: PreparedTransaction): void {
  const [, archive] = transaction?.nodes ?? [];
  if (archive) transaction?.nodes.push({ ...archive, nodeId: '99' });
}

function childrenOf(transaction: PreparedTransaction['transaction']): string[] {
  const root = transaction?.nodes.find(({ nodeId }) => nodeId === '0')?.versionedNode;
  return root?.oneofKind === 'v1' && root.v1.nodeType.oneofKind === 'exercise'
    ? root.v1.nodeType.exercise.children
    : [];
}

describe('a transaction whose nodes share their children', () => {
  /** Each level lists the next one twice, so a hash without memory doubles its work at each level. */
  function bomb(message: PreparedTransaction, levels: number): void {
    const nodes = message.transaction?.nodes ?? [];
    const [root] = nodes;
    if (root?.versionedNode.oneofKind !== 'v1' || root.versionedNode.v1.nodeType.oneofKind !== 'exercise') return;
    const { exercise } = root.versionedNode.v1.nodeType;
    nodes.splice(0);
    for (let i = 0; i < levels; i++) {
      const children = i + 1 < levels ? [String(i + 1), String(i + 1)] : [];
      nodes.push({
        nodeId: String(i),
        versionedNode: {
          oneofKind: 'v1',
          v1: { nodeType: { oneofKind: 'exercise', exercise: { ...exercise, children } } },
        },
      });
    }
    message.transaction?.nodeSeeds.splice(0);
    for (let i = 0; i < levels; i++) addSeed(message.transaction, i, 32);
  }

  it('is refused without work that doubles with each level', { timeout: 5_000 }, async () => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const message = decoded(body);
    bomb(message, 25);
    const refused = await ledger.execute('dave', body, { preparedTransaction: encoded(message) });
    expect(refused.body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringContaining('in the tree twice'),
    });
  });

  it('is refused for a user without rights before it is parsed', async () => {
    const ledger = await ledgerServer();
    const body = await preparedTransfer(ledger);
    const message = decoded(body);
    bomb(message, 3);
    const refused = await ledger.execute('bob', body, { preparedTransaction: encoded(message) });
    expect(refused.status).toBe(403);
    const unsigned = { preparedTransaction: encoded(message), partySignatures: { signatures: [] } };
    expect((await ledger.execute('bob', body, unsigned)).body.cause).toContain('partySignatures.signatures');
  });
});

it('a missing contract is refused before the malformed argument of its choice', async () => {
  const ledger = await ledgerServer();
  await ledger.tap('dave', '10');
  const { disclosedContracts, ...transfer } = await ledger.transferOf('dave', 'bob', '3');
  const prepare = (command: object): Promise<Answered> =>
    ledger.wallets.post('dave', '/v2/interactive-submission/prepare', {
      commands: [{ ExerciseCommand: { ...transfer, choiceArgument: {}, ...command } }],
      commandId: 'c-1',
      actAs: [ledger.dave.party],
      disclosedContracts,
    });
  expect((await prepare({})).body).toMatchObject({ code: 'COMMAND_PREPROCESSING_FAILED' });
  const contractId = ContractId.format(ContractId.of(999_999));
  expect((await prepare({ contractId })).body).toMatchObject({ code: 'CONTRACT_NOT_FOUND' });
});

it('a signed message is refused once another synchronizer is active', async () => {
  const ledger = await ledgerServer();
  const body = await preparedTransfer(ledger);
  const { config: baseConfig } = ledger.one('AmuletRules');
  const activeSynchronizer = PartyId.of('next-domain');
  const newConfig = {
    ...baseConfig,
    traffic: { ...baseConfig.traffic, activeSynchronizer, requiredSynchronizers: [activeSynchronizer] },
  };
  const action = { type: 'SetAmuletConfig', baseConfig, newConfig } as const;
  await ledger.wallets.submit({ type: 'ExecuteAction', action }, ledger.dso);
  const refused = await ledger.execute('dave', body);
  const cause = expect.stringContaining(`metadata.synchronizerId: got ${baseConfig.traffic.activeSynchronizer}`);
  expect(refused.body).toMatchObject({ code: 'INVALID_ARGUMENT', cause });
});

it('a signed message is refused once its deadline has passed', async () => {
  const ledger = await ledgerServer();
  const { party } = ledger.dave;
  const body = await prepared(ledger, {
    CreateCommand: { templateId: PING, createArguments: { id: 'x', initiator: party, responder: party } },
  });
  const until = decoded(body).metadata?.maxLedgerEffectiveTime ?? 0n;
  expect(iso(until)).toBe(iso(ledger.server.now + 86_400_000_000n));
  await ledger.server.advance('24h');
  expect((await ledger.execute('dave', body)).body).toMatchObject({ errorCategory: 9 });
});
