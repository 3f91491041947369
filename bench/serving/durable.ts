import { TEST_PARTIES } from '@coinlab/core';
import { createServer, jsonLog, listen, type LogPort } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';

/**
 * A server with a durable log, like `coinlab serve --dev --data FOLDER`. On request it reports the sizes of
 * the appended groups, the live heap after a full collection (slow), or the memory in use.
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
  snapshot: (state, between) => store.snapshot(state, between),
  close: () => store.close(),
};
const logger = jsonLog('info', (text) => void process.stderr.write(text));
const server = await createServer({ dev: true, traffic: 'free', port: 0 }, { log, logger });
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
