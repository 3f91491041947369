import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ResponseWithLateHeaders, setHeader } from '../../packages/http/src/observe/late-headers.ts';

const servers: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The headers of interest in the answer of a server that answers so. */
async function headersOf(answer: (response: ServerResponse) => void): Promise<readonly (string | number | null)[]> {
  const server = createServer({ ServerResponse: ResponseWithLateHeaders }, (_: IncomingMessage, response) => {
    setHeader(response, 'X-Late', 'late');
    answer(response);
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { status, headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return [status, headers.get('x-late'), headers.get('x-own'), headers.get('x-set')];
}

describe('a late header', () => {
  it.each<[string, (response: ServerResponse) => unknown, readonly (string | number | null)[]]>([
    ['without a written head', () => undefined, [200, 'late', null, null]],
    ['beside a head without headers', (response) => response.writeHead(202), [202, 'late', null, null]],
    ['beside an object', (response) => response.writeHead(202, { 'X-Own': 'own' }), [202, 'late', 'own', null]],
    ['beside a list', (response) => response.writeHead(202, ['X-Own', 'own']), [202, 'late', 'own', null]],
    ['after a reason', (response) => response.writeHead(202, 'fine', { 'X-Own': 'own' }), [202, 'late', 'own', null]],
    [
      'beside headers that were set',
      (response) => response.setHeader('X-Set', 'set').writeHead(202, { 'X-Own': 'own' }),
      [202, 'late', 'own', 'set'],
    ],
    ['of the same name', (response) => response.writeHead(202, { 'X-Late': 'early' }), [202, 'late', null, null]],
  ])('is written %s', async (_, answer, expected) => {
    expect(await headersOf((response) => void answer(response))).toEqual(expected);
  });

  it('leaves the headers of the caller as they are', async () => {
    const given = { 'X-Own': 'own' };
    await headersOf((response) => void response.writeHead(200, given));
    expect(given).toEqual({ 'X-Own': 'own' });
  });

  it('is set at once on another kind of response', async () => {
    const server = createServer((_, response) => {
      setHeader(response, 'X-Late', 'late');
      response.end(String(response.getHeader('X-Late')));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect([answer.headers.get('x-late'), await answer.text()]).toEqual(['late', 'late']);
  });
});
