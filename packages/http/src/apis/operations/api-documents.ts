import type { Api } from '../../request.js';

type OpenapiDocument = ReturnType<Api['getOpenAPI31Document']>;
type PathItem = NonNullable<OpenapiDocument['paths']>[string];

interface ListedRoute {
  readonly path: string;
  readonly method: string;
  readonly tags: readonly string[];
}

export interface ApiDocument {
  readonly name: string;
  readonly title: string;
  /** Null: the version of the network's release. */
  readonly version: string | null;
  readonly has: (route: ListedRoute) => boolean;
}

const EXTERNAL = /^\/v0\/wallet\/(transfer-offers(\/\{tracking_id\}\/status)?|buy-traffic-requests(\/.*)?)$/;
const HEALTH = /^\/(livez|readyz)$/;
const STATUS = /^\/(status|version)$/;
const NAMES = /^\/v0\/entry\//;
const REGISTRY_PROXY = /^\/v0\/scan-proxy\/registry\//;

const tagged =
  (...wanted: readonly string[]) =>
  ({ tags }: ListedRoute): boolean =>
    tags.some((tag) => wanted.includes(tag));
const isOfWallet = ({ path, tags }: ListedRoute): boolean => tags.includes('wallet') && !NAMES.test(path);

/** Source: specification of the API, annex E. */
export const API_DOCUMENTS: readonly ApiDocument[] = [
  { name: 'registry', title: 'Token registry API', version: '1.0.0', has: tagged('registry') },
  {
    name: 'scan',
    title: 'Scan API',
    version: null,
    has: (route) => tagged('scan')(route) || HEALTH.test(route.path) || STATUS.test(route.path),
  },
  {
    name: 'scan-proxy',
    title: 'Scan proxy API',
    version: null,
    has: (route) => tagged('scan proxy')(route) && !REGISTRY_PROXY.test(route.path),
  },
  {
    name: 'wallet-external',
    title: 'Wallet API, external',
    version: null,
    has: (route) => isOfWallet(route) && EXTERNAL.test(route.path),
  },
  {
    name: 'wallet-internal',
    title: 'Wallet API, internal',
    version: null,
    has: (route) => isOfWallet(route) && !EXTERNAL.test(route.path),
  },
  { name: 'ans-external', title: 'Name service API', version: null, has: ({ path }) => NAMES.test(path) },
  {
    name: 'validator-internal',
    title: 'Validator API',
    version: null,
    has: (route) => tagged('admin', 'external party')(route) || HEALTH.test(route.path),
  },
  { name: 'ledger-api', title: 'JSON Ledger API', version: null, has: tagged('ledger') },
];

export function documentOfApi(whole: OpenapiDocument, api: ApiDocument, release: string): OpenapiDocument {
  const paths = Object.fromEntries(
    Object.entries(whole.paths ?? {}).flatMap(([path, item]) => {
      const operations = operationsOf(item, path, api);
      return operations.length > 0 ? [[path, Object.fromEntries(operations)]] : [];
    }),
  );
  const used = new Set<string>();
  addSchemas(paths, whole, used);
  const schemas = Object.entries(whole.components?.schemas ?? {}).filter(([name]) => used.has(name));
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(tagsOf)));
  return {
    ...whole,
    info: { ...whole.info, title: api.title, version: api.version ?? release },
    tags: whole.tags?.filter(({ name }) => tags.has(name)) ?? [],
    paths,
    components: { ...whole.components, schemas: Object.fromEntries(schemas) },
  };
}

function operationsOf(item: PathItem, path: string, api: ApiDocument): readonly (readonly [string, object])[] {
  return Object.entries(item).flatMap(([method, operation]: [string, object]) =>
    api.has({ path, method, tags: tagsOf(operation) }) ? [[method, publishedOperation(operation)] as const] : [],
  );
}

/** In the combined document the operations of the scan proxy have a suffix, because ids must be distinct. */
function publishedOperation(operation: object): object {
  if (!('operationId' in operation) || typeof operation.operationId !== 'string') return operation;
  return { ...operation, operationId: operation.operationId.replace(/ByProxy$/, '') };
}

function tagsOf(operation: object): readonly string[] {
  return 'tags' in operation && Array.isArray(operation.tags) ? operation.tags : [];
}

const SCHEMA = '#/components/schemas/';

function addSchemas(value: unknown, whole: OpenapiDocument, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    if (key !== '$ref' || typeof field !== 'string' || !field.startsWith(SCHEMA)) addSchemas(field, whole, used);
    else {
      const name = field.slice(SCHEMA.length);
      if (used.has(name)) continue;
      used.add(name);
      addSchemas(whole.components?.schemas?.[name], whole, used);
    }
  }
}
