import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Only these rules depend on the colour scheme; the others are checked in the light looks. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export const addAxe = (page: Page): Promise<unknown> => page.evaluate(AXE);

/** The findings of axe-core on a page that has it; on a dark page those about colours. */
export async function violationsOn(page: Page, isDark: boolean): Promise<AxeResults['violations']> {
  const options = { resultTypes: ['violations'], ...(isDark && { runOnly: OF_COLOURS }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations;
}
