import { codec, ledgerFrom, replay, type Law, type Ledger, type LedgerState, type Update } from '@coinlab/core';
import { parseJsonObject, readStateLines, stateLines } from '@coinlab/core/codec';
import { LedgerAssertionError } from '../failure.js';

/** The source of a continued test ledger: the text of `world.save()`, a ledger, its complete log, or a state. */
export type LedgerSource = string | Ledger | { readonly ledger: Ledger } | readonly Update[] | LedgerState;

/**
 * Returns one update per line, for `coinlab serve --from FILE` and `coinlab log`.
 * @param state the state to write instead, for a ledger whose log does not replay to its state; otherwise null
 */
export function savedText(updates: readonly Update[], state: LedgerState | null): string {
  const lines = state ? [...stateLines(state)] : updates.map((update) => codec.encode(update));
  return `${lines.join('\n')}\n`;
}

export function ledgerOf(source: LedgerSource, laws: readonly Law[]): Ledger {
  if (typeof source === 'string') return readSaved(source.trimEnd().split('\n'), laws);
  if ('length' in source) return replayed(source, laws);
  if ('ledger' in source) return ledgerOf(source.ledger, laws);
  if (!('submit' in source)) return ledgerFrom(source, laws);
  const updates = source.updates();
  return updates[0]?.offset === 1 ? replay(updates, laws) : ledgerFrom(source.state, laws);
}

function replayed(updates: readonly Update[], laws: readonly Law[]): Ledger {
  const first = updates[0]?.offset;
  if (first === 1) return replay(updates, laws);
  const found = first === undefined ? 'there are none' : `they begin at offset ${first}`;
  throw new LedgerAssertionError(`a ledger continues from its updates from the first on, but ${found}`, 1, first);
}

function readSaved(lines: readonly string[], laws: readonly Law[]): Ledger {
  const isLog = 'kind' in (parseJsonObject(lines[0] ?? '') ?? {});
  if (isLog)
    return replay(
      lines.map((line, i) => orThrow(codec.decode(line, i + 1))),
      laws,
    );
  return ledgerFrom(orThrow(readStateLines(lines)), laws);
}

function orThrow<Value>(
  read:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly error: { readonly line: number; readonly reason: string } },
): Value {
  if (read.ok) return read.value;
  const { line, reason } = read.error;
  throw new LedgerAssertionError(`this text is no saved ledger: line ${line}: ${reason}`);
}
