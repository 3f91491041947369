import { TEST_PARTIES } from '@coinlab/core';
import { createServer, jsonLog, listen } from '@coinlab/http';

/** A development server with a manual clock and without automation. Reports its processor time and its memory on request. */
const automation = { dso: false, rewards: false, preapprovals: false };
const logger = jsonLog('info', (text) => void process.stderr.write(text));
const limits = { listElements: 100_000 };
const server = await createServer(
  { dev: true, clock: 'manual', traffic: 'free', port: 0, automation, limits },
  { logger },
);
const { url, close } = await listen(server, { ownsProcess: true });

process.on('message', (asked) => {
  if (asked === 'heap') globalThis.gc?.();
  process.send?.(asked === 'cpu' ? process.cpuUsage() : process.memoryUsage());
});
process.once('SIGTERM', () => void close().then(() => process.disconnect?.()));

const lines = [`coinlab listens on ${url}`];
for (const user of [server.config.validatorWalletUser, ...TEST_PARTIES])
  lines.push(`  ${user} ${await server.token(user)}`);
process.stdout.write(`${lines.join('\n')}\n`);
