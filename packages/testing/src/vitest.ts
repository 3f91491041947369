/**
 * Registers the matchers and the snapshot serializer in vitest: `import '@coinlab/testing/vitest'`, once in each test file or in a file of
 * `setupFiles`. The types of the matchers come with it.
 * @module
 */
import { expect } from 'vitest';
import { ledgerMatchers, ledgerSerializer, type LedgerExpectations } from './index.js';

declare module 'vitest' {
  interface Matchers<T> extends LedgerExpectations<void> {}
}

expect.extend(ledgerMatchers);
expect.addSnapshotSerializer(ledgerSerializer);
