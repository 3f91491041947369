#!/usr/bin/env node
import module from 'node:module';

// Node 22 caches compiled code for a faster start; the type declarations are Node 20's.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { run } = await import('./dispatch.js');

// A closed pipe (`| head`) is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
  restart: async (flags) => (await import('./restart.js')).restartWith(flags),
});
