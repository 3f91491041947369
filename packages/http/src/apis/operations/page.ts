import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { Problem } from '../../problem.js';
import type { Register } from '../../request.js';
import { readBuilt, type Bytes } from './built-files.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
} as const;
type FileName = keyof typeof TYPES;

interface PageFile {
  readonly type: string;
  readonly tag: string;
  readonly plain: Bytes;
  readonly compressed: Bytes;
}

const files: Map<FileName, Promise<PageFile>> = new Map();

export const registerPage: Register<unknown> = (api) => {
  api.get('/', async (c) => {
    if (!/\btext\/html\b/.test(c.req.header('accept') ?? ''))
      throw new Problem(404, `no such route: GET ${c.req.path}`);
    return answered(c, 'index.html');
  });
  api.get('/web/:file', async (c) => {
    const name = c.req.param('file');
    if (name !== 'page.js' && name !== 'page.css') throw new Problem(404, `no file ${name} in the page`);
    return answered(c, name);
  });
};

async function answered(c: Context, name: FileName): Promise<Response> {
  const { type, tag, plain, compressed } = await fileOf(name);
  const headers = {
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
    ETag: tag,
    Vary: 'Accept-Encoding',
  };
  if (c.req.header('if-none-match') === tag) return c.body(null, 304, headers);
  const isCompressed = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  return c.body(isCompressed ? compressed : plain, 200, {
    ...headers,
    'Content-Type': type,
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
}

function fileOf(name: FileName): Promise<PageFile> {
  const known = files.get(name);
  if (known) return known;
  const read = readPageFile(name);
  files.set(name, read);
  // A page that is built later is found then.
  read.catch(() => files.delete(name));
  return read;
}

async function readPageFile(name: FileName): Promise<PageFile> {
  const plain = await readBuilt(name);
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[name], tag, plain, compressed: gzipSync(plain, { level: 9 }) };
}
