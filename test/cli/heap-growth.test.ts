import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { program, root, untilReady } from './coinlab.ts';

// V8 prints the factor that it would choose, then the limit until the next full collection with the factor that it takes. A heap that
// hardly grows would get a factor of 1.1.
const COLLECTING = 'data:text/javascript,setInterval(gc, 100).unref()';
const CHOSEN = /\[HeapController\] factor 1\.\d based on/;
const LIMIT = /\[HeapController\] Limit: .* \((\d+\.\d)\)/g;

it('the heap of a server may grow to four times its live objects before a full collection', async (context) => {
  const flags = ['--expose-gc', '--trace-gc-verbose', `--import=${COLLECTING}`];
  const child = spawn(process.execPath, [...flags, program(), 'serve', '--dev', '--port', '0'], { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  child.stdout.on('data', (data: Buffer) => (told += data.toString()));
  await untilReady(child);
  told = '';
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  // Node 20, which CI runs, prints it.
  if (!process.version.startsWith('v20.') && !told.includes('[HeapController]'))
    return context.skip('this version of Node does not print how its heap grows');
  await expect.poll(() => CHOSEN.test(told) && [...told.matchAll(LIMIT)].at(-1)?.[1], { timeout: 10_000 }).toBe('4.0');
});
