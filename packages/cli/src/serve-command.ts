import { readFileSync } from 'node:fs';
import { Engine, type Update } from '@coinlab/core';
import {
  BadSettings,
  createServer,
  DEV_USERS,
  listen,
  type CoinlabServer,
  type ServerConfigInput,
  type ServerPorts,
} from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import { BadInput } from './exit-code.js';
import { describeStoreRefusal } from './log-command.js';
import type { Terminal } from './terminal.js';

/** The flags of `coinlab serve`, parsed. Those that are given win over the file. */
export interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly data?: string;
  readonly config?: string;
  readonly clock?: 'real' | 'manual' | number;
  readonly profile?: 'legacy-fees' | 'feeless' | 'feeless-24h';
  readonly dev?: true;
}

/**
 * `coinlab serve`: a ledger over HTTP until it is told to stop; then it answers what it has accepted.
 * @param stopped resolves when it is to stop
 */
export async function serveCommand(flags: ServeFlags, terminal: Terminal, stopped: Promise<unknown>): Promise<void> {
  const { data, config, ...given } = flags;
  const settings = { ...(config === undefined ? {} : settingsIn(config)), ...given } as ServerConfigInput;
  const kept: ServerPorts = data === undefined ? {} : await recover(data, terminal);
  const onFault = (what: string, error: unknown): void =>
    terminal.err(`coinlab: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  try {
    const server = await createServer(settings, { ...kept, onFault });
    const listening = await listen(server).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    terminal.out(await welcome(server, listening.url, data));
    await stopped;
    await listening.close();
    terminal.out('stopped; what was accepted was answered\n');
  } catch (error) {
    await kept.log?.close();
    throw error instanceof BadSettings ? new BadInput(error.message) : error;
  }
}

function settingsIn(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  } catch (error) {
    throw new BadInput(`${file}: ${(error as Error).message}`);
  }
}

async function recover(folder: string, terminal: Terminal): Promise<ServerPorts> {
  const engine = new Engine();
  const updates: Update[] = [];
  const opened = await openFileStore({
    folder,
    onUpdate: (update) => {
      engine.apply(update);
      updates.push(update);
    },
    onNote: (note) => terminal.err(`coinlab: ${note}\n`),
  });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  const log = opened.value;
  return updates.length === 0 ? { log } : { log, recovered: { state: engine.snapshot(), updates } };
}

/** What somebody needs to know who wants to try it. */
async function welcome(
  { config, token, server }: CoinlabServer,
  url: string,
  data: string | undefined,
): Promise<string> {
  const { auth, validatorWalletUser: operator, profile, clock, dev } = config;
  const lines = [
    `coinlab listens on ${url}`,
    `profile ${profile}, clock ${clock}, log ${data === undefined ? 'in memory' : `in ${data}`}, offset ${server.host.state.offset}`,
    `what it answers: ${url}/openapi.json`,
  ];
  if (auth.algorithm === 'hs-256-unsafe') {
    lines.push('', 'Tokens (HS256):');
    for (const user of [operator, ...(dev ? DEV_USERS : [])]) lines.push(`  ${user.padEnd(16)} ${await token(user)}`);
    const user = dev ? (DEV_USERS[0] ?? operator) : operator;
    lines.push('', 'Try it:', `  curl -H 'Authorization: Bearer ${await token(user)}' ${url}/v0/wallet/balance`);
  }
  return `${lines.join('\n')}\n`;
}
