#!/usr/bin/env node
import module from 'node:module';

// Node 22 keeps compiled code, which makes the next start faster; the types are those of Node 20.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { run } = await import('./dispatch.js');

// A reader that has seen enough (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
});
