import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: CoinlabServer;

beforeAll(async () => void (server = await createServer({ clock: 'manual' })));
afterAll(() => server.close());

describe.each(['', '/api/scan'])('the API page at %s/docs', (prefix) => {
  const get = (path: string): Promise<Response> => Promise.resolve(server.app.request(path));
  /** Resolves a reference of the page as a browser does. */
  const resolved = (reference: string): URL => new URL(reference, `http://server${prefix}/docs`);

  it('references only files of this server, with the right content types', async () => {
    const page = await get(`${prefix}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    const references = [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, reference = '']) => reference);
    const assets = references.filter((reference) => !reference.startsWith('data:'));
    expect(assets.length).toBeGreaterThan(4);
    for (const asset of assets) {
      const { host, pathname } = resolved(asset);
      expect(host).toBe('server');
      const answer = await get(pathname);
      expect([pathname, answer.status]).toEqual([pathname, 200]);
      const type = /\.(\w+)$/.exec(pathname)?.[1];
      expect(answer.headers.get('content-type')).toContain(
        { js: 'text/javascript', css: 'text/css', json: 'application/json' }[type ?? ''] ?? 'text/html',
      );
      expect((await answer.text()).length).toBeGreaterThan(10);
    }
  });

  it('allows no other origins and no inline scripts', async () => {
    const page = await get(`${prefix}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  });

  it('has style sheets with data URLs only', async () => {
    for (const name of ['swagger-ui.css', 'page.css']) {
      const text = await (await get(`${prefix}/docs/${name}`)).text();
      for (const [, url] of text.matchAll(/url\((?:"|')?([^)"']{0,20})/g)) expect(url).toMatch(/^(data:|#)/);
      expect(text).not.toContain('@import');
    }
  });

  it('loads the OpenAPI document', async () => {
    const script = await (await get(`${prefix}/docs/start.js`)).text();
    const [, document = ''] = /'(openapi\.json)'/.exec(script) ?? [];
    expect((await get(resolved(document).pathname)).status).toBe(200);
  });

  it.each(['nothing.js', '__proto__', 'package.json', '..%2Fpackage.json', 'swagger-ui.js.map'])(
    'returns 404 for the file %s',
    async (name) => {
      const answer = await get(`${prefix}/docs/${name}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: expect.any(String) as string });
    },
  );
});
