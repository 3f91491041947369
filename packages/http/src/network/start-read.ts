import type { ServerConfigInput } from '../config.js';
import { BadStart, notOneOf, type StartFault } from './start-fault.js';
import { START_FIELDS, startSchema, type Start } from './start-schema.js';

/** Parses a start. Returns its faults by path. */
export function parseStart(
  input: unknown,
): { readonly ok: true; readonly value: Start } | { readonly ok: false; readonly faults: readonly StartFault[] } {
  const parsed = startSchema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, input)) };
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
  readonly keys?: readonly string[];
}

function faultsOf({ code, path, message, errors, keys = [] }: Issue, input: unknown): readonly StartFault[] {
  // Of a value with several forms, show the fault of the form with the given type.
  const [inner] =
    errors?.find(([first]) => first && (first.path.length > 0 || first.code !== 'invalid_type')) ?? errors?.[0] ?? [];
  if (code === 'invalid_union' && inner) return faultsOf({ ...inner, path: [...path, ...inner.path] }, input);
  if (code === 'unrecognized_keys')
    return keys.map((key) => notOneOf([...path, key], key, 'a known field', START_FIELDS[String(path[0] ?? '')] ?? []));
  const given = valueAt(input, path);
  const isText = typeof given === 'string' || typeof given === 'number';
  return [
    { path, reason: `${isText ? `got ${JSON.stringify(given)}, ` : ''}${message.replace(/^Invalid input: /, '')}` },
  ];
}

/** Parses a start. Throws {@link BadStart} with all faults. */
export function parseStartOrThrow(input: unknown): Start {
  const parsed = parseStart(input);
  if (!parsed.ok) throw new BadStart(parsed.faults);
  return parsed.value;
}

/** Adds the validators of a start to the settings, which may not have any then. */
export function withValidatorsOf(start: Start | null, settings: ServerConfigInput): ServerConfigInput {
  if (start?.validators === undefined) return settings;
  if (settings.validators && settings.validators.length > 0)
    throw new BadStart([
      { path: ['validators'], reason: 'the settings have validators too; leave one of the two out' },
    ]);
  return { ...settings, validators: start.validators };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}
