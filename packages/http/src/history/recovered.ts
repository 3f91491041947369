import { codec, Engine, type LedgerState } from '@coinlab/core';
import { BadSettings } from '../config.js';
import type { LogHeads } from './log-heads.js';

/** A ledger read from a log. */
export interface Recovered {
  readonly state: LedgerState;
  /** Lines of the log, oldest first. Default: the server reads {@link heads} and the log (`lineAt`). */
  readonly lines?: Iterable<string>;
  /** Index of the log's updates; default: the server computes it from {@link lines}. */
  readonly heads?: LogHeads;
  /** Offset of the log's newest snapshot. Default: there is none. */
  readonly snapshot?: number;
  /**
   * The log was written by another program. Its time continues, each of its parties gets a wallet and a user on this server,
   * and no automation runs before time advances. Default: this server wrote the log.
   */
  readonly isForeign?: true;
}

export function recoveredFrom(text: string): Recovered {
  const engine = new Engine();
  const lines = text.trimEnd().split('\n');
  lines.forEach((line, index) => {
    const update = codec.decode(line, index + 1);
    const fault = (reason: string): BadSettings => new BadSettings([`from: line ${index + 1}: ${reason}`]);
    if (!update.ok) throw fault(update.error.reason);
    try {
      engine.apply(update.value);
    } catch (error) {
      throw fault(
        `the update contradicts the lines before it: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  return { state: engine.snapshot(), lines, isForeign: true };
}
