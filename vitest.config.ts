import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/slow-first.ts';

// `source` makes a package of ours resolve to its src/*.ts, so tests need no build.
const conditions = ['source', ...defaultServerConditions];

/** Ends a test that hangs. No test comes near it, so a busy machine fails none. */
const HANGS = 10 * 60_000;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts', 'packages/*/examples/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // The server serves the built page.
    globalSetup: ['scripts/build-web.mjs'],
    reporters: ['default', './scripts/closing-line.ts'],
    // All files of a worker share one load of the modules: loading them for each file took half of the time.
    isolate: false,
    // Tests make many short-lived objects: a larger young generation saves a tenth of the CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // A worker that stops may still be collecting garbage while the other core is busy too.
    teardownTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    restoreMocks: true,
    unstubGlobals: true,
    // Both cores of a small machine: the default leaves one idle.
    maxWorkers: '100%',
    testTimeout: HANGS,
    expect: { poll: { timeout: HANGS } },
    hookTimeout: HANGS,
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
});
