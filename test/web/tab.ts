import { createServer, listen, type CoinlabServer, type ListeningServer, type ServerOptions } from '@coinlab/http';
import type { Browser, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { startBrowser } from '../browser.ts';
import { FREE_TRAFFIC, GENESIS_FIGURES } from '../http/steady-settings.ts';

const SETTINGS = { dev: true, clock: 'manual', ...GENESIS_FIGURES, ...FREE_TRAFFIC } as const;

/** A development server with a browser that opens its page. */
export class Site {
  server: CoinlabServer;
  listening: ListeningServer;
  readonly #browser: Browser;
  readonly #opened: Tab[] = [];

  private constructor(server: CoinlabServer, listening: ListeningServer, browser: Browser) {
    this.server = server;
    this.listening = listening;
    this.#browser = browser;
  }

  static async open(options: ServerOptions = {}): Promise<Site> {
    const server = await createServer({ ...SETTINGS, port: 0, ...options });
    return new Site(server, await listen(server), await startBrowser());
  }

  async restart(options: ServerOptions = {}): Promise<void> {
    const port = Number(new URL(this.listening.url).port);
    await this.listening.close();
    this.server = await createServer({ ...SETTINGS, port, ...options });
    this.listening = await listen(this.server);
  }

  async tab(hash: string, look: Parameters<Browser['newContext']>[0] = {}): Promise<Tab> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...look });
    const tab = new Tab(await context.newPage(), this.listening.url);
    this.#opened.push(tab);
    await tab.open(hash);
    return tab;
  }

  async closeTabs(): Promise<void> {
    for (const { page } of this.#opened.splice(0)) await page.context().close();
  }

  async close(): Promise<void> {
    await this.closeTabs();
    await this.#browser.close();
    await this.listening.close();
  }
}

/** A busy machine is slower than a person waits. */
const SLOWEST_MILLIS = 30_000;

/**
 * A script for the page, as text because the tests are compiled without the types of a browser. A page that draws no
 * frames must not wait for ever.
 */
const TWO_FRAMES = `new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  setTimeout(done, 2000);
})`;

/** A window, with the faults that its scripts reported and the requests that it sent. */
export class Tab {
  readonly page: Page;
  readonly #url: string;
  #inFlight = 0;
  readonly faults: string[] = [];
  readonly requests: string[] = [];
  readonly hosts: string[] = [];

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    page.setDefaultTimeout(SLOWEST_MILLIS);
    page.on('pageerror', (error) => void this.faults.push(String(error)));
    page.on('console', (message) => {
      // The browser reports every 404; the page asks for a preapproval that may not exist.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.faults.push(message.text());
    });
    page.on('request', (request) => {
      const { pathname, host } = new URL(request.url());
      this.requests.push(`${request.method()} ${pathname}`);
      this.hosts.push(host);
      if (request.resourceType() !== 'eventsource') this.#inFlight += 1;
    });
    const ended = (request: Request): void => {
      if (request.resourceType() !== 'eventsource') this.#inFlight -= 1;
    };
    page.on('requestfinished', ended);
    page.on('requestfailed', ended);
  }

  /** Opens a view, such as `#/wallet?user=alice`, and waits until it is complete. */
  async open(hash: string): Promise<void> {
    await this.page.goto(`${this.#url}/${hash}`);
    await this.settled();
  }

  /** Waits until the page is connected and has every answer that it asked for. */
  async settled(): Promise<void> {
    await this.page.locator('html[data-link=open]').waitFor();
    await expect
      .poll(async () => (await this.#pending()) + (await this.#pendingNext()), { timeout: SLOWEST_MILLIS })
      .toBe(0);
  }

  async #pending(): Promise<number> {
    return this.#inFlight + (await this.page.locator('.loading').count());
  }

  /** Returns what is pending after the next two frames: an answer that was just drawn may cause further requests. */
  async #pendingNext(): Promise<number> {
    await this.page.evaluate(TWO_FRAMES);
    return this.#pending();
  }
}
