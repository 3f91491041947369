import { parseArgs } from 'node:util';

type Options = Readonly<Record<string, string | number | boolean>>;

type Wide<Value> = Value extends number ? number : Value extends boolean ? boolean : string;

type Values<O extends Options> = { readonly [Name in keyof O]: Wide<O[Name]> };

/**
 * Returns the options of this process. Prints the usage and ends the process if it is asked for, or if an option is wrong.
 * @param defaults of each option; one with a number takes whole numbers, one with a boolean is a flag
 */
export function optionsOf<O extends Options>(usage: string, defaults: O): Values<O> {
  const refuse = (reason: string): never => {
    process.stderr.write(`${reason}\n${usage}`);
    process.exit(2);
  };
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  let given: Readonly<Record<string, unknown>>;
  try {
    given = parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (given['help'] === true) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const values: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const isNumber = typeof defaults[name] === 'number';
    if (isNumber && !/^\d{1,15}$/.test(String(value)))
      refuse(`--${name}: got "${String(value)}", expected a whole number`);
    values[name] = isNumber ? Number(value) : value;
  }
  // A cast: each value has the type of its default.
  return values as Values<O>;
}
