import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { alice, bob, fund, walletServer, type WalletServer } from '../http/wallet-fixture.ts';
import { pass } from '../http/scan-fixture.ts';
import { coinlab } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-import-'));
const at = (name: string): string => join(folder, name);
const SCAN = 'http://scan.example/api/scan';

/** A server with payments, which answers requests to {@link SCAN} in pages of at most `most` updates. */
async function scanOf(most: number): Promise<WalletServer> {
  const wallet = await walletServer();
  pass(wallet, 1);
  await fund(wallet, alice, '50');
  pass(wallet, 1);
  await fund(wallet, bob, '3');
  vi.stubGlobal('fetch', async (url: URL, { body, ...init }: RequestInit) => {
    const asked = JSON.parse(String(body)) as Record<string, unknown>;
    const answer = await wallet.server.app.request(url.pathname.replace('/api/scan', ''), {
      ...init,
      body: JSON.stringify({ ...asked, page_size: most }),
    });
    // Fills the page, so that its length does not end the paging.
    const page = (await answer.json()) as { transactions: unknown[] };
    const [last] = page.transactions.slice(-1);
    const filled =
      last === undefined ? [] : [...page.transactions, ...Array<unknown>(1000 - page.transactions.length).fill(last)];
    return Response.json({ transactions: filled }, { status: answer.status });
  });
  return wallet;
}

let count = 0;
let out = '';
beforeEach(() => {
  count += 1;
  out = at(`${count}.csv`);
});

describe('coinlab import-network', () => {
  it('reads all pages of an address, keeps them, and writes a trace and its log', async () => {
    await scanOf(7);
    const log = at(`${count}.log`);
    const { code, out: told } = await coinlab(
      'import-network',
      SCAN,
      '--out',
      out,
      '--log',
      log,
      '--save-pages',
      at('pages'),
    );
    expect(code).toBe(EXIT.ok);
    expect(told).toMatch(/^payments +2 \(2 of them minted\), 2026-01-01T00:00:01\.000Z to /m);
    expect(readdirSync(at('pages')).length).toBeGreaterThan(1);
    const pages = readdirSync(at('pages')).map((name) => join(at('pages'), name));
    const again = at(`${count}-again.csv`);
    expect((await coinlab('import-network', ...pages, '--out', again)).code).toBe(EXIT.ok);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(out, 'utf8'));
    const { out: state } = await coinlab('state', log, '--party', alice, '--json');
    expect(JSON.parse(state)).toMatchObject({ party: { total: '50.0000000000' } });
    const { out: replayed } = await coinlab('replay', out, '--json');
    expect(JSON.parse(replayed)).toMatchObject({ rows: 2, failed: 0, minted: '53.0000000000' });
  });

  it('prints the summary as JSON, and starts after a time', async () => {
    await scanOf(1000);
    const since = '2026-01-01T00:00:01Z';
    const { out: told } = await coinlab('import-network', SCAN, '--out', out, '--json', '--since', since);
    expect(JSON.parse(told)).toMatchObject({ payments: 1, sum: '3.0000000000', rejected: [] });
  });

  it.each([
    ['a missing file', () => [at('none.json')], 'none.json: ENOENT'],
    [
      'a file that is no JSON',
      () => (writeFileSync(at('bad.json'), 'x'), [at('bad.json')]),
      'bad.json: Unexpected token',
    ],
    [
      'a file that is no page',
      () => (writeFileSync(at('bad.json'), '{}'), [at('bad.json')]),
      'bad.json: transactions: ',
    ],
    ['an address that answers with an error', () => ['http://127.0.0.1:1'], 'answered 404'],
  ] as const)('refuses %s', async (_, sources, expected) => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('no such page', { status: 404 })));
    const { code, err } = await coinlab('import-network', ...sources(), '--out', out);
    expect(code).toBe(EXIT.badInput);
    expect(err).toContain(expected);
  });
});
