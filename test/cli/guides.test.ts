import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './coinlab.ts';
import { playPage } from './guide-page.ts';

const PAGES = ['docs/guides/your-own-payments.md', 'docs/guides/twenty-tasks.md'];

describe('a guide', () => {
  it.each(PAGES)('%s shows what its commands print', async (page) => {
    const { text, played } = await playPage(page);
    expect(played.length).toBeGreaterThan(0);
    // npx vitest run test/cli/guides.test.ts -u writes the present output into the page.
    await expect(text).toMatchFileSnapshot(join(root, page));
  });
});
