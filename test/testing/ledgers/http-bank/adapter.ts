import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { bankServer } from './ledger.ts';

/** One server for all runs; every run has a book of its own. */
export function coinLedger(): CoinLedger {
  const agent = new Agent({ keepAlive: true });
  const server = bankServer();
  const listening = new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)).unref();
  });
  async function call(method: string, path: string, body?: object, by: string = '', now: number = 0): Promise<Reply> {
    const port = await listening;
    const headers = { 'x-user': by, 'x-time': String(now), 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, async (answer) => {
        let text = '';
        for await (const part of answer) text += String(part);
        resolve([answer.statusCode ?? 0, JSON.parse(text) as Reply[1]]);
      });
      sent.once('error', reject).end(body && JSON.stringify(body));
    });
  }
  return {
    name: 'http bank',
    async open() {
      const [, json] = await call('POST', '/books');
      const book = `/books/${json['book']}`;
      return {
        async submit(command): Promise<CoinAnswer> {
          const [method, path, body] = requestOf(command) ?? [];
          if (!method) return { skipped: true };
          const [status, said] = await call(method, `${book}/${path}`, body, command.by, command.now);
          if (status >= 400) return { accepted: false, reason: `${status} ${said['error']}` };
          return 'id' in said ? { accepted: true, id: String(said['id']) } : { accepted: true };
        },
        async balanceOf(party) {
          const [, said] = await call('GET', `${book}/balances/${party}`);
          return { total: BigInt(Number(said['balance'])), locked: BigInt(Number(said['held'])) };
        },
      };
    },
  };
}

type Reply = readonly [status: number, json: Readonly<Record<string, unknown>>];

function requestOf(command: CoinCommand): readonly [method: string, path: string, body?: object] | null {
  const amount = 'amount' in command ? Number(command.amount) : 0;
  if (command.type === 'mint') return ['POST', 'deposits', { to: command.to, amount }];
  if (command.type === 'pay') return ['POST', 'payments', { from: command.from, to: command.to, amount }];
  if (command.type === 'offer')
    return ['POST', 'holds', { from: command.from, to: command.to, amount, expiresAt: command.deadline }];
  if (command.type === 'merge') return null;
  if (command.type === 'accept') return ['POST', `holds/${command.offer}/capture`];
  return command.type === 'reject' ? ['POST', `holds/${command.offer}/refuse`] : ['DELETE', `holds/${command.offer}`];
}
