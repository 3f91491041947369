import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than five seconds of CPU time, the slowest first. */
const SLOW = [
  'test/house/reference',
  'test/properties/laws',
  'test/lab/sweep',
  'test/house/snippets',
  'test/core/contracts/state-wallets',
  'test/http/isolation',
  'test/house/switches',
  'test/cli/program',
  'test/store/disk-faults',
  'test/core/laws-forged',
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
