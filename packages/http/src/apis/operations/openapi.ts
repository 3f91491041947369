import type { Configured } from '../../config.js';
import type { Api, Register } from '../../request.js';

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

export const registerOpenapi: Register<Configured<'dev' | 'release'>> = (api, server) => {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a user. The server prints tokens when it starts.',
  });
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  // Built once, on the first request: it takes tens of milliseconds.
  api.get('/openapi.json', (c) => {
    bytes ??= Buffer.from(JSON.stringify(documentOf(api, server)));
    return c.body(bytes, 200, { 'Content-Type': 'application/json' });
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
      version: release,
      description: 'The APIs of a coin network over a simulated ledger.',
    },
    tags: TAGS.filter(({ name }) => name !== 'dev' || dev),
  });
}
