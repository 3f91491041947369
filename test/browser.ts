import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { skipsWithout } from './required.ts';

/** Without windows of its own, the headless shell takes less than half of the time of the full browser. */
const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = PLACES.find((path) => path !== undefined && path !== '' && existsSync(path));

/** Without a browser its tests are skipped, unless COINLAB_REQUIRE=browser. */
export const hasNoBrowser = skipsWithout(
  'browser',
  executablePath !== undefined,
  'install Chromium, or set CHROMIUM_PATH',
);

export function startBrowser(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', ...args] });
}
