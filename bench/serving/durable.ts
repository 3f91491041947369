import { TEST_PARTIES } from '@coinlab/core';
import { createServer, jsonLog, listen, type LogPort } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';

/**
 * A server over a durable log, as `coinlab serve --dev --data FOLDER`, that tells on demand the sizes of the groups it has
 * appended, what lives on its heap once it was
 * collected (which takes a while), or how much memory it uses.
 */
const groups: number[] = [];
const opened = await openFileStore({ folder: process.argv[2] ?? '' });
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const store = opened.value;
const log: LogPort = {
  append(expectedOffset, updates) {
    groups.push(updates.length);
    return store.append(expectedOffset, updates);
  },
  lineAt: (offset) => store.lineAt(offset),
  snapshot: (state) => store.snapshot(state),
  close: () => store.close(),
};
const logger = jsonLog('info', (text) => void process.stderr.write(text));
const server = await createServer({ dev: true, port: 0 }, { log, logger });
const { url, close } = await listen(server, { ownsProcess: true });

process.on('message', (asked) => {
  if (asked === 'groups') process.send?.(groups);
  if (asked === 'heap') globalThis.gc?.();
  if (asked === 'heap' || asked === 'memory') process.send?.(process.memoryUsage());
});
process.once('SIGTERM', () => void close().then(() => process.disconnect?.()));

const lines = [`coinlab listens on ${url}`];
for (const user of [server.config.validatorWalletUser, ...TEST_PARTIES])
  lines.push(`  ${user} ${await server.token(user)}`);
process.stdout.write(`${lines.join('\n')}\n`);
