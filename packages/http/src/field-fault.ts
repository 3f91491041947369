import { nearestTo } from '@coinlab/core/workflows';

/** A fault of one field of an input. */
export interface FieldFault {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

export interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly values?: readonly unknown[];
  readonly errors?: readonly (readonly Issue[])[];
  readonly keys?: readonly string[];
}

export function faultsOf(
  issue: Issue,
  input: unknown,
  namesAt: (path: readonly PropertyKey[]) => readonly string[],
): readonly FieldFault[] {
  const { code, path, errors = [], keys = [] } = issue;
  if (code === 'unrecognized_keys')
    return keys.map((key) => notOneOf([...path, key], key, 'a known field', namesAt(path)));
  const given = valueAt(input, path);
  const isRightType = ([first]: readonly Issue[]): boolean =>
    first !== undefined && (first.path.length > 0 || !TYPE_CODES.has(first.code));
  // Of a value with several forms, show the fault of the form with the given type.
  const [inner] = errors.find(isRightType) ?? [];
  if (inner) return faultsOf({ ...inner, path: [...path, ...inner.path] }, input, namesAt);
  const forms = errors.length > 0 ? errors.flatMap((form) => form.slice(0, 1)) : [issue];
  const reason = `${givenText(path, given)}expected ${forms.map(expectationOf).join(' or ')}`;
  const choices = forms.flatMap(({ values = [] }) => values.filter((value) => typeof value === 'string'));
  const nearest = typeof given === 'string' ? nearestTo(given, choices) : null;
  return [{ path, reason: nearest === null ? reason : `${reason}; the nearest is ${nearest}` }];
}

export function notOneOf(
  path: readonly PropertyKey[],
  given: string,
  what: string,
  choices: readonly string[],
): FieldFault {
  const nearest = nearestTo(given, choices);
  const hint = nearest === null ? 'there is none' : `the nearest is ${nearest}`;
  return { path, reason: `got ${JSON.stringify(given)}, expected ${what}; ${hint}` };
}

const TYPE_CODES: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value']);

function givenText(path: readonly PropertyKey[], given: unknown): string {
  if (given === undefined) return 'missing, ';
  return path.at(-1) === 'secret' ? '' : `got ${typeof given === 'object' ? kindOf(given) : JSON.stringify(given)}, `;
}

function kindOf(given: object | null): string {
  if (given === null) return 'null';
  return Array.isArray(given) ? 'a list' : 'an object';
}

function expectationOf({ message, values }: Issue): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(', ');
  return message
    .replace(/^(Invalid \w+|Too (small|big)): /, '')
    .replace(/^Invalid (?=\w)/, 'a valid ')
    .replace(/^expected /, '')
    .replace(/, received \w+$/, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}
