import { readFileSync } from 'node:fs';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The documents of single APIs, as the network publishes them: parts of the combined document.
 * Source: specification of the API, annex E.
 */

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const NAMES = [
  'registry',
  'scan',
  'scan-proxy',
  'wallet-external',
  'wallet-internal',
  'ans-external',
  'validator-internal',
  'ledger-api',
];

let server: CoinlabServer;
const documents = new Map<string, Document>();

async function read(path: string): Promise<Document> {
  const answer = await server.app.request(path);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/json']);
  return (await answer.json()) as Document;
}

beforeAll(async () => {
  server = await createServer({ clock: 'manual', release: '0.6.5' });
  for (const name of NAMES) documents.set(name, await read(`/openapi/${name}.json`));
});
afterAll(() => server.close());

const documentOf = (name: string): Document => {
  const document = documents.get(name);
  if (!document) throw new Error(`no document ${name}`);
  return document;
};
const routesOf = ({ paths }: Document): readonly string[] =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
const operationsOf = ({ paths }: Document): readonly Operation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

describe.each(NAMES)('the document %s', (name) => {
  it('has a distinct operation id per route, without the suffixes of the combined document', () => {
    const ids = operationsOf(documentOf(name)).map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => /Prox(y|ied)$/.test(id))).toEqual([]);
  });

  it('contains every schema that it refers to, and no others', () => {
    const document = documentOf(name);
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    const used = new Set(references.map(([, schema = '']) => schema));
    expect(Object.keys(document.components.schemas).sort()).toEqual([...used].sort());
  });

  it('lists the tags of its routes', () => {
    const document = documentOf(name);
    const used = new Set(operationsOf(document).flatMap(({ tags }) => tags));
    expect(new Set(document.tags.map((tag) => tag.name))).toEqual(used);
  });
});

describe('the documents of single APIs', () => {
  it('contain each route once, except health routes and copies of the registry in the scan proxy', async () => {
    const whole = await read('/openapi.json');
    const counts = new Map(routesOf(whole).map((route) => [route, 0]));
    for (const document of documents.values())
      for (const route of routesOf(document)) counts.set(route, (counts.get(route) ?? 0) + 1);
    const [missing, repeated] = [0, 2].map((count) => [...counts].filter(([, times]) => times === count));
    expect(repeated?.map(([route]) => route).sort()).toEqual(['GET /livez', 'GET /readyz']);
    const proxied = routesOf(documentOf('registry')).map((route) => route.replace(' ', ' /v0/scan-proxy'));
    const expected = ['GET /log', 'GET /metrics', ...proxied].sort();
    expect(missing?.map(([route]) => route).sort()).toEqual(expected);
    expect(Math.max(...counts.values())).toBe(2);
  });

  it("have version 1.0.0 for the registry, and the network's release for all others", () => {
    expect(NAMES.map((name) => [name, documentOf(name).info.version])).toEqual(
      NAMES.map((name) => [name, name === 'registry' ? '1.0.0' : '0.6.5']),
    );
    const factory = documentOf('registry').paths['/registry/transfer-instruction/v2/transfer-factory'];
    expect(factory?.['post']?.operationId).toBe('getTransferFactory');
  });

  it("have the program's version when they are combined, as on the page at /docs", async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../packages/http/package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    expect((await read('/openapi.json')).info).toMatchObject({ title: 'coinlab', version });
  });

  it('mark wallet routes without compatibility guarantees, apart from the stable ones', () => {
    expect([...routesOf(documentOf('wallet-external'))].sort()).toEqual([
      'GET /v0/wallet/transfer-offers',
      'POST /v0/wallet/buy-traffic-requests',
      'POST /v0/wallet/buy-traffic-requests/{tracking_id}/status',
      'POST /v0/wallet/transfer-offers',
      'POST /v0/wallet/transfer-offers/{tracking_id}/status',
    ]);
    expect(routesOf(documentOf('wallet-internal'))).toContain('POST /v0/wallet/transfer-offers/{contract_id}/accept');
  });

  it('are linked from the API page, and a request for an unknown document lists the known ones', async () => {
    const html = await (await server.app.request('/docs')).text();
    for (const name of NAMES) {
      expect(html).toContain(`href="openapi/${name}.json"`);
      expect(html).toContain(`href="docs?api=${name}"`);
    }
    const unknown = await server.app.request('/openapi/wallet.json');
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({
      error: `no document wallet.json; expected one of ${NAMES.map((name) => `${name}.json`).join(', ')}`,
    });
  });
});
