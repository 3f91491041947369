import type { Configured } from '../../config.js';
import type { Api, Register } from '../../request.js';

/** What each group of routes is for, in the order of the page. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'common', description: 'How the server does' },
  { name: 'dev', description: 'For tests: time, snapshots, faults, acting as anybody' },
  { name: 'scan', description: 'What everybody may know of the network' },
  { name: 'scan proxy', description: 'The same, asked at the validator' },
  { name: 'registry', description: 'The token standard: metadata, transfers, their contexts' },
  { name: 'admin', description: 'The operator: users and parties of the validator' },
  { name: 'external party', description: 'Parties that sign for themselves' },
  { name: 'wallet', description: 'What a user has, pays and receives' },
  { name: 'ledger', description: 'Parties by name' },
];

/** The document of all routes that this server has. It answers everybody. */
export const registerOpenapi: Register<Configured<'dev' | 'release'>> = (api, server) => {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a user, as the server printed it when it started.',
  });
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  // Made once, when all routes are known: it takes tens of milliseconds.
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
