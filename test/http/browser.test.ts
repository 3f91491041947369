import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, listen, type CoinlabServer, type ListeningServer } from '@coinlab/http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, startBrowser } from '../browser.ts';

/* A real browser: requests from pages of other origins, and the server's own pages. */

describe.skipIf(hasNoBrowser)('a browser', () => {
  let browser: Browser;
  let server: CoinlabServer;
  let listening: ListeningServer;
  let other: Server;
  let otherUrl: string;

  beforeAll(async () => {
    // DNS rebinding: other names resolve to this machine.
    browser = await startBrowser('--host-resolver-rules=MAP *.example 127.0.0.1');
    other = createHttpServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><p>x'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    otherUrl = `http://evil.example:${port}/`;
    server = await createServer({
      dev: true,
      clock: 'manual',
      port: 0,
      corsOrigins: [`http://wallet.example:${port}`],
    });
    listening = await listen(server);
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

  it('gets no answer from /dev under a host name that was rebound to this machine', async () => {
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

  const balanceAs = (token: string): string => `
    const answer = await fetch('${listening.url}/v0/wallet/balance', { headers: { authorization: 'Bearer ${token}' } });
    return [answer.status, (await answer.json()).effective_unlocked_qty, answer.headers.has('x-request-id')];`;
  const tap = (token: string): string => `
    const headers = { authorization: 'Bearer ${token}', 'content-type': 'application/json' };
    const answer = await fetch('${listening.url}/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"0.005"}' });
    return answer.status;`;

  it('lets a page of localhost on another port read a balance and tap', async () => {
    const token = await server.token('alice');
    const page = otherUrl.replace('evil.example', 'localhost');
    expect(await onPage(page, (own) => run(own, balanceAs(token)))).toEqual([200, '10000.0000000000', true]);
    expect(await onPage(page, (own) => run(own, tap(token)))).toBe(200);
  });

  it('lets pages of origins in corsOrigins read a balance, and no pages of other origins', async () => {
    const token = await server.token('bob');
    const failure = (page: Page): Promise<unknown> =>
      run(page, `try { ${balanceAs(token)} } catch (error) { return error.name; }`);
    expect(await onPage(otherUrl.replace('evil', 'wallet'), failure)).toEqual([200, '10000.0000000000', true]);
    expect(await onPage(otherUrl, failure)).toBe('TypeError');
    expect(await onPage(otherUrl, (page) => run(page, `try { ${tap(token)} } catch { return 'refused'; }`))).toBe(
      'refused',
    );
    expect(await onPage(otherUrl.replace('evil', 'wallet'), failure)).toEqual([200, '10000.0000000000', true]);
  });

  it.each(['localhost', 'wallet.example'])('does not let a page of %s call /dev on another port', async (name) => {
    const before = server.host.now();
    const calls = `
      const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"seconds":60}' };
      const call = (path, init) => fetch('${listening.url}' + path, init).then(({ status }) => status, ({ name }) => name);
      return [await call('/dev/state'), await call('/dev/advance', posted)];`;
    const page = otherUrl.replace('evil.example', name);
    expect(await onPage(page, (other) => run(other, calls))).toEqual(['TypeError', 'TypeError']);
    expect(server.host.now()).toBe(before);
  });

  it('shows the API page without an error of its content security policy', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => void errors.push(message.text()));
    await page.goto(`${listening.url}/docs`);
    await page.waitForSelector('.opblock-tag');
    expect(errors).toEqual([]);
    await page.close();
  });
});
