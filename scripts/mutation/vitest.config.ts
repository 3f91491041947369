import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

/*
 * The core's tests without those that try many random commands: a mutant is tried by every test that reaches it, and those
 * reach them all. What only they would find is a gap among the sentences of the domain.
 */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: ['test/core/**/*.test.ts'], reporters: ['default'] } },
  defineConfig({
    test: {
      exclude: [
        'test/core/testing/**',
        'test/core/ledger.test.ts',
        'test/core/automation/run.test.ts',
        'test/core/log/printing.test.ts',
        'test/core/contracts/state.test.ts',
      ],
      isolate: false,
      testTimeout: 60_000,
    },
  }),
);
