import { nearestTo, serverConfigSchema, type ServerConfigInput } from '@coinlab/http';
import { BadInput } from '../exit-code.js';
import { FLAG_VARIABLES } from './flag-variables.js';

interface Part {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
}

/** A setting that an environment variable can give. */
export interface Variable {
  readonly path: readonly string[];
  readonly read: (text: string, name: string) => unknown;
  /** Whether the setting is a list. The items of the variable are added to those of the file. */
  readonly isList: boolean;
}

const OTHERS = [
  'COINLAB_LOCALNET',
  'COINLAB_TOKEN',
  'COINLAB_SHARDS',
  'COINLAB_REQUIRE',
  'COINLAB_RUNS',
  'COINLAB_PATH',
];

/** Returns the variable of every setting: `limits.bodyBytes` has `COINLAB_LIMITS_BODY_BYTES`. */
export function settingVariables(): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>();
  const add = (part: Part, path: readonly string[]): void => {
    const variants = [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])];
    const groups = variants.flatMap(({ properties }) => (properties ? [properties] : []));
    for (const properties of groups)
      for (const [name, inner] of Object.entries(properties)) add(inner, [...path, name]);
    if (groups.length === 0) variables.set(variableOf(path), { path, ...readerOf(variants) });
  };
  // Cast: a schema has more parts than these.
  add(serverConfigSchema.toJSONSchema({ io: 'input' }) as Part, []);
  return variables;
}

/**
 * Returns the settings with those of the environment variables added; list items are appended. Throws {@link BadInput}
 * for unknown and unreadable variables.
 */
export function withEnvironment(settings: ServerConfigInput, environment: NodeJS.ProcessEnv): ServerConfigInput {
  const given = Object.entries(environment).filter(([name, text]) => name.startsWith('COINLAB_') && text);
  if (given.length === 0) return settings;
  const variables = settingVariables();
  const flags: readonly string[] = Object.values(FLAG_VARIABLES);
  const known = [...variables.keys(), ...flags, ...OTHERS];
  let all: unknown = settings;
  for (const [name, text = ''] of given) {
    const variable = variables.get(name);
    if (!variable && !known.includes(name))
      throw new BadInput(`${name}: no such variable; the nearest is ${nearestTo(name, known)}`);
    if (variable) all = withValue(all, variable.path, (old) => valueOf(variable, text, name, old));
  }
  // Cast: `createServer` validates the values.
  return all as ServerConfigInput;
}

/** Read here, because the command line parser would set the flag for any text, also for `false`. */
export function wantsLocalNet({ COINLAB_LOCALNET: text }: NodeJS.ProcessEnv): boolean {
  return text !== undefined && text !== '' && booleanIn(text, 'COINLAB_LOCALNET');
}

function valueOf({ read, isList }: Variable, text: string, name: string, old: unknown): unknown {
  const value = read(text, name);
  return isList && Array.isArray(old) ? old.concat(value) : value;
}

function withValue(object: unknown, [name, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(object);
  const own = isRecord(object) ? object : {};
  return { ...own, [name]: withValue(own[name], rest, change) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function variableOf(path: readonly string[]): string {
  return ['COINLAB', ...path.map((name) => name.replaceAll(/(?=[A-Z])/g, '_').toUpperCase())].join('_');
}

function readerOf(variants: readonly Part[]): Pick<Variable, 'read' | 'isList'> {
  const types = new Set(variants.map(({ type }) => type));
  const list = variants.find(({ type }) => type === 'array');
  if (list) return { isList: true, read: list.items?.type === 'string' ? listIn : jsonIn };
  if (types.has('object')) return { isList: false, read: jsonIn };
  if (types.has('boolean')) return { isList: false, read: booleanIn };
  const isNumeric = types.has('number') || types.has('integer');
  const read = (text: string, name: string): unknown => {
    if (!isNumeric || (types.has('string') && Number.isNaN(Number(text)))) return text;
    return numberIn(text, name);
  };
  return { isList: false, read };
}

function listIn(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

function booleanIn(text: string, name: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new BadInput(`${name}: got '${text}', expected true or false`);
}

function numberIn(text: string, name: string): number {
  const number = text.trim() === '' ? NaN : Number(text);
  if (Number.isNaN(number)) throw new BadInput(`${name}: got '${text}', expected a number`);
  return number;
}

function jsonIn(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadInput(`${name}: got '${text}', expected JSON, such as the value in a file of --config`);
  }
}
