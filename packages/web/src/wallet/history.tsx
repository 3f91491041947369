import { Amount } from '@coinlab/core';
import { signal, useComputed, useSignal, useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { post, send, type Problem } from '../api/call.js';
import type { HistoryItem, HistoryPage } from '../api/shapes.js';
import { csvOf, download } from '../format/csv.js';
import { Card } from '../parts/card.js';
import { Choice, Field } from '../parts/field.js';
import { Empty, Failure } from '../parts/states.js';
import { concern } from '../store/changes.js';
import { changes } from '../store/live.js';
import { moment } from '../store/route.js';
import { HistoryRows } from './history-list.js';
import { historyRow, type HistoryRow } from './history-rows.js';
import type { WalletProps } from './wallet-props.js';

const PAGE = 100;
const MOST_PAGES_OF_SEARCH = 20;

const KINDS = [
  { value: '', label: 'all' },
  { value: 'in', label: 'received' },
  { value: 'out', label: 'spent' },
  { value: 'none', label: 'without a change' },
];

class Pages {
  readonly items = signal<readonly HistoryItem[]>([]);
  readonly isEnd = signal(false);
  readonly isLoading = signal(false);
  readonly problem = signal<Problem | null>(null);
  readonly #token: string;
  #at: number | null = null;

  constructor(token: string) {
    this.#token = token;
  }

  async refresh(at: number | null): Promise<void> {
    const isOther = at !== this.#at;
    this.#at = at;
    const first = await this.#page('', isOther ? PAGE : Math.max(PAGE, 1));
    if (first === null || at !== this.#at) return;
    const known = new Map(this.items.peek().map((item, index) => [item.event_id, index]));
    const overlap = first.findIndex(({ event_id }) => known.has(event_id));
    const isContinued = !isOther && overlap >= 0;
    const rest = isContinued ? this.items.peek().slice(known.get(first[overlap]?.event_id ?? '') ?? 0) : first;
    this.items.value = isContinued ? [...first.slice(0, overlap), ...rest] : first;
    if (!isContinued) this.isEnd.value = first.length < PAGE;
  }

  async more(): Promise<void> {
    if (this.isEnd.peek() || this.isLoading.peek()) return;
    const page = await this.#page(this.items.peek().at(-1)?.event_id ?? '', PAGE);
    if (page === null) return;
    this.items.value = [...this.items.peek(), ...page];
    this.isEnd.value = page.length < PAGE;
  }

  async all(): Promise<void> {
    while (!this.isEnd.peek() && this.problem.peek() === null) await this.more();
  }

  async #page(after: string, size: number): Promise<readonly HistoryItem[] | null> {
    this.isLoading.value = true;
    const body = { page_size: size, ...(after === '' ? {} : { begin_after_id: after }) };
    const answer = await send<HistoryPage>(post('v0/wallet/transactions', body, this.#token), this.#at);
    this.isLoading.value = false;
    this.problem.value = answer.ok ? null : answer.problem;
    return answer.ok ? answer.body.items : null;
  }
}

export function History({ party, token }: WalletProps): JSX.Element {
  const pages = useMemo(() => new Pages(token), [token]);
  const text = useSignal('');
  const kind = useSignal('');
  const from = useSignal('');
  const to = useSignal('');
  const asked = useRef('');
  useSignalEffect(() => {
    const newest = moment.value === null ? changes.value : null;
    const key = `${moment.value} ${token}`;
    if (key === asked.current && (newest === null || !concern(newest, [{ party }]))) return;
    asked.current = key;
    void pages.refresh(moment.value);
  });
  const rows = useComputed(() => {
    const matches = filterOf({ text, kind, from, to });
    return pages.items.value.map((item) => historyRow(item, party)).filter(matches);
  });
  const isFiltered = useComputed(() => [text, kind, from, to].some((one) => one.value !== ''));
  useSignalEffect(() => {
    const read = pages.items.value.length / PAGE;
    if (isFiltered.value && rows.value.length < PAGE && read < MOST_PAGES_OF_SEARCH) void pages.more();
  });
  return (
    <Card title="History" aside={<CountText pages={pages} rows={rows} />}>
      <div class="filters" role="search">
        <Field label="Search" isSearch value={text} placeholder="party, text, amount" />
        <Choice label="Kind" value={kind} options={KINDS} />
        <Field label="From" value={from} placeholder="2026-01-01" fault={dateFault(from.value)} />
        <Field label="To" value={to} placeholder="2026-12-31" fault={dateFault(to.value)} />
        <Export pages={pages} rows={rows} />
      </div>
      <Shown pages={pages} rows={rows} isFiltered={isFiltered.value} />
    </Card>
  );
}

interface ShownProps {
  readonly pages: Pages;
  readonly rows: ReadonlySignal<readonly HistoryRow[]>;
}

function Shown({ pages, rows, isFiltered }: ShownProps & { readonly isFiltered: boolean }): JSX.Element {
  const problem = pages.problem.value;
  const hasNone = rows.value.length === 0 && (pages.isEnd.value || !pages.isLoading.value);
  return (
    <>
      {problem ? <Failure problem={problem} retry={() => void pages.refresh(moment.peek())} /> : null}
      {hasNone && problem === null ? (
        <Empty title={isFiltered ? 'No transaction matches' : 'Nothing has happened in this wallet yet'} />
      ) : (
        <HistoryRows rows={rows.value} />
      )}
      {pages.isEnd.value ? null : (
        <button type="button" disabled={pages.isLoading.value} onClick={() => void pages.more()}>
          Older transactions
        </button>
      )}
    </>
  );
}

function CountText({ pages, rows }: ShownProps): JSX.Element {
  return (
    <>
      {rows.value.length} of {pages.items.value.length}
      {pages.isEnd.value ? '' : ' read'}
    </>
  );
}

function Export({ pages, rows }: ShownProps): JSX.Element {
  const run = async (): Promise<void> => {
    await pages.all();
    download('transactions.csv', csvOf(COLUMNS, rows.value.map(cellsOf)));
  };
  return (
    <button type="button" disabled={pages.isLoading.value} onClick={() => void run()}>
      Export CSV
    </button>
  );
}

const COLUMNS = ['date', 'what', 'party', 'change', 'text', 'event_id'];

function cellsOf({ date, title, other, change, text, id }: HistoryRow): readonly string[] {
  return [date, title, other ?? '', change === null ? '' : Amount.format(change), text, id];
}

interface Filter {
  readonly text: Signal<string>;
  readonly kind: Signal<string>;
  readonly from: Signal<string>;
  readonly to: Signal<string>;
}

function filterOf({ text, kind, from, to }: Filter): (row: HistoryRow) => boolean {
  const wanted = text.value.trim().toLowerCase();
  const [first, last] = [dateIn(from.value) ?? '', dateIn(to.value) ?? ''];
  return (row) =>
    hasText(row, wanted) &&
    (kind.value === '' || kind.value === sideOf(row)) &&
    row.date.slice(0, first.length) >= first &&
    (last === '' || row.date.slice(0, last.length) <= last);
}

const DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3])(:[0-5]\d(:[0-5]\d)?)?)?)?)?$/;

/** Returns a date or the beginning of one as the history writes it; null for other texts. */
function dateIn(typed: string): string | null {
  const text = typed.trim().replace(' ', 'T');
  return DATE.test(text) ? text : null;
}

function dateFault(typed: string): string | null {
  return typed.trim() === '' || dateIn(typed) !== null
    ? null
    : 'Type a date: 2026, 2026-01, 2026-01-31 or 2026-01-31 12:30.';
}

function hasText({ title, other, change, text }: HistoryRow, wanted: string): boolean {
  if (wanted === '') return true;
  const all = [title, other ?? '', text, change === null ? '' : Amount.short(change)];
  return all.some((one) => one.toLowerCase().includes(wanted));
}

function sideOf({ change }: HistoryRow): string {
  if (change === null || change === 0n) return 'none';
  return change > 0n ? 'in' : 'out';
}
