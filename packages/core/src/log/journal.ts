import { partAfter, partsFrom, versionOf, type VersionList } from '@coinlab/collections';
import type { PackedTransfer } from '../contracts/packed-transfer.js';
import { isPacked, type Entry } from './entry.js';
import type { Update } from './update.js';

// Casts: entries are read as they were written.

/** The fields that consecutive transfers mostly have in common. */
type Terms = Pick<PackedTransfer, 'kind' | 'recordTime' | 'seed' | 'parties' | 'round' | 'rate'>;

/** The entries of one version of a ledger. Transfers are numbers: as objects, those of old versions took a quarter of the time to collect garbage. */
export type Journal = VersionList<Update | Terms>;

const UPDATE = -1;

export function journalWith(journal: Journal | null, entry: Entry): Journal {
  const part = partAfter(journal, entry.offset);
  const { numbers, items } = part;
  if (isPacked(entry)) {
    const { inputs, firstCoin, from, to, paid, change, preapproval } = entry;
    const last = items.at(-1);
    const isSame = last !== undefined && hasTerms(last, entry);
    if (!isSame) items.push(termsOf(entry));
    numbers.push(2 * inputs.length + (isSame ? 0 : 1), firstCoin, from, to, paid, change, preapproval);
    for (let i = 0; i < inputs.length; i++) numbers.push(inputs[i] as number);
  } else {
    numbers.push(UPDATE);
    items.push(entry);
  }
  return versionOf(part);
}

function termsOf({ kind, recordTime, seed, parties, round, rate }: PackedTransfer): Terms {
  return { kind, recordTime, seed, parties, round, rate };
}

/** Updates have no rate. All transfers of a ledger have one seed and one numbering of parties. */
function hasTerms(last: Update | Terms, { kind, recordTime, round, rate }: Terms): boolean {
  const terms = last as Terms;
  return terms.kind === kind && terms.recordTime === recordTime && terms.round === round && terms.rate === rate;
}

/** Returns the entries after an offset, oldest first. */
export function entriesAfter(journal: Journal | null, after: number): readonly Entry[] {
  return partsFrom(journal, after + 1).flatMap((part) => [...entriesOf(part)].filter(({ offset }) => offset > after));
}

function* entriesOf({ part: { first, numbers, items }, numbers: end }: Journal): Generator<Entry, void> {
  let terms = items[0] as Terms;
  for (let [offset, at, item] = [first, 0, 0]; at < end; offset++) {
    const head = numbers[at++] as number;
    if (head === UPDATE) {
      yield items[item++] as Update;
      continue;
    }
    if (head % 2 === 1) terms = items[item++] as Terms;
    const [firstCoin, from, to, paid, change, preapproval] = numbers.slice(at, at + 6);
    const inputs = numbers.slice(at + 6, (at += 6 + Math.floor(head / 2)));
    yield { ...terms, offset, firstCoin, from, to, inputs, paid, change, preapproval } as object as PackedTransfer;
  }
}
