import { createServer, listen } from '@coinlab/http';
import { COMMAND_TYPES, Engine, LAWS, PartyId, stateHash, type Update } from '@coinlab/core';
import { afterAll, describe, expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';
import { Dice } from './fuzz/dice.ts';
import { faultOf } from './fuzz/judge.ts';
import { oddRequest, type OddRequest } from './fuzz/requests.ts';
import { Wire, type Answer } from './fuzz/wire.ts';
import { routesOf, type Route } from './routes.ts';

/*
 * Malformed and unusual requests to every route, over a socket. Every response must be one that its route declares, errors must be
 * error objects, the server must not fail, and the ledger must obey its laws. The same seed sends the same requests:
 *
 *   npm run fuzz:http -- --requests 100000 --seed 7
 */

const REQUESTS = runs(3000);
/** These routes fail on purpose or stream without end. */
const ON_PURPOSE = /^\/dev\/(faults?|events|log|stream)/;
const MOST_KNOWN = 300;
const ID = /"(00[0-9a-f]{136}|1220[0-9a-f]{64}|[^"\\ ]{1,190}::1220[0-9a-f]{64})"/g;

const broken: string[] = [];
const server = await createServer(
  { clock: 'manual', dev: true, port: 0 },
  {
    onFault: (what, error) => void broken.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`),
  },
);
const listening = await listen(server);
const wire = new Wire(listening.port);
afterAll(async () => {
  wire.close();
  await listening.close();
});

const { host } = server;
const start = host.state;
const log: Update[] = [];
let happened = 0;
host.onUpdate((update) => {
  log.push(update);
  happened += 1;
});
host.onReplaced(({ offset }) => void log.splice(offset - start.offset));

/** Ids from responses, and user names. The oldest ids are dropped first. */
const known: string[] = ['alice', 'bob', 'ledger-api-user', server.validator];

function learn({ path }: OddRequest, { text }: Answer): void {
  // Scan returns too many ids.
  if (!/\/(wallet|admin|dev|registry)\//.test(path)) return;
  for (const [, id = ''] of text.slice(0, 20_000).matchAll(ID)) if (!known.includes(id)) known.push(id);
  known.splice(4, known.length - MOST_KNOWN);
}

/** Bodies for routes with a schema that is too loose. */
function withBody(route: Route, dice: Dice): Route {
  const body = bodyOf(route, dice);
  return { ...route, body, fullBody: body === route.body ? route.fullBody : body };
}

function bodyOf({ path, body }: Route, dice: Dice): unknown {
  const alice = PartyId.of('alice');
  if (path === '/dev/advance') return dice.oneIn(4) ? { rounds: 1 } : { seconds: dice.pick([1, 30, 600]) };
  if (path !== '/dev/submit') return body;
  const type = dice.pick(COMMAND_TYPES);
  return { actAs: [alice], command: dice.oneIn(2) ? { type } : { type: 'Tap', receiver: alice, amount: '10.0' } };
}

const replay = (number: number): string => `Replay  npm run fuzz:http -- --seed ${seed} --requests ${number}`;
const shown = ({ method, path, headers, body }: OddRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body instanceof Uint8Array ? body.toString() : (body ?? '').slice(0, 2000)}`;

/** Long enough for a busy machine. */
const TIMEOUT = 60_000 + REQUESTS * 100;

describe('a malformed or unusual request', () => {
  it('gets a declared response and causes no server error', { timeout: TIMEOUT }, async () => {
    const dice = new Dice(seed);
    const routes = await routesOf(server);
    const asked = routes.filter(({ path }) => !ON_PURPOSE.test(path));
    const token = (user: string): Promise<string> => server.token(user);
    for (let number = 1; number <= REQUESTS; number++) {
      const request = await oddRequest({ dice, known, token, routes: asked, withBody });
      const answer = await wire.send(request).catch(String);
      const fault = typeof answer === 'string' ? answer : (faultOf(request, answer, routes) ?? broken[0]);
      if (fault) expect.fail(`${fault}\n\n${shown(request)}\n\n${replay(number)}`);
      if (typeof answer !== 'string') learn(request, answer);
    }
    expect(Object.prototype).not.toHaveProperty('amount');
    expect(Object.prototype).not.toHaveProperty('isOperator');
  });

  it('leaves a ledger that satisfies all laws and a log that replays to its state', { timeout: TIMEOUT }, async () => {
    await host.settled();
    const engine = new Engine({ laws: LAWS }, start);
    for (const update of log) engine.apply(update);
    expect(engine.hash()).toBe(stateHash(host.state));
    expect(happened).toBeGreaterThan(REQUESTS / 100);
    expect((await wire.send({ method: 'GET', path: '/readyz', headers: {}, body: null })).status).toBe(200);
  });
});
