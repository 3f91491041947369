/*
 * Generates the API pages: each endpoint with a recorded request and response, on a new network. `api-examples` has the arguments of
 * requests that the OpenAPI document does not have.
 */
import { EXAMPLES } from './api-examples/index.ts';
import { Network, type Ask, type Asker } from './api-examples/network.ts';
import { commonErrors, declaringFiles, purposeOf, whoMayCall, type Operation, type Page } from './server-reference.ts';

interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
  /** For example `POST /v0/wallet/tap`. */
  readonly name: string;
  /** The declaring file, in `packages/http/src`. */
  readonly file: string;
}

const PAGES: readonly (readonly [file: string, tags: readonly string[], title: string, about: string])[] = [
  [
    'registry',
    ['registry'],
    'Registry API',
    'The off-ledger API of the token standard: metadata, factories and choice contexts for transfers. It needs no token.',
  ],
  [
    'scan',
    ['scan'],
    'Scan API',
    'Public data of the network: rounds, rules, holdings, updates, names and votes. It needs no token.',
  ],
  [
    'scan-proxy',
    ['scan proxy'],
    'Scan proxy of the validator',
    `The scan and registry endpoints as a validator serves them to its users. Requests and responses equal those of the linked endpoint; add any token:
\`curl -H "Authorization: Bearer $ALICE" $URL/v0/scan-proxy/dso\`.`,
  ],
  [
    'wallet',
    ['wallet'],
    'Wallet API',
    'Balance, transfers, preapprovals, subscriptions, coupons and traffic of the user that the token identifies.',
  ],
  [
    'validator-admin',
    ['admin', 'external party'],
    'Validator administration API',
    'Users, external parties, preapprovals and participant data for the operator of the validator.',
  ],
  [
    'ledger',
    ['ledger'],
    'Ledger API',
    'Users, rights, parties and packages, and commands of local and external parties ([choices](../choices.md)). Errors have the format of the Ledger API.',
  ],
  [
    'dev',
    ['dev', 'common'],
    'Development and health API',
    'Control of time, snapshots and faults in tests (with the setting `dev`), and health, status and metrics.',
  ],
];

/**
 * Returns the pages by file name.
 * @param gap receives a message for each endpoint with a missing or refused example
 */
export async function apiPages(gap: (fault: string) => void): Promise<Readonly<Record<string, Page>>> {
  const endpoints = await endpointsOf();
  const errors = commonErrors(endpoints);
  const pages: Record<string, Page> = {};
  for (const [file, tags, title, about] of PAGES) {
    const own = endpoints.filter((one) => tags.includes(tagOf(one)));
    const copies = own.flatMap((one) => copyOf(one, endpoints) ?? []);
    const sections: string[] = [];
    shown.clear();
    responses.clear();
    for (const endpoint of own) if (!copyOf(endpoint, endpoints)) sections.push(await sectionOf(endpoint, errors, gap));
    const lists = copies.length > 0 ? [copies.join('\n')] : [];
    pages[`api/${file}.md`] = {
      title,
      intro: `${about}\n\n${HOW_TO_READ}`,
      body: [...lists, ...sections].join('\n\n'),
    };
  }
  await untouched?.network.close();
  const known = new Set(PAGES.flatMap(([, tags]) => tags));
  for (const one of endpoints)
    if (!known.has(tagOf(one))) gap(`${one.name} has the tag ${tagOf(one)}, which is on no page`);
  for (const name of Object.keys(EXAMPLES))
    if (!endpoints.some((one) => one.name === name)) gap(`scripts/api-examples: there is no endpoint ${name}`);
  return pages;
}

const HOW_TO_READ = '[Endpoints](../endpoints.md) explains the examples, tokens and error statuses.';

async function endpointsOf(): Promise<readonly Endpoint[]> {
  const files = await declaringFiles();
  const network = await Network.open();
  const document = (await network.call(null, 'GET', '/openapi.json')) as {
    paths: { [path: string]: { [method: string]: Operation } };
  };
  await network.close();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([key, operation]) => {
      const method = key.toUpperCase();
      return { ...operation, method, path, name: `${method} ${path}`, file: files.get(`${key} ${path}`) ?? '' };
    }),
  );
}

function tagOf({ tags }: Operation): string {
  return (tags[0] ?? '').replace('-', ' ');
}

/** Returns a line of the list of copies for the validator's copy of an endpoint; null for other endpoints. */
function copyOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): string | null {
  const { name, method, path } = endpoint;
  const original = endpoints.find((one) => one.method === method && one.path === originalPath(path));
  const page = original && PAGES.find(([, tags]) => tags.includes(tagOf(original)))?.[0];
  if (!page || original.path === path) return null;
  return `- \`${name}\` (${whoMayCall(endpoint)}): [${original.path}](${page}.md#${anchorOf(original.name)})`;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** Statuses that follow from the required token. The page of endpoints explains them once. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  token: ['401'],
  user: ['401', '403'],
  admin: ['401', '403'],
  operator: ['401', '403'],
  wallet: ['401', '404'],
};

async function sectionOf(
  endpoint: Endpoint,
  errors: ReadonlyMap<string, string>,
  gap: (fault: string) => void,
): Promise<string> {
  const { name, description, file, responses } = endpoint;
  const about = [`${purposeOf(endpoint)}.`, ...(description ? [description] : [])].join(' ');
  const returns = responses['200']?.description ?? '';
  const shown = await exampleOf(endpoint).catch((error: unknown) => {
    gap(
      `scripts/api-examples: ${name} has no example that is answered: ${error instanceof Error ? error.message : String(error)}`,
    );
    return '';
  });
  const refusals = Object.entries(responses).filter(([status]) => status !== '200');
  const implied = IMPLIED[whoMayCall(endpoint)] ?? [];
  const further = refusals.filter(([status]) => status !== '413' && !implied.includes(status));
  const special = refusals.filter(([status, { description: text }]) => errors.get(status) !== text);
  const list = [
    ...(further.length > 0 ? [`Errors: ${further.map(([status]) => status).join(', ')}.`] : []),
    ...special.map(([status, answer]) => `${status}: ${answer.description}`),
  ].join('\n');
  const facts = `Returns: ${returns}\n\nToken: ${whoMayCall(endpoint)} (\`${file}\`).`;
  return `## ${name}\n\n${about}\n\n${facts}\n\n${shown}\n\n${list}`;
}

/** A network whose state no example has changed, so that the next example can use it too. */
let untouched: { readonly network: Network; readonly position: string } | null = null;

async function opened(): Promise<NonNullable<typeof untouched>> {
  const network = await Network.open();
  return { network, position: await standOf(network) };
}

async function standOf(network: Network): Promise<string> {
  const { offset, time } = await network.call(null, 'GET', '/dev/state');
  return `${offset} ${time}`;
}

async function exampleOf(endpoint: Endpoint): Promise<string> {
  const place = untouched ?? (await opened());
  untouched = null;
  const { network } = place;
  const ask = (await EXAMPLES[exampleNameOf(endpoint)]?.(network)) ?? {};
  const as = ask.as === undefined ? usualAsker(endpoint) : ask.as;
  const path = pathOf(endpoint, ask, network);
  const answer = await network.ask(endpoint.method, path, as, ask.body);
  const text = await textOf(answer, ask);
  if (endpoint.method === 'GET' && (await standOf(network)) === place.position) untouched = place;
  else await network.close();
  if (answer.status !== (ask.status ?? 200)) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
  // A deprecated endpoint shows its request only; the example is executed all the same.
  if (endpoint.deprecated) return `\`\`\`sh\n${curlOf(endpoint, path, as, ask.body)}\n\`\`\``;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson
    ? `\`\`\`json\n${JSON.stringify(cut(JSON.parse(text), endpoint.name), null, 2)}\n\`\`\``
    : `\`\`\`text\n${firstLines(text, ask)}\n\`\`\``;
  const status = ask.status === undefined ? '' : `\n\nStatus ${ask.status}:`;
  const equal = responses.get(body);
  const response = equal === undefined ? body : `The response equals that of [${equal}](#${anchorOf(equal)}).`;
  if (body.length > LONGEST_TEXT && equal === undefined) responses.set(body, endpoint.name);
  return `\`\`\`sh\n${curlOf(endpoint, path, as, ask.body)}\n\`\`\`${status}\n\n${response}`;
}

/** The validator's copies of scan and the registry use the examples of the originals. */
function exampleNameOf({ name, method, path }: Endpoint): string {
  if (name in EXAMPLES) return name;
  return `${method} ${originalPath(path)}`;
}

function originalPath(path: string): string {
  return path.replace('/v0/scan-proxy/registry/', '/registry/').replace('/v0/scan-proxy/', '/v0/');
}

function usualAsker(endpoint: Endpoint): Asker {
  const who = whoMayCall(endpoint);
  return who === 'anyone' ? null : who === 'operator' || who === 'admin' ? 'operator' : 'alice';
}

function pathOf({ path, parameters = [] }: Endpoint, ask: Ask, network: Network): string {
  const usual: Readonly<Record<string, string>> = { party: network.alice };
  const filled = path.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => {
    const value = ask.path?.[name] ?? usual[name];
    if (value === undefined) throw new Error(`nothing says what ${name} is`);
    // Party ids stay readable: a path may contain colons.
    return encodeURIComponent(value).replaceAll('%3A', ':');
  });
  const needed = parameters.filter((one) => one.in === 'query' && one.required && ask.query?.[one.name] === undefined);
  if (needed.length > 0) throw new Error(`nothing says what ${needed.map(({ name }) => name).join(', ')} is`);
  const query = new URLSearchParams(ask.query).toString().replaceAll('%3A', ':');
  return query === '' ? filled : `${filled}?${query}`;
}

function curlOf({ method }: Endpoint, path: string, as: Asker, body: unknown): string {
  const usual = body === undefined ? 'GET' : 'POST';
  const words = [
    'curl',
    ...(method === usual ? [] : [`-X ${method}`]),
    ...(as === null ? [] : [`-H "Authorization: Bearer $${as.toUpperCase()}"`]),
    path.includes('?') ? `"$URL${path}"` : `$URL${path}`,
  ];
  const whole = JSON.stringify(body);
  if (whole === undefined) return words.join(' ');
  const text = whole.length > LONGEST_TEXT ? JSON.stringify(body, null, 2).replaceAll('\n', '\n  ') : whole;
  return `${words.join(' ')} \\\n  -d '${text}'`;
}

const LONGEST_TEXT = 100;
const LONGEST_LIST = 1;
const LONGEST_LIST_OF_WORDS = 5;

/** The configuration of the network has 100 lines, so one endpoint shows it in full. */
const CONFIGURATION = { field: 'configSchedule', shownBy: 'POST /v0/amulet-rules' };

/** Fields with the arguments of a contract, which a page shows once per template. */
const ARGUMENTS = ['payload', 'createArgument', 'create_arguments'] as const;

/** The endpoint of the present page that shows a long response, by its text. */
const responses = new Map<string, string>();

/** The endpoint of the present page that shows a contract or its creation, by field of the arguments and template. */
const shown = new Map<string, string>();

/** Returns the endpoint that shows such a contract or event earlier on the page; null the first time and for other values. */
function shownBy(value: Readonly<Record<string, unknown>>, endpoint: string): string | null {
  const template = value['template_id'] ?? value['templateId'];
  const field = ARGUMENTS.find((name) => value[name] !== undefined);
  if (field === undefined || typeof template !== 'string') return null;
  const key = `${field} ${template}`;
  const earlier = shown.get(key);
  if (earlier === undefined) shown.set(key, endpoint);
  return earlier ?? null;
}

/** Shortens long texts, ids, lists, repeated contracts and the configuration in the example of an endpoint. */
function cut(value: unknown, endpoint: string): unknown {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) {
    const most = value.some((item) => typeof item === 'object') ? LONGEST_LIST : LONGEST_LIST_OF_WORDS;
    const rest = value.length - most;
    return [...value.slice(0, most).map((item) => cut(item, endpoint)), ...(rest > 0 ? [`… ${rest} more`] : [])];
  }
  if (typeof value !== 'object' || value === null) return value;
  const place = shownBy({ ...value }, endpoint);
  if (place !== null) return `… as in ${place}`;
  const isHidden = (name: string): boolean => name === CONFIGURATION.field && endpoint !== CONFIGURATION.shownBy;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      cutText(name),
      isHidden(name) ? `… see ${CONFIGURATION.shownBy}` : cut(inner, endpoint),
    ]),
  );
}

function cutText(text: string): string {
  // The difference between ledger time and machine time changes every second.
  if (text.endsWith('machine time')) return text.replace(/\d+/, '…');
  if (text.length <= LONGEST_TEXT) return text;
  // Compressed data after the header differs between machines.
  return /^[0-9a-f]+$/.test(text) ? `${text.slice(0, 4)}…${text.slice(-6)}` : `${text.slice(0, 10)}…`;
}

const MOST_LINES = 12;
const LONGEST_LINE = 160;

function firstLines(text: string, { shows = /./ }: Ask): string {
  const lines = text.split('\n').filter((line) => shows.test(line));
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return [...shown, ...(lines.length > MOST_LINES ? ['…'] : [])].join('\n');
}

/** Returns the text of a response. For an endless response, returns the part that the page shows. */
async function textOf(answer: Response, { until }: Ask): Promise<string> {
  if (until === undefined) return answer.text();
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes(until)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the answer ends without ${until}`);
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}
