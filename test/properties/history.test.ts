import { findAny } from '@coinlab/core/views';
import { historyItemsOf, type HistoryItem } from '@coinlab/core/histories';
import { PROFILE_NAMES, type Holding, type LedgerState, type PartyId, type Update } from '@coinlab/core';
import { busyNetwork, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { recordedSteps } from '../core/recorded.ts';

/** Kinds that end a lock: what comes back is told, though the owner's total stays as it was. */
const COMES_BACK: ReadonlySet<Update['kind']> = new Set([
  'HoldingUnlocked',
  'LockExpired',
  'TransferRejected',
  'TransferWithdrawn',
  'TransferExpired',
  'AnsPaymentRejected',
  'AnsPaymentReclaimed',
]);

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('a history covers every coin that an update touches, and its amounts add up', () => {
    fc.assert(
      fc.property(sequences(60), (steps) => {
        let ledger = busyNetwork(profile);
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const result = ledger.submit(command, context);
          if (!result.ok) continue;
          requireTold(result.value.update, ledger.state);
          ledger = result.value.ledger;
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('the history of a recorded log with every kind of update covers every coin, and its amounts add up', () => {
    for (const { before, update } of recordedSteps(profile)) if (before.offset > 0) requireTold(update, before);
  });
});

function requireTold(update: Update, before: LedgerState): void {
  const gone = update.archived.map((id) => findAny(before, id)).filter((contract) => contract !== null);
  const [spent, made] = [gone, update.created].map((contracts) =>
    contracts.filter((contract): contract is Holding => contract.template === 'Holding'),
  ) as [Holding[], Holding[]];
  for (const party of new Set([...spent, ...made].map(({ owner }) => owner))) {
    const items = historyItemsOf(update, party);
    expect(items.length, `${update.kind} is in the history of ${party}`).toBeGreaterThan(0);
    expect(sumOf(items, party), `${update.kind} adds up for ${party}`).toBe(changeOf(update, spent, made, party));
  }
}

/** Change of a party's coin as a history counts it: newly locked coin is subtracted, coin that was locked before still counts. */
function changeOf({ kind }: Update, spent: readonly Holding[], made: readonly Holding[], party: PartyId): bigint {
  const free = (coins: readonly Holding[]) => total(coins.filter(({ owner, lock }) => owner === party && !lock));
  if (COMES_BACK.has(kind)) return free(made) - free(spent);
  return free(made) - total(spent.filter(({ owner }) => owner === party));
}

function total(coins: readonly Holding[]): bigint {
  return coins.reduce((sum, coin) => sum + coin.amount, 0n);
}

function sumOf(items: readonly HistoryItem[], party: PartyId): bigint {
  const amounts = items.flatMap((item) => {
    if (item.type === 'transfer') return [item.sender, ...item.receivers];
    return item.type === 'balance_change' ? item.receivers : [];
  });
  return amounts.reduce((sum, each) => (each.party === party ? sum + each.amount : sum), 0n);
}
