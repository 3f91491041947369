/*
 * Replays failures of one ledger from their tokens. Reads JSON from the standard input and prints the messages of the
 * failures, null for a failure that did not occur:
 *
 *   echo '{"folder": "map-token", "failures": [{"bug": "double accept", "token": "coins4.…"}]}' |
 *     node --conditions=source --import=tsx test/testing/ledgers/replay.ts
 */
import { readFileSync } from 'node:fs';
import { failureOf, plantedLedger, settingsOf } from './planted.ts';
import { bugName } from './specimen.ts';
import { SPECIMENS } from './specimens.ts';

interface Input {
  readonly folder: string;
  readonly failures: readonly { readonly bug: string; readonly token: string }[];
}

// Cast: the callers in this folder write this shape.
const { folder, failures } = JSON.parse(readFileSync(0, 'utf8')) as Input;
const specimen = SPECIMENS.find((one) => one.folder === folder);
const messages: (string | null)[] = [];
for (const { bug: name, token } of failures) {
  const bug = specimen?.bugs.find((one) => bugName(one) === name);
  if (!specimen || !bug) throw new Error(`no bug "${name}" of ${folder}`);
  const ledger = await plantedLedger(specimen, bug, name);
  const failure = await failureOf({ ledger, ...settingsOf(specimen), token });
  messages.push(failure?.message ?? null);
}
process.stdout.write(JSON.stringify(messages));
process.exit(0);
