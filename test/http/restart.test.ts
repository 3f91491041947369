import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerServer, type LedgerServer } from './ledger-commands-fixture.ts';
import { stored } from './stored.ts';
import { walletServer, type Answered } from './wallet-fixture.ts';

/* A server with its log in a folder, closed and started again. */

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function ask(
  server: CoinlabServer,
  method: string,
  path: string,
  body?: object,
  user = 'ledger-api-user',
): Promise<Answered> {
  const headers = { authorization: `Bearer ${await server.token(user)}` };
  const answer = await server.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
}

/** Closes a server, and passes the one that continues its log. */
async function restarted(ledger: LedgerServer, check: (server: CoinlabServer) => Promise<void>): Promise<void> {
  await ledger.server.close();
  const server = await createServer({ clock: 'manual' }, await stored(folder));
  try {
    await check(server);
  } finally {
    await server.close();
  }
}

const started = async (): Promise<LedgerServer> => ledgerServer(walletServer({}, await stored(folder)));

describe('a server after a restart', () => {
  it('has the same users with their rights, primary parties and annotations, and not the deleted ones', async () => {
    const ledger = await started();
    const alice = ledger.partyOf('alice');
    const right = (kind: string, party: string): object => ({ kind: { [kind]: { value: { party } } } });
    const user = { id: 'ann', primaryParty: alice, metadata: { annotations: { team: 'payments' } } };
    for (const body of [{ user }, { user: { id: 'gone' } }])
      expect((await ask(ledger.server, 'POST', '/v2/users', body)).status).toBe(200);
    const rights = [right('CanActAs', alice), right('CanReadAs', ledger.partyOf('bob'))];
    expect((await ask(ledger.server, 'POST', '/v2/users/ann/rights', { userId: 'ann', rights })).status).toBe(200);
    expect((await ask(ledger.server, 'DELETE', '/v2/users/gone')).status).toBe(200);
    const paths = ['/v2/users', '/v2/users/ann', '/v2/users/ann/rights', '/v2/users/gone'];
    const before: Answered[] = [];
    for (const path of paths) before.push(await ask(ledger.server, 'GET', path));
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(before[2]?.body.rights).toHaveLength(2);
    await restarted(ledger, async (server) => {
      for (const [i, path] of paths.entries()) expect(await ask(server, 'GET', path)).toEqual(before[i]);
    });
  });

  it('finds an executed transaction by the hash that its party signed, and refuses to execute it again', async () => {
    const ledger = await started();
    const { disclosedContracts = [], ...exercise } = ledger.tapOf('dave', '5');
    const body = {
      commands: [{ ExerciseCommand: exercise }],
      commandId: 'tap',
      actAs: [ledger.partyOf('dave')],
      disclosedContracts,
    };
    const prepared = await ask(ledger.server, 'POST', '/v2/interactive-submission/prepare', body, 'dave');
    expect(prepared.status).toBe(200);
    const executed = await ledger.execute('dave', prepared.body);
    expect(executed.status).toBe(200);
    const hash = Buffer.from(prepared.body.preparedTransactionHash, 'base64').toString('hex');
    const found = await ask(ledger.server, 'GET', `/v2/updates/hash/${hash}`);
    expect(found).toMatchObject({
      status: 200,
      body: { update_id: executed.body.updateId, external_transaction_hash: hash },
    });
    const signatures = { signatures: [ledger.signatureOf(ledger.partyOf('dave'), ledger.dave.key.sign(hash))] };
    await restarted(ledger, async (server) => {
      expect(await ask(server, 'GET', `/v2/updates/hash/${hash}`)).toEqual(found);
      const { offset } = server.state;
      for (const submissionId of ['again', 'once more']) {
        const submission = {
          preparedTransaction: prepared.body.preparedTransaction,
          hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
          submissionId,
          deduplicationPeriod: { Empty: {} },
          partySignatures: signatures,
        };
        const again = await ask(server, 'POST', '/v2/interactive-submission/executeAndWait', submission, 'dave');
        expect(again).toMatchObject({ status: 409, body: { code: 'DUPLICATE_COMMAND' } });
      }
      expect(server.state.offset).toBe(offset);
    });
  });
});
