import { existsSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, listen, type CoinlabServer, type ListeningServer } from '@coinlab/http';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipsWithout } from '../required.ts';

/*
 * A real browser: requests to /dev from pages of other sites, and the server's own page. Uses the browser at CHROMIUM_PATH or the
 * system's. Without one the tests are skipped, unless COINLAB_REQUIRE=browser.
 */

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = PLACES.find((path) => path !== undefined && path !== '' && existsSync(path));
const isSkipped = skipsWithout('browser', executablePath !== undefined, 'install Chromium, or set CHROMIUM_PATH');

describe.skipIf(isSkipped)('a browser', () => {
  let browser: Browser;
  let server: CoinlabServer;
  let listening: ListeningServer;
  let other: Server;
  let otherUrl: string;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      // DNS rebinding: other names resolve to this machine.
      args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'],
    });
    server = await createServer({ dev: true, clock: 'manual', port: 0 });
    listening = await listen(server);
    other = createHttpServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><p>x'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    otherUrl = `http://evil.example:${(other.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await browser?.close();
    await listening?.close();
    other?.closeAllConnections();
    other?.close();
  });

  async function onPage<Value>(url: string, act: (page: Page) => Promise<Value>): Promise<Value> {
    const page = await browser.newPage();
    try {
      await page.goto(url);
      return await act(page);
    } finally {
      await page.close();
    }
  }

  /** Runs a script on a page. Scripts are strings, because Node's types lack the DOM. */
  const run = (page: Page, script: string): Promise<unknown> => page.evaluate(`(async () => { ${script} })()`);
  const ownRequests = `
    const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"seconds":60}' };
    return [(await fetch('/dev/state')).status, (await fetch('/dev/advance', posted)).status];`;

  it.each([
    ['text', `{ method: 'POST', mode: 'no-cors', body: '{"seconds":60}' }`],
    ['a body without a type', `{ method: 'POST', mode: 'no-cors', body: new Blob(['{"seconds":60}']) }`],
    [
      'a form',
      `{ method: 'POST', mode: 'no-cors', body: '{"seconds":60}', headers: { 'content-type': 'application/x-www-form-urlencoded' } }`,
    ],
    ['JSON', `{ method: 'POST', body: '{"seconds":60}', headers: { 'content-type': 'application/json' } }`],
  ])('does not advance the clock when a page of another site posts %s', async (_, init) => {
    const before = server.host.now();
    await onPage(otherUrl, (page) =>
      run(page, `await fetch('${listening.url}/dev/advance', ${init}).catch(() => null);`),
    );
    expect(server.host.now()).toBe(before);
  });

  it('does not advance the clock when a page of another site submits a form', async () => {
    const before = server.host.now();
    const shown = await onPage(otherUrl, async (page) => {
      await page.setContent(
        `<form method="post" enctype="text/plain" action="${listening.url}/dev/advance"><input name='{"seconds":60,"x":"' value='"}'><button>`,
      );
      await Promise.all([page.waitForNavigation(), page.click('button')]);
      return page.textContent('body');
    });
    expect(shown).toContain('error');
    expect(server.host.now()).toBe(before);
  });

  it('refuses /dev under a name rebound to this machine', async () => {
    const before = server.host.now();
    const page = `http://evil.example:${listening.port}/docs`;
    expect(await onPage(page, (rebound) => run(rebound, ownRequests))).toEqual([403, 403]);
    expect(server.host.now()).toBe(before);
  });

  it("allows requests to /dev from the server's own page", async () => {
    const statuses = await onPage(`${listening.url}/docs`, async (page) => {
      await page.waitForSelector('.opblock-tag');
      return run(page, ownRequests);
    });
    expect(statuses).toEqual([200, 200]);
  });
});
