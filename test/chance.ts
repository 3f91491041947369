/** Every property starts from this seed; `COINLAB_SEED` replaces it, `COINLAB_SEED=fresh` draws one. */
export const seed: number = readSeed(process.env['COINLAB_SEED']);

/** Where a failing property continues, as printed by the failure: `COINLAB_PATH`. Only sensible for a single test. */
export const path: string | undefined = process.env['COINLAB_PATH'];

/**
 * How often a property runs. `COINLAB_RUNS=x10` runs each ten times as often as it asks for, `COINLAB_RUNS=5000` runs
 * each exactly so often.
 */
export function runs(usual: number): number {
  const wish = process.env['COINLAB_RUNS'];
  if (wish === undefined || wish === '') return usual;
  const count = /^x?(\d+(?:\.\d+)?)$/.exec(wish)?.[1];
  if (count === undefined) throw new Error(`COINLAB_RUNS is '${wish}'; expected a count as 5000 or a factor as x10`);
  return Math.max(1, Math.round(wish.startsWith('x') ? usual * Number(count) : Number(count)));
}

function readSeed(wish: string | undefined): number {
  if (wish === undefined || wish === '') return 20_261_121;
  // Workers draw apart: a fresh seed is only reproducible because each failure prints its own.
  if (wish === 'fresh') return Date.now() % 0x7fff_ffff;
  const value = Number(wish);
  if (!Number.isInteger(value)) throw new Error(`COINLAB_SEED is '${wish}'; expected an integer or 'fresh'`);
  return value;
}
