import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { codec, emptyLedger, PROFILE_NAMES, type Ledger, type ProfileName, type Update } from '@coinlab/core';
import { LOG_VERSION } from '@coinlab/core/codec';
import { busyNetwork, drawn, resolve } from '@coinlab/testing';
import fc from 'fast-check';

/*
 * Records golden logs: the updates of a ledger under each rule profile, with the state hash after every fiftieth update.
 * Every later version must replay them, so a recording is never changed.
 */

const USAGE = `npm run golden -- v2     records a busy network under each rule profile into test/golden/<profile>/v2.*
A version that exists is never written again; take the next number when the form of updates changes or new kinds appear.
`;
const FOLDER = new URL('../test/golden/', import.meta.url);
/** The number of updates of each kind that are always kept. */
const OF_A_KIND = 4;
/** Of the other updates one in 20 is kept, so that time advances. */
const ONE_IN = 20;
const DRAWS = 60_000;
/** Largest number of updates of a recording. */
const MOST = 900;
const HASHED_EVERY = 50;

const version = process.argv[2] ?? '';
if (!/^v[1-9]\d*$/.test(version)) stop(USAGE);
const taken = PROFILE_NAMES.filter((profile) => existsSync(fileOf(profile, 'json')));
if (taken.length > 0)
  stop(`test/golden: ${version} of ${taken.join(', ')} exists, and a golden log is never changed\n`);
for (const profile of PROFILE_NAMES) record(profile);

function record(profile: ProfileName): void {
  const ledger = busy(busyNetwork(profile), Number(version.slice(1)));
  const updates = ledger.updates();
  const text = updates.map((update) => `${codec.encode(update)}\n`).join('');
  const kinds = [...new Set(updates.map(({ kind }) => kind))].sort();
  const facts = {
    logVersion: LOG_VERSION,
    updates: updates.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    kinds,
    states: statesOf(updates, ledger),
  };
  mkdirSync(new URL(`${profile}/`, FOLDER), { recursive: true });
  // Written last: a recording with facts is complete.
  writeFileSync(fileOf(profile, 'ndjson.gz'), gzipSync(text, { level: 9 }));
  writeFileSync(fileOf(profile, 'json'), `${JSON.stringify(facts, null, 2)}\n`);
  process.stdout.write(`${profile} ${version}: ${updates.length} updates of ${kinds.length} kinds\n`);
}

/** Random commands on a busy network; the first few updates of each kind are kept. */
function busy(start: Ledger, seed: number): Ledger {
  const seen = new Map<string, number>();
  for (const { kind } of start.updates()) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  let ledger = start;
  for (const step of fc.sample(drawn, { numRuns: DRAWS, seed })) {
    const { command, context } = resolve(step, ledger.state);
    const result = ledger.submit(command, context);
    if (!result.ok) continue;
    const { kind } = result.value.update;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (count > OF_A_KIND && count % ONE_IN !== 0) continue;
    ledger = result.value.ledger;
    if (ledger.state.offset >= MOST) break;
  }
  return ledger;
}

function statesOf(updates: readonly Update[], last: Ledger): { readonly offset: number; readonly hash: string }[] {
  const states: { offset: number; hash: string }[] = [];
  let ledger = emptyLedger();
  for (const update of updates) {
    ledger = ledger.apply(update);
    if (update.offset % HASHED_EVERY === 0 && update.offset < updates.length)
      states.push({ offset: update.offset, hash: ledger.hash() });
  }
  return [...states, { offset: updates.length, hash: last.hash() }];
}

function fileOf(profile: ProfileName, ending: string): URL {
  return new URL(`${profile}/${version}.${ending}`, FOLDER);
}

function stop(text: string): never {
  process.stderr.write(text);
  process.exit(1);
}
