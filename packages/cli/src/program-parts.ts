import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Terminal } from './terminal.js';

export const EXIT_CODES: string = `
Exit codes: 0 success; 1 the run failed; 2 invalid usage or input, nothing ran.`;

export function programNamed(): Command {
  return new Command('coinlab')
    .description(
      'Simulate payments on the ledger of a coin network and measure UTXO growth, or serve the network’s APIs.',
    )
    .version(version(), '-V, --version');
}

export function reporting(program: Command, terminal: Terminal): Command {
  for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])]) {
    command.exitOverride().configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (message, write) => write(message.replace(/^error: /, 'coinlab: ')),
    });
  }
  return program;
}

export function version(): string {
  // Our own package.json.
  const { version: own } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return own;
}
