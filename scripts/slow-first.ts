import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than ten seconds of CPU time on two cores, with their browsers and databases, the slowest first. */
const SLOW = [
  'test/properties/networks',
  'test/house/reference',
  'test/web/accessibility',
  'test/clients/wallet-sdk',
  'test/web/states',
  'test/house/snippets',
  'test/properties/laws',
  'test/http/fuzz',
  'test/cli/guides',
  'test/testing/ledgers',
  'test/core/contracts/state-wallets',
  'test/http/conform',
  'test/http/rounds',
  'test/reliability/rounds',
  'test/http/isolation',
  'test/web/report-accessibility',
  'test/web/requests',
  'test/web/hostile',
  'test/web/server',
  'test/web/wallet-story',
  'test/web/stories',
  'test/http/browser',
  'test/properties/transactions',
  'test/store/disk-faults',
  'test/cli/queue',
  'test/cli/program',
  'test/http/ledger-choices',
  'test/http/ledger-choices-agree',
].map((name) => `/${name}.test.ts`);

/**
 * Starts the slow files first, so that none runs alone at the end while the other core is idle. Vitest does so only after it has
 * measured a run; in a fresh clone it starts the largest files first.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((name) => moduleId.endsWith(name));
  return rank === -1 ? SLOW.length : rank;
}
