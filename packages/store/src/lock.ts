import { createServer, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unlink } from 'node:fs/promises';
import type { Result } from '@coinlab/core';

/** A lock that is held until it is released or the process ends, however it ends. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder. On Linux an abstract socket, which the kernel releases with the process; elsewhere a socket file,
 * which counts only while somebody answers on it. The owner answers with its pid.
 */
export async function takeLock(identity: string): Promise<Result<Lock, { readonly pid: number | null }>> {
  const isLinux = process.platform === 'linux';
  const path = isLinux ? `\0coinlab-${identity}` : join(tmpdir(), `coinlab-${identity}.sock`);
  const first = await listen(path);
  if (first) return { ok: true, value: lockOf(first) };
  const pid = await ownerOf(path);
  if (pid !== null || isLinux) return { ok: false, error: { pid } };
  // A socket file that nobody answers on is left over from a process that was killed.
  await unlink(path).catch(() => undefined);
  const second = await listen(path);
  return second ? { ok: true, value: lockOf(second) } : { ok: false, error: { pid: await ownerOf(path) } };
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
    server.once('error', () => resolve(null));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

function ownerOf(path: string): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path)
      .setTimeout(1_000, () => socket.destroy())
      .on('data', (data) => (text += data.toString()))
      .on('error', () => resolve(null))
      .on('close', () => resolve(/^\d+$/.test(text) ? Number(text) : null));
  });
}

function lockOf(server: Server): Lock {
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}
