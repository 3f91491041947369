/** Milliseconds of the warm-up and of the measurement. */
const WARM_UP = 500;
const MEASURED = 3000;

const began = performance.now();

/**
 * Measures a peer and prints the result as one line of JSON. With `start`, it ends after the first transfer.
 * @param first imports the peer, opens it, funds its accounts and makes one transfer; measured from the start of this
 * module
 * @param prepare prepares the next batch, such as signed transactions; not measured
 * @param make transfers a batch and returns the number of accepted transfers; measured
 * @param check throws if a transfer is missing
 */
export async function measure({ first, prepare, make, check }) {
  const peer = await first();
  const importToFirstMs = performance.now() - began;
  if (process.argv.includes('start')) return tell({ importToFirstMs });
  const pieces = { prepare: () => prepare(peer), make: (batch) => make(peer, batch) };
  await run(pieces, WARM_UP);
  const { transfers, millis } = await run(pieces, MEASURED);
  await check(peer);
  tell({ importToFirstMs, transfersPerSecond: (transfers / millis) * 1000 });
}

async function run({ prepare, make }, limit) {
  let transfers = 0;
  let millis = 0;
  while (millis < limit) {
    const batch = await prepare();
    const start = performance.now();
    transfers += await make(batch);
    millis += performance.now() - start;
  }
  return { transfers, millis };
}

/** Exits explicitly, because some peers keep the process alive. */
function tell(figures) {
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());
}
