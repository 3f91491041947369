import type { ServerConfigInput } from '../config.js';
import { faultsOf, type FieldFault } from '../field-fault.js';
import { BadStart } from './start-fault.js';
import { START_FIELDS, startSchema, type Start } from './start-schema.js';

/** Parses a start. Returns its faults by path. */
export function parseStart(
  input: unknown,
): { readonly ok: true; readonly value: Start } | { readonly ok: false; readonly faults: readonly FieldFault[] } {
  const parsed = startSchema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, input, fieldsAt)) };
}

function fieldsAt([part = '']: readonly PropertyKey[]): readonly string[] {
  return START_FIELDS[String(part)] ?? [];
}

export function parseStartOrThrow(input: unknown): Start {
  const parsed = parseStart(input);
  if (!parsed.ok) throw new BadStart(parsed.faults);
  return parsed.value;
}

/** Adds the validators of a start to the settings. Throws when both have validators. */
export function withValidatorsOf(start: Start | null, settings: ServerConfigInput): ServerConfigInput {
  if (start?.validators === undefined) return settings;
  if (settings.validators && settings.validators.length > 0)
    throw new BadStart([
      { path: ['validators'], reason: 'the settings have validators too; leave one of the two out' },
    ]);
  return { ...settings, validators: start.validators };
}
