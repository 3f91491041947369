/** Milliseconds of transfers that are not counted, and that are. */
const WARM_UP = 500;
const MEASURED = 3000;

const began = performance.now();

/**
 * Measures a peer and tells what was found: one line of JSON. Asked for `start`, it ends after the first transfer.
 * @param first imports the peer, opens it, funds whom it needs, and makes one transfer; counted from the start of this module
 * @param prepare makes the next batch ready, as clients sign their transactions: not counted
 * @param make transfers a batch and gives the number of transfers that took effect: counted
 * @param check throws when what should have been transferred was not
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

/** Some peers would keep the process alive. */
function tell(figures) {
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());
}
