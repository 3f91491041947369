/**
 * Registers the matchers, their types and the snapshot serializer in vitest. Write `import
 * '@coinlab/testing/vitest'` once in each test file, or in a file of `setupFiles`.
 * @module
 */
import { afterAll, expect } from 'vitest';
import { LedgerCoverage, ledgerMatchers, ledgerSerializer, setFileCoverage, type LedgerExpectations } from './index.js';

declare module 'vitest' {
  interface Matchers<T> extends LedgerExpectations<void> {}
}

expect.extend(ledgerMatchers);
expect.addSnapshotSerializer(ledgerSerializer);

/**
 * Counts the commands of every ledger that this test file creates, and prints the coverage after the file's
 * last test. Call it once, before the file's first `createTestLedger`.
 */
export function collectCoverage(): LedgerCoverage {
  const coverage = new LedgerCoverage();
  setFileCoverage(coverage);
  afterAll(() => {
    setFileCoverage(null);
    console.log(String(coverage));
  });
  return coverage;
}
