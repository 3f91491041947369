import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instant, openEngine, PartyId, updateOf, type Update } from '@coinlab/core';
import { openFileStore } from '@coinlab/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { program, root, untilReady } from './coinlab.ts';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Reading these takes a quarter of a second or more. */
const PARTIES = 15_000;

async function writeLongLog(): Promise<void> {
  const updates: Update[] = [];
  const at = Instant.of('2026-01-01T00:00:00Z');
  const engine = openEngine({ at, isDevNet: true, onEntry: (entry) => void updates.push(updateOf(entry)) });
  for (let i = 0; i < PARTIES; i++) {
    const party = PartyId.of(`party-${i}`);
    engine.submit({ type: 'AllocateParty', party }, { now: at, actAs: [party] });
  }
  const opened = await openFileStore({ folder });
  if (!opened.ok) throw new Error(opened.error.code);
  const appended = await opened.value.append(0, updates);
  expect(appended.ok).toBe(true);
  await opened.value.close();
}

it('coinlab serve answers requests with the status not_initialized while it reads a long log', async () => {
  await writeLongLog();
  const args = ['serve', '--port', '0', '--data', folder, '--clock', 'manual'];
  const child = spawn(process.execPath, [program(), ...args], { cwd: root });
  const ready = untilReady(child);
  const url = await new Promise<string>((resolve) => {
    let told = '';
    child.stderr.on('data', (data: Buffer) => {
      told += data.toString();
      const [line] = told.split('\n', 1);
      if (told.includes('\n') && line) resolve((JSON.parse(line) as { url: string }).url);
    });
  });
  const statuses = new Set<string>();
  let refused = 0;
  while (!statuses.has('success')) {
    const status = (await (await fetch(`${url}/status`)).json()) as object;
    for (const name of Object.keys(status)) statuses.add(name);
    if ((await fetch(`${url}/readyz`)).status === 503) refused += 1;
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  }
  expect([...statuses]).toEqual(['not_initialized', 'success']);
  expect(refused).toBeGreaterThan(0);
  const serving = await ready;
  expect(serving.url).toBe(url);
  expect(await serving.end('SIGTERM')).toBe(0);
});
