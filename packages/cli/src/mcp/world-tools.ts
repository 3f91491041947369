import { Amount, balanceOf, Instant, REJECTION_CODES, REJECTIONS, utxoCountOf } from '@coinlab/core';
import { nearestTo, type CoinlabServer, type ServerOptions } from '@coinlab/http';
import { z } from 'zod';
import { BadInput } from '../exit-code.js';
import { tool, type Tool } from './tool.js';
import { ask, type World } from './world.js';

const PATH = z.string().startsWith('/');

export function worldTools(world: World): readonly Tool[] {
  return [
    tool({
      name: 'start_world',
      description:
        'Start a new network in memory with a manual clock; the one before it ends. Without arguments: ten funded users, alice to judy.',
      input: z.object({
        preset: z.string().optional().describe('month whose rules and prices apply, such as 2026-06'),
        start: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('contents of the ledger, such as {"parties":[{"name":"alice","coins":["5","0.25"]}]}'),
        settings: z.record(z.string(), z.unknown()).optional().describe('settings of the server by name'),
      }),
      readOnly: false,
      async call({ preset, start, settings }) {
        if (settings?.['dev'] === false)
          throw new BadInput('settings.dev: got false, expected true: the tools use the routes under /dev');
        const given = { ...settings, ...(preset !== undefined && { preset }), ...(start && { start }) };
        // Cast: createServer checks every setting and names the wrong one.
        return overviewOf(await world.start(given as ServerOptions));
      },
    }),
    tool({
      name: 'describe_world',
      description: 'Show the time, the offset of the log, and the balance and number of coins (UTXOs) of every user.',
      input: z.object({}),
      readOnly: true,
      call: async () => overviewOf(await world.server),
    }),
    tool({
      name: 'submit',
      description:
        'Submit a command of the ledger, for example {"type":"Tap","receiver":"alice::…","amount":"5"}. Answers with the update, or with ' +
        'the refusal and its meaning. docs/reference/commands.md lists the commands.',
      input: z.object({
        command: z.record(z.string(), z.unknown()),
        actAs: z.array(z.string()).min(1).describe('users or party ids whose authority the command has'),
        dryRun: z.boolean().optional().describe('decide without executing'),
      }),
      readOnly: false,
      async call({ command, actAs, dryRun }) {
        const server = await world.server;
        const parties = actAs.map((name) => (name.includes('::') ? name : server.party(name)));
        const path = dryRun === true ? '/dev/check' : '/dev/submit';
        const { status, body } = await ask(server, 'POST', path, { body: { command, actAs: parties } });
        return { status, answer: body, ...meaningOf(body) };
      },
    }),
    tool({
      name: 'advance_time',
      description: 'Advance the time by seconds, or until a number of rounds have opened. Automation runs on the way.',
      input: z.object({ seconds: z.int().min(0).optional(), rounds: z.int().min(1).optional() }),
      readOnly: false,
      async call(body) {
        const server = await world.server;
        const answer = await ask(server, 'POST', '/dev/advance', { body });
        return answer.status === 200 ? overviewOf(server) : answer;
      },
    }),
    tool({
      name: 'request',
      description:
        'Send a request to any API of the network: token registry, scan, wallet, validator, JSON Ledger API, /dev. GET /openapi.json describes all.',
      input: z.object({
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
        path: PATH.describe('path with query, such as /v0/wallet/balance'),
        user: z.string().optional().describe('user whose token is sent, such as alice'),
        body: z.record(z.string(), z.unknown()).optional(),
      }),
      readOnly: false,
      call: async ({ method, path, user, body }) => ask(await world.server, method, path, { user, body }),
    }),
    tool({
      name: 'read_log',
      description: 'List updates of the log after an offset: what each archived and created.',
      input: z.object({
        from: z.int().min(0).default(0).describe('offset before the first update'),
        limit: z.int().min(1).max(200).default(20),
      }),
      readOnly: true,
      call: async ({ from, limit }) => ask(await world.server, 'GET', `/dev/updates?from=${from}&limit=${limit}`),
    }),
    tool({
      name: 'explain_refusal',
      description: 'Explain a rejection code of the ledger: what it means, and whether a retry can succeed.',
      input: z.object({ code: z.string() }),
      readOnly: true,
      async call({ code }) {
        const meaning = meaningOf({ code });
        if (meaning) return { code, ...meaning };
        const nearest = nearestTo(code, REJECTION_CODES);
        throw new BadInput(`code: got '${code}', expected a rejection code${nearest ? `, such as ${nearest}` : ''}`);
      },
    }),
  ];
}

interface Meaning {
  readonly meaning: string;
  readonly retry: string;
}

function meaningOf(body: unknown): Meaning | null {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  const found = REJECTION_CODES.find((known) => known === code);
  return found ? { meaning: REJECTIONS[found].meaning, retry: REJECTIONS[found].retry } : null;
}

async function overviewOf(server: CoinlabServer): Promise<unknown> {
  const { state } = server;
  // Cast: our own answer.
  const { users } = (await ask(server, 'GET', '/dev/users')).body as { users: { user: string; party: string }[] };
  return {
    time: Instant.format(server.now),
    offset: state.offset,
    users: users.map(({ user, party }) => {
      const owner = server.party(user);
      const { total, locked } = balanceOf(state, owner);
      return {
        user,
        party,
        total: Amount.short(total),
        locked: Amount.short(locked),
        coins: utxoCountOf(state, owner),
      };
    }),
  };
}
