import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// `source` makes a package of ours resolve to its src/*.ts, so tests need no build.
const conditions = ['source', ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    // Both cores of a small machine: by default one of them is left alone.
    maxWorkers: '100%',
    testTimeout: 60_000,
    coverage: { include: ['packages/*/src/**/*.ts'] },
  },
});
