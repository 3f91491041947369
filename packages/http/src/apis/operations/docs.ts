import type { Register } from '../../request.js';
import { DOCS_HTML, DOCS_POLICY, DOCS_SCRIPT, DOCS_STYLE } from './docs-page.js';
import { Problem } from '../../problem.js';
import { readBuilt, type Bytes } from './built-files.js';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const ASSETS: Readonly<Record<string, readonly [type: string, read: () => Promise<Bytes>]>> = {
  'start.js': [SCRIPT, once(async () => Buffer.from(DOCS_SCRIPT))],
  'page.css': [STYLE, once(async () => Buffer.from(DOCS_STYLE))],
  'swagger-ui-bundle.js': [SCRIPT, once(() => readBuilt('docs/swagger-ui-bundle.js'))],
  'swagger-ui.css': [STYLE, once(() => readBuilt('docs/swagger-ui.css'))],
};

export const registerDocs: Register<unknown> = (api) => {
  const headers = { 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': DOCS_POLICY };
  const page: Bytes = Buffer.from(DOCS_HTML);
  api.get('/docs', (c) => c.body(page, 200, { 'Content-Type': HTML, ...headers }));
  api.get('/docs/:asset', async (c) => {
    const name = c.req.param('asset');
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (!asset) throw new Problem(404, `no file ${name} in the API page`);
    const [type, read] = asset;
    return c.body(await read(), 200, { 'Content-Type': type, 'Cache-Control': 'max-age=3600', ...headers });
  });
};

function once(read: () => Promise<Bytes>): () => Promise<Bytes> {
  let bytes: Promise<Bytes> | null = null;
  return () => (bytes ??= read());
}
