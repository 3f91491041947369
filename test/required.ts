/** Parts of the machine that some tests need and most machines lack. */
const PARTS = ['browser', 'clients', 'duckdb', 'postgres'] as const;
type Part = (typeof PARTS)[number];

/** The parts that must be there, from `COINLAB_REQUIRE`: names separated by commas. */
const required = (process.env['COINLAB_REQUIRE'] ?? '').split(',').filter((name) => name !== '');
for (const name of required)
  if (!PARTS.some((part) => part === name))
    throw new Error(`COINLAB_REQUIRE: got '${name}', expected ${PARTS.join(' or ')}`);

/**
 * Returns whether to skip the tests that need a part of the machine, and prints one line then. A missing part that `COINLAB_REQUIRE`
 * names throws.
 * @param hint how to add the part
 */
export function skipsWithout(part: Part, isThere: boolean, hint: string): boolean {
  if (isThere) return false;
  if (required.includes(part)) throw new Error(`COINLAB_REQUIRE=${part}, and there is no ${part}: ${hint}`);
  process.stderr.write(`tests are skipped, no ${part}: ${hint}\n`);
  return true;
}
