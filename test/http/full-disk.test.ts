import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, run } from 'coinlab';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import { afterAll, describe, expect, it } from 'vitest';

const mounted: string[] = [];

/** A disk of 1 MiB, or null without permission to mount one (it takes root and Linux). */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    mounted.push(folder);
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

afterAll(() => {
  for (const folder of mounted) {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  }
});

const disk = smallDisk();

describe.skipIf(disk === null)('a server on a full or read-only disk (as root, on Linux)', () => {
  it('answers 503 to writes while the disk is full, answers reads, and loses no acknowledged update', async () => {
    const folder = join(disk ?? '', 'log');
    const server = await serverOn(folder);
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const tap = async (): Promise<{ status: number; body: { contract_id: string; error: string } }> => {
      const answer = await server.app.request('/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"1"}' });
      return { status: answer.status, body: (await answer.json()) as { contract_id: string; error: string } };
    };
    const coins = async (): Promise<readonly string[]> => {
      const answer = await server.app.request('/v0/wallet/amulets', { headers });
      const { amulets } = (await answer.json()) as { amulets: { contract: { contract: { contract_id: string } } }[] };
      return amulets.map(({ contract }) => contract.contract.contract_id);
    };
    const first = await tap();
    expect(first.status).toBe(200);
    const filler = join(disk ?? '', 'filler');
    fill(filler);
    const before = await coins();
    // Use up the free space in the log's last page first.
    let refused = await tap();
    const acknowledged = [first.body.contract_id];
    for (let i = 0; refused.status === 200 && i < 20; i++) {
      acknowledged.push(refused.body.contract_id);
      refused = await tap();
    }
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatch(/ENOSPC/);
    expect(await coins()).toEqual([...before, ...acknowledged.slice(1)]);

    rmSync(filler);
    const later = await tap();
    expect(later.status).toBe(200);
    const kept = await coins();
    expect(kept).toEqual(expect.arrayContaining([...acknowledged, later.body.contract_id]));
    await server.close();
    const created: number[] = [];
    const again = await openFileStore({ folder, onUpdate: ({ offset }) => created.push(offset) });
    expect(again.ok && again.value.head().offset).toBe(server.host.state.offset);
    if (again.ok) await again.value.close();
  });

  it('reports a read-only folder at the start', async () => {
    // Busy while a thread of the earlier server still has a file open.
    await expect.poll(() => spawnSync('mount', ['-o', 'remount,ro', disk ?? '']).status).toBe(0);
    let err = '';
    const terminal = { out: () => undefined, err: (text: string) => void (err += text), isInteractive: false };
    for (const folder of ['log', 'new'])
      expect(await run(['serve', '--port', '0', '--data', join(disk ?? '', folder)], terminal)).toBe(EXIT.badInput);
    // Log lines may be between the two refusals.
    expect(
      err.split('\n').filter((line) => line.includes('EROFS')),
      err,
    ).toHaveLength(2);
  });
});

async function serverOn(folder: string): Promise<CoinlabServer> {
  const opened = await openFileStore({ folder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return createServer({ dev: true, clock: 'manual' }, { log: opened.value });
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      try {
        while (writeSync(file, Buffer.alloc(size)) === size);
      } catch {
        // No space for this size; a smaller chunk may still fit.
      }
    }
  } finally {
    closeSync(file);
  }
}
