import { parseArgs } from 'node:util';

type Options = Readonly<Record<string, string | number | boolean>>;

/** A parsed command line, or a text to print before the script ends with a code: its usage, or what is wrong. */
export type Parsed<O extends Options> =
  { readonly values: { readonly [Name in keyof O]: Wide<O[Name]> } } | { readonly code: 0 | 2; readonly text: string };

type Wide<Value> = Value extends number ? number : Value extends boolean ? boolean : string;

/** @param defaults of each option; one with a number takes whole numbers, one with a boolean is a flag */
export function parseOptions<O extends Options>(usage: string, defaults: O, args: readonly string[]): Parsed<O> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  let given: Readonly<Record<string, unknown>>;
  try {
    given = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return { code: 2, text: `${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n${usage}` };
  }
  if (given['help'] === true) return { code: 0, text: usage };
  const values: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const isNumber = typeof defaults[name] === 'number';
    if (isNumber && !/^\d{1,15}$/.test(String(value)))
      return { code: 2, text: `--${name}: got "${String(value)}", expected a whole number\n${usage}` };
    values[name] = isNumber ? Number(value) : value;
  }
  // A cast: each value has the type of its default.
  return { values: values as { readonly [Name in keyof O]: Wide<O[Name]> } };
}

/** Returns the options of this process, or ends it. */
export function optionsOf<O extends Options>(
  usage: string,
  defaults: O,
): { readonly [Name in keyof O]: Wide<O[Name]> } {
  const parsed = parseOptions(usage, defaults, process.argv.slice(2));
  if ('values' in parsed) return parsed.values;
  process[parsed.code === 0 ? 'stdout' : 'stderr'].write(parsed.text);
  process.exit(parsed.code);
}
