import { emptyLedger } from '@coinlab/core';
import { BrokenLog, forkRun, type Fork } from '@coinlab/sim';
import { logFileEntries, PendingFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from '../exit-code.js';
import { figuresJson, figuresTable } from './figures-table.js';
import { playedScenario, type Played, type PlayedFlags } from '../played-scenario.js';
import { requireLogFile } from '../out-folder.js';
import { progressOf } from '../progress.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { withWalletFlags, type WalletFlags } from '../wallet-flags.js';

export interface ForkFlags extends PlayedFlags, WalletFlags {
  readonly at: number;
  readonly replicate?: number;
  readonly log?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function forkCommand(source: string, flags: ForkFlags, terminal: Terminal): Promise<void> {
  const played = await playedScenario(flags);
  if (!played)
    throw new BadInput('--scenario or --manifest: expected one of them, because a log has no requested payments');
  if (flags.policy === undefined && flags.merge === undefined)
    throw new BadInput('--policy or --merge: expected at least one change for the fork');
  if (flags.log !== undefined) requireLogFile(flags.log, { overwrite: true });
  const log = flags.log === undefined ? null : pending(flags.log);
  try {
    const fork = forked(source, played, flags, log, terminal);
    log?.commit();
    terminal.out(flags.json ? `${JSON.stringify(asJson(source, flags, fork))}\n` : asText(source, flags, fork));
  } catch (error) {
    log?.discard();
    throw error instanceof BrokenLog || error instanceof RangeError ? new BadInput(error.message) : error;
  }
}

function forked(source: string, played: Played, flags: ForkFlags, log: PendingFile | null, terminal: Terminal): Fork {
  const { scenario, files, policies } = played;
  const isShown = terminal.isInteractive && !flags.quiet;
  let progress = progressOf('fork', 0, false);
  try {
    return forkRun(scenario, {
      file: source,
      history: logFileEntries(source, emptyLedger().state),
      at: flags.at,
      groups: withWalletFlags(scenario, flags, policies).groups,
      replicate: flags.replicate ?? played.replicate,
      policies,
      files,
      ...(log && { log: (piece: Uint8Array) => log.write(piece) }),
      onProgress(rounds, total) {
        if (rounds === 1) progress = progressOf('fork', total ?? 0, isShown && total !== null, 'rounds');
        progress.update(rounds);
      },
    });
  } finally {
    progress.end();
  }
}

function pending(file: string): PendingFile {
  try {
    return new PendingFile(file);
  } catch (error) {
    throw new BadInput(`${file}: cannot be written: ${messageOf(error)}`);
  }
}

function asJson(source: string, { at }: ForkFlags, { round, before, after, log, stateHash }: Fork): unknown {
  return {
    source,
    at,
    round,
    before: { rounds: before.rounds, metrics: figuresJson(before.summary) },
    after: { rounds: after.rounds, metrics: figuresJson(after.summary), log, stateHash },
  };
}

function asText(
  source: string,
  { at, policy, merge }: ForkFlags,
  { round, before, after, log, stateHash }: Fork,
): string {
  const other = [policy, merge === undefined ? null : `merge ${merge}`].filter(Boolean).join(', ');
  const columns = [
    { title: 'as logged', of: (name: string) => before.summary.get(name) },
    { title: other, of: (name: string) => after.summary.get(name) },
  ];
  return `${source}: ${grouped(at)} updates in common, up to round ${grouped(round)} of ${grouped(after.rounds)}; figures cover the whole run

${figuresTable(columns)}
log ${log.hash}
state ${stateHash}
`;
}
