import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { program, root, untilReady } from './coinlab.ts';

// V8 prints the limit until the next full collection. It adds the young generation to it, which matters little for a heap of 200 MB. By itself
// it would let a heap that hardly grows grow to less than twice its size.
const LARGE = 'globalThis.kept = Array.from({ length: 40 }, () => Array.from({ length: 2 ** 19 }, (_, i) => i))';
const COLLECTING = `data:text/javascript,${encodeURIComponent(LARGE)};setInterval(gc, 100).unref()`;
const LIMIT = /\[HeapController\] Limit: old size: (\d+) KB, new limit: (\d+) KB/g;

it('the heap of a server may grow to twice its live objects before a full collection', async () => {
  const flags = ['--expose-gc', '--trace-gc-verbose', `--import=${COLLECTING}`];
  const child = spawn(process.execPath, [...flags, program(), 'serve', '--dev', '--port', '0'], { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  child.stdout.on('data', (data: Buffer) => (told += data.toString()));
  await untilReady(child);
  told = '';
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const growth = (): number => {
    const [, size = '', limit = ''] = [...told.matchAll(LIMIT)].at(-1) ?? [];
    return Number(limit) / Number(size);
  };
  await expect.poll(growth, { timeout: 10_000 }).toBeGreaterThan(1.95);
  expect(growth()).toBeLessThan(2.5);
});
