import { setImmediate } from 'node:timers/promises';
import { settingsOf } from '@coinlab/core';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import type { LedgerView } from '../../../history/ledger-view.js';
import type { Tail } from '../../../host/tail.js';
import type { OffsetRange, PartyUpdates } from '../../../history/party-updates.js';
import {
  ledgerTransactionOf,
  type LedgerTransaction,
  type TransactionFormat,
} from '../../../wire/ledger/transaction.js';
import { requireReached, requireUnreverted } from '../lists.js';

export interface UpdateRange extends OffsetRange {
  readonly isDescending: boolean;
}

interface Bounds {
  readonly begin: number | null | undefined;
  readonly end: number | null | undefined;
  readonly isDescending: boolean | null | undefined;
}

export function rangeOf(
  { begin: from, end: until, isDescending }: Bounds,
  ledgerEnd: number,
  [beginField, endField]: readonly [string, string] = ['beginExclusive', 'endInclusive'],
): UpdateRange {
  const begin = from ?? 0;
  requireReached(begin, ledgerEnd, beginField);
  const end = until ?? ledgerEnd;
  requireReached(end, ledgerEnd, endField);
  if (begin > end)
    throw new LedgerProblem('OFFSET_OUT_OF_RANGE', `${endField}: ${end} is before ${beginField} ${begin}`);
  return { begin, end, isDescending: isDescending ?? false };
}

export type UpdatesNeeds = LedgerView & { readonly ofParties: PartyUpdates; readonly tail: Pick<Tail, 'resets'> };

/** Updates read before other requests are handled: they take a few milliseconds. */
const AT_ONCE = 100;

export async function* transactionsIn(
  range: UpdateRange,
  format: TransactionFormat,
  server: UpdatesNeeds,
): AsyncGenerator<LedgerTransaction, void, undefined> {
  const { resets } = server.tail;
  let count = 0;
  for (const at of offsetsIn(range, format, server)) {
    requireUnreverted(resets, server.tail);
    const transaction = ledgerTransactionOf(server.history.updateAt(at), format, server);
    if (transaction) yield transaction;
    if (++count % AT_ONCE === 0) await setImmediate();
  }
}

function offsetsIn(
  range: UpdateRange,
  { ofParty, ofAny, shape }: TransactionFormat,
  server: UpdatesNeeds,
): Iterable<number> {
  if (range.begin === range.end) return [];
  const { dso } = settingsOf(server.state);
  if (ofAny || ofParty.has(dso)) return allIn(range);
  const find = shape === 'ACS_DELTA' ? 'offsetsOf' : 'witnessedBy';
  const [first = [], ...others] = Array.from(ofParty.keys(), (party) => server.ofParties[find](party, range));
  const offsets = others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b);
  return range.isDescending ? offsets.toReversed() : offsets;
}

function* allIn({ begin, end, isDescending }: UpdateRange): Generator<number, void, undefined> {
  for (let i = 0; i < end - begin; i++) yield isDescending ? end - i : begin + 1 + i;
}
