import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { codec, emptyLedger, type ProfileName, type Step } from '@coinlab/core';

const golden = join(import.meta.dirname, '../golden');

/** The steps of the recorded log of a rule profile. */
export function recordedSteps(profile: ProfileName): readonly Step[] {
  const text = gunzipSync(readFileSync(join(golden, profile, 'v1.ndjson.gz'))).toString('utf8');
  let ledger = emptyLedger();
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const read = codec.decode(line, index + 1);
      if (!read.ok) throw new Error(read.error.reason);
      const before = ledger.state;
      ledger = ledger.apply(read.value);
      return { before, update: read.value, after: ledger.state };
    });
}
