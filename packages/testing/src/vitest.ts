/**
 * Registers the matchers and the snapshot serializer in vitest: `import '@coinlab/testing/vitest'`, once in each test file or in a file of
 * `setupFiles`. The types of the matchers come with it.
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
 * Counts the commands of every ledger that this test file creates, and prints the coverage after its last test. Call it once, before the
 * first `createTestLedger` of the file.
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
