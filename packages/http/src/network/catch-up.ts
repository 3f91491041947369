import { Instant } from '@coinlab/core';
import { hasCurrentRound } from '@coinlab/core/rules';
import { openRoundsOf } from '@coinlab/core/views';
import type { Host } from '../host/host.js';
import type { AutomationDriver } from './automation-driver.js';

/**
 * Run this before any other command: a command advances ledger time to now, and rounds cannot open before ledger time.
 * @param isForeign the log is of another network and may end where no round can be current; time then advances until the next one
 * opens
 */
export async function catchUpRounds(host: Host, automation: AutomationDriver, isForeign: boolean): Promise<void> {
  if (hasCurrentRound(host.ahead, host.now())) return;
  await automation.run(['frequent']);
  const opensAt = openRoundsOf(host.ahead).at(-1)?.opensAt ?? host.now();
  if (isForeign && opensAt > host.now()) await automation.advance(Instant.between(host.now(), opensAt));
}
