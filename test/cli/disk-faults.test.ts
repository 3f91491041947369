import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractId, type Update } from '@coinlab/core';
import { openFileStore } from '@coinlab/store';
import { describe, expect, it } from 'vitest';
import { program, root, tokenOf, untilReady } from './coinlab.ts';

const TRACE = ['-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=pwrite64,fdatasync'];
const canTrace = spawnSync('strace', [...TRACE, 'true']).status === 0;

describe.skipIf(!canTrace)('a failing disk under the program (with strace)', () => {
  it('makes the server answer 503 to a failed write, and to every write after a failed sync until the server restarts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-faulty-'));
    // A single thread makes all calls, so they can be counted: a few at start, then two writes and two syncs per request.
    const faults = ['-e', 'inject=pwrite64:error=EIO:when=24..25', '-e', 'inject=fdatasync:error=EIO:when=45+'];
    const flags = ['serve', '--port', '0', '--dev', '--clock', 'manual', '--log-level', 'silent', '--data', folder];
    const server = spawn('strace', [...TRACE, ...faults, process.execPath, program(), ...flags], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      cwd: root,
      detached: true,
    });
    try {
      const { url, printed } = await untilReady(server);
      const headers = { authorization: `Bearer ${tokenOf(printed, 'alice')}` };
      const statuses: number[] = [];
      const acknowledged: string[] = [];
      for (let i = 0; i < 25; i++) {
        const answer = await fetch(`${url}/v0/wallet/tap`, { method: 'POST', headers, body: '{"amount":"1"}' });
        const body = (await answer.json()) as { contract_id: string; error: string };
        statuses.push(answer.status);
        if (answer.status === 200) acknowledged.push(body.contract_id);
        else expect(body.error).toMatch(/EIO/);
      }
      expect(statuses.join(' ')).toMatch(/^(200 )+(503 )+(200 )+(503 )+503$/);
      expect((await fetch(`${url}/v0/wallet/balance`, { headers })).status).toBe(200);

      const ended = new Promise((resolve) => server.once('exit', resolve));
      process.kill(-(server.pid as number), 'SIGKILL');
      await ended;
      const made = await madeIn(folder);
      expect(made).toEqual(expect.arrayContaining(acknowledged));
    } finally {
      if (server.exitCode === null && server.signalCode === null) process.kill(-(server.pid as number), 'SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
});

/**
 * Returns the contracts created in a log. Retries, because its owner may be about to end: strace hears of it before the program.
 */
async function madeIn(folder: string): Promise<readonly string[]> {
  for (;;) {
    const made: string[] = [];
    const onUpdate = ({ created }: Update): void => void made.push(...created.map(({ id }) => ContractId.format(id)));
    const log = await openFileStore({ folder, onUpdate });
    if (log.ok) {
      await log.value.close();
      return made;
    }
    if (log.error.code !== 'LOCKED') throw new Error(JSON.stringify(log.error));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
