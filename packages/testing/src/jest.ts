/**
 * Registers the matchers, their types and the snapshot serializer in Jest. Write `import
 * '@coinlab/testing/jest'` once in each test file, or in a file of `setupFilesAfterEnv`. It uses Jest's
 * global `expect`.
 * @module
 */
import type {} from 'expect';
import { LedgerCoverage, ledgerMatchers, ledgerSerializer, setFileCoverage, type LedgerExpectations } from './index.js';

declare module 'expect' {
  interface Matchers<R> extends LedgerExpectations<R> {}
}

declare global {
  // The types of Jest that `@types/jest` declares.
  namespace jest {
    interface Matchers<R> extends LedgerExpectations<R> {}
  }
}

interface JestGlobals {
  readonly expect?: { extend(matchers: object): void; addSnapshotSerializer(serializer: object): void };
  readonly afterAll?: (run: () => void) => void;
}

// Cast: declared globals would conflict with those of `@types/jest`.
const { expect, afterAll } = globalThis as JestGlobals;
if (!expect)
  throw new Error("@coinlab/testing/jest needs Jest's global expect: import it in a test or setup file of Jest");
expect.extend(ledgerMatchers);
expect.addSnapshotSerializer(ledgerSerializer);

/**
 * Counts the commands of every ledger that this test file creates, and prints the coverage after the file's
 * last test. Call it once, before the file's first `createTestLedger`.
 */
export function collectCoverage(): LedgerCoverage {
  const coverage = new LedgerCoverage();
  setFileCoverage(coverage);
  afterAll?.(() => {
    setFileCoverage(null);
    console.log(String(coverage));
  });
  return coverage;
}
