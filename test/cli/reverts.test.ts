import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serve } from './coinlab.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinlab-reverts-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const KILLS = 6;
const headers = { 'content-type': 'application/json' };

/** The update ids of a log, and those that reverts have removed. */
function idsIn(data: string, prefix: string): readonly string[] {
  return readdirSync(data)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(join(data, name), 'utf8').trimEnd().split('\n'))
    .map((line) => /"updateId":"(\w+)"/.exec(line)?.[1] ?? '');
}

it('a server that is killed while it reverts keeps every acknowledged update in its log or in a file of removed updates', async () => {
  const data = join(folder, 'log');
  const acknowledged = new Set<string>();
  let reverts = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { url, end } = await serve('--data', data, '--dev', '--clock', 'manual', '--log-level', 'silent');
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}/dev/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.ok ? ((await answer.json()) as Record<string, unknown>) : {};
    };
    const state = (await (await fetch(`${url}/dev/state`)).json()) as { readonly offset: number };
    const [party = ''] = /alice::\w+/.exec(JSON.stringify(await (await fetch(`${url}/dev/users`)).json())) ?? [];
    let isOver = false;
    const tapper = async (): Promise<void> => {
      while (!isOver) {
        const { updateId } = await post('submit', {
          actAs: [party],
          command: { type: 'Tap', receiver: party, amount: `1.${kill}` },
        });
        if (typeof updateId === 'string') acknowledged.add(updateId);
      }
    };
    const reverter = async (): Promise<void> => {
      while (!isOver) {
        const { offset = 0 } = await post('revert', { offset: state.offset + Math.floor(Math.random() * 20) });
        if (Number(offset) > 0) reverts += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const clients = [tapper(), tapper(), reverter()].map((client) => client.catch(() => undefined));
    const before = reverts;
    await expect.poll(() => reverts - before, { timeout: 20_000 }).toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, 13 * kill));
    await end('SIGKILL');
    isOver = true;
    await Promise.all(clients);
  }
  const { url, end } = await serve('--data', data, '--dev', '--clock', 'manual', '--log-level', 'silent');
  expect((await fetch(`${url}/dev/state`)).status).toBe(200);
  await end('SIGTERM');
  const kept = new Set([...idsIn(data, 'log-'), ...idsIn(data, 'reverted-')]);
  expect(acknowledged.size).toBeGreaterThan(20);
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
}, 60_000);
