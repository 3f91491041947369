import { codec, Engine, type LedgerState } from '@coinlab/core';
import { BadSettings } from '../config.js';
import type { LogHeads } from './log-heads.js';

/** What a log led to, and how. */
export interface Recovered {
  readonly state: LedgerState;
  /** Every update as the codec writes it, oldest first. Left out: {@link heads} knows them, and the log reads them (`lineAt`). */
  readonly lines?: Iterable<string>;
  /** What every update tells first. Left out: it is read from {@link lines}. */
  readonly heads?: LogHeads;
  /** Offset of the newest snapshot beside the log; left out: there is none. */
  readonly snapshot?: number;
  /**
   * The log is of a network that ran elsewhere: its time goes on from there, each of its parties gets a wallet and a user here, and no
   * habit has its turn before time moves on. Left out: it is this server's own.
   */
  readonly isForeign?: true;
}

/** The ledger of a log that another program wrote, from its text. Throws {@link BadSettings} with the first line that does not fit. */
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
