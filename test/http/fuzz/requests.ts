import { textFor, type Route } from '../routes.ts';
import type { Dice } from './dice.ts';
import {
  ODD_BODIES,
  ODD_CONTENT_TYPES,
  ODD_CREDENTIALS,
  ODD_METHODS,
  ODD_SEGMENTS,
  ODD_TEXTS,
  ODD_VALUES,
} from './odd.ts';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface Material {
  readonly dice: Dice;
  readonly routes: readonly Route[];
  /** Ids from responses: they pass the first checks. */
  readonly known: readonly string[];
  token(user: string): Promise<string>;
  /** Gives a route a meaningful body when its schema is too loose. */
  withBody(route: Route, dice: Dice): Route;
}

const OPERATOR = 'ledger-api-user';
const USERS = ['alice', 'alice', 'alice', 'bob', 'bob', OPERATOR, 'stranger', '__proto__', '💸'] as const;
const PREFIXES = ['', '', '', '/api/validator', '/api/scan'] as const;
const ODD_PREFIXES = ['/', '/api', '/%61pi/scan', '/api/scan/api/scan', '/api/validator/'] as const;
const MOST_MUTATIONS = 3;
/** Above the default limit of a body. */
const TOO_LARGE = 1_048_577;

/** Derives a request from a route, with faults at random places or none. */
export async function oddRequest(material: Material): Promise<OddRequest> {
  const { dice, routes } = material;
  const route = material.withBody(routeFor(dice, routes), dice);
  const method = dice.oneIn(20) ? dice.pick(ODD_METHODS) : route.method;
  const body = method === 'GET' && !dice.oneIn(20) ? null : oddBody(material, route);
  const authorization = dice.oneIn(12)
    ? dice.pick(ODD_CREDENTIALS)
    : `Bearer ${await material.token(route.statuses.includes(403) && !dice.oneIn(6) ? OPERATOR : dice.pick(USERS))}`;
  const headers = {
    ...(dice.oneIn(30) ? {} : { authorization }),
    ...(body !== null && dice.oneIn(3) ? { 'content-type': dice.pick(ODD_CONTENT_TYPES) } : {}),
    // Not for HEAD: this refusal comes before the request is parsed, so its response would have a body.
    ...(method !== 'HEAD' && dice.oneIn(500) ? { 'x-large': 'x'.repeat(20_000) } : {}),
  };
  return {
    method,
    path: prefixed(material, oddPath(material, route)),
    headers,
    body,
  };
}

function prefixed({ dice }: Material, path: string): string {
  const prefix = dice.pick(dice.oneIn(50) ? ODD_PREFIXES : PREFIXES);
  // Such a path has its prefix.
  return path.startsWith('/api/') ? path : prefix + path;
}

/** Draws a route: more often one with a body or parameters, rarely reset and revert. */
function routeFor(dice: Dice, routes: readonly Route[]): Route {
  const route = dice.pick(routes);
  const isDull = /^\/dev\/re(set|vert)$/.test(route.path)
    ? !dice.oneIn(20)
    : route.body === null && !route.path.includes('{') && dice.oneIn(2);
  return isDull ? routeFor(dice, routes) : route;
}

function oddBody(material: Material, route: Route): string | Uint8Array | null {
  const { dice } = material;
  if (dice.oneIn(12)) return dice.oneIn(4) ? bytes(dice) : dice.pick(ODD_BODIES);
  if (dice.oneIn(1000)) return `{"x":"${'x'.repeat(TOO_LARGE)}"}`;
  if (route.body === null) return dice.oneIn(3) ? dice.pick(['{}', '[]', 'null', '1']) : null;
  const usual = lively(dice.oneIn(2) ? route.body : route.fullBody, material);
  const mutations = dice.oneIn(2) ? 0 : 1 + dice.below(MOST_MUTATIONS);
  let value = usual;
  for (let i = 0; i < mutations; i++) value = mutated(value, material);
  const text = JSON.stringify(value) ?? '';
  return dice.oneIn(30) ? text.slice(0, dice.below(text.length + 1)) : text;
}

function bytes(dice: Dice): Uint8Array {
  return Uint8Array.from(dice.some(40, () => dice.below(256)));
}

/** Replaces most sample ids by known ids, and past times by future times. */
function lively(value: unknown, material: Material, key = ''): unknown {
  if (typeof value === 'string') return livelyText(value, material, key);
  if (typeof value === 'number') return /_at$|before/.test(key) && !material.dice.oneIn(8) ? FAR : value;
  if (Array.isArray(value)) return value.map((item) => lively(item, material, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lively(inner, material, name)]));
}

/** In 2030, in microseconds since 1970. */
const FAR = 1_900_000_000_000_000;
const LOOKS_LIKE = [/^00[0-9a-f]{136}$/, /^.+::1220[0-9a-f]{64}$/, /^1220[0-9a-f]{64}$/] as const;
const MOST_TRACKING_IDS = 40;

function livelyText(text: string, { dice, known }: Material, key: string): string {
  if (dice.oneIn(10)) return text;
  if (/tracking|deduplication/.test(key)) return `id-${dice.below(MOST_TRACKING_IDS)}`;
  const look = LOOKS_LIKE.find((pattern) => pattern.test(text));
  const alike = look ? known.filter((one) => look.test(one)) : [];
  return alike.length === 0 ? text : dice.pick(alike);
}

/** Changes one place of a value: replaces a value, or adds or removes a field. */
function mutated(value: unknown, material: Material): unknown {
  const { dice } = material;
  if (typeof value !== 'object' || value === null || dice.oneIn(12)) return oddValue(material);
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.oneIn(3)) return [...(value as unknown[]), oddValue(material)];
    const at = dice.below(value.length);
    return value.map((item: unknown, index) => (index === at ? mutated(item, material) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || dice.oneIn(6)) return withField(value, dice.pick(ODD_TEXTS), oddValue(material));
  const [key, inner] = dice.pick(entries);
  if (dice.oneIn(6)) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return withField(value, key, mutated(inner, material));
}

/** Makes every name an own property, also `__proto__`. */
function withField(value: object, key: string, inner: unknown): unknown {
  return Object.fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, inner]]);
}

function oddValue({ dice, known }: Material): unknown {
  if (known.length > 0 && dice.oneIn(4)) return dice.pick(known);
  return dice.pick(dice.oneIn(2) ? ODD_TEXTS : ODD_VALUES);
}

/** Fills in the parameters of a path, rarely adds odd segments, and adds a query. */
function oddPath(material: Material, route: Route): string {
  const { dice } = material;
  const parameter = (_: string, name: string): string =>
    !dice.oneIn(3)
      ? encode(livelyText(textFor(name), material, name))
      : dice.oneIn(3)
        ? dice.pick(ODD_SEGMENTS)
        : encode(dice.oneIn(3) || material.known.length === 0 ? dice.pick(ODD_TEXTS) : dice.pick(material.known));
  let path = route.path.replaceAll(/\{([\w-]+)\}/g, parameter);
  if (dice.oneIn(25)) {
    const parts = path.split('/');
    parts.splice(1 + dice.below(parts.length), dice.below(2), dice.pick(ODD_SEGMENTS));
    path = parts.join('/');
  }
  if (dice.oneIn(60)) path = path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  if (dice.oneIn(60)) path = dice.pick([`${path}/`, path.replace('/', '//'), path.toUpperCase(), `${path}%2f`]);
  const query = queryOf(material, route);
  return query === '' ? path : `${path}?${query}`;
}

function queryOf(material: Material, { parameters }: Route): string {
  const { dice, known } = material;
  const asked = parameters.filter((one) => one.in === 'query');
  const value = (name: string): string => {
    if (dice.oneIn(2)) return encode(livelyText(textFor(name), material, name));
    if (dice.oneIn(6)) return dice.pick(ODD_SEGMENTS);
    return encode(dice.oneIn(2) && known.length > 0 ? dice.pick(known) : dice.pick(ODD_TEXTS));
  };
  const usual = asked.filter(({ required = false }) => (required ? !dice.oneIn(10) : dice.oneIn(2)));
  const more = dice.oneIn(4)
    ? dice.some(3, () => dice.pick([...asked.map(({ name }) => name), '__proto__', 'x[]']))
    : [];
  return [...usual.map(({ name }) => name), ...more].map((name) => `${name}=${value(name)}`).join('&');
}

/** Lone surrogates cannot be encoded and become U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')) || 'x';
}
