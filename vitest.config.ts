import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// `source` makes a package of ours resolve to its src/*.ts, so tests need no build.
const conditions = ['source', ...defaultServerConditions];

const PURE = ['test/{core,testing,sim,lab}/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // Tests of pure code cannot disturb each other: they share one load of the modules, which halves their time.
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      { extends: true, test: { name: 'shells', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    // Both cores of a small machine: by default one of them is left alone.
    maxWorkers: '100%',
    testTimeout: 60_000,
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
});
