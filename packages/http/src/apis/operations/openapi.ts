import type { Context } from 'hono';
import type { Configured } from '../../config.js';
import { Problem } from '../../problem.js';
import { API_DOCUMENTS, documentOfApi } from './api-documents.js';
import type { Api, Register } from '../../request.js';

const VERSION = '0.1.0';

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'common', description: 'Health, metrics and the log of the server' },
  { name: 'dev', description: 'For tests: time, snapshots, faults, commands as any party' },
  { name: 'scan', description: 'Public data of the network' },
  { name: 'scan proxy', description: 'Public data of the network, through the validator' },
  { name: 'registry', description: 'The token standard: metadata, transfer factories and choice contexts' },
  { name: 'admin', description: "The operator's routes: users and parties of the validator" },
  { name: 'external party', description: 'Parties that sign their own transactions' },
  { name: 'wallet', description: 'Balance, payments and offers of a user' },
  { name: 'ledger', description: 'JSON Ledger API' },
];

const FILES = API_DOCUMENTS.map(({ name }) => `${name}.json`);

export const registerOpenapi: Register<Configured<'dev' | 'release'>> = (api, server) => {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a user. The server prints tokens when it starts.',
  });
  // Each is built once, on the first request: the combined document takes tens of milliseconds.
  const printed = new Map<string, Uint8Array<ArrayBuffer>>();
  const answer = (c: Context, name: string, make: () => object): Response => {
    const bytes = printed.get(name) ?? Buffer.from(JSON.stringify(make()));
    printed.set(name, bytes);
    return c.body(bytes, 200, { 'Content-Type': 'application/json' });
  };
  api.get('/openapi.json', (c) => answer(c, '', () => documentOf(api, server)));
  api.get('/openapi/:file', (c) => {
    const file = c.req.param('file');
    const document = API_DOCUMENTS.find(({ name }) => `${name}.json` === file);
    if (!document) throw new Problem(404, `no document ${file}; expected one of ${FILES.join(', ')}`);
    return answer(c, document.name, () => documentOfApi(documentOf(api, server), document, server.config.release));
  });
};

function documentOf(
  api: Api,
  { config: { dev, release } }: Configured<'dev' | 'release'>,
): ReturnType<Api['getOpenAPI31Document']> {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'coinlab',
      version: VERSION,
      description: `The APIs of a coin network over a simulated ledger. They are those of the network's release ${release}.`,
    },
    tags: TAGS.filter(({ name }) => name !== 'dev' || dev),
  });
}
