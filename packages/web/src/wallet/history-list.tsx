import { Amount } from '@coinlab/core';
import type { JSX } from 'preact';
import type { HistoryItem } from '../api/shapes.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { At, Coin, Party } from '../parts/values.js';
import { historyRow, type HistoryRow } from './history-rows.js';

interface HistoryListProps {
  readonly items: readonly HistoryItem[];
  readonly party: string;
}

export function HistoryList({ items, party }: HistoryListProps): JSX.Element {
  if (items.length === 0)
    return (
      <Empty title="Nothing has happened in this wallet yet">
        <p>Payments, offers, taps and rewards appear here.</p>
      </Empty>
    );
  return <HistoryRows rows={items.map((item) => historyRow(item, party))} />;
}

export function HistoryRows({ rows }: { readonly rows: readonly HistoryRow[] }): JSX.Element {
  return (
    <Rows<HistoryRow>
      label="Transactions"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'When (UTC)', width: 'minmax(10.5rem, max-content)', cell: ({ date }) => <At time={date} /> },
        { title: 'What', cell: ({ title }) => title },
        { title: 'With', cell: ({ other }) => (other === null ? '' : <Party id={other} />) },
        { title: 'Change', isNumber: true, cell: ({ change }) => <Change change={change} /> },
        { title: 'Text', width: 'minmax(0, 1.4fr)', cell: ({ text }) => (text === '' ? '' : <bdi>{text}</bdi>) },
      ]}
    />
  );
}

function Change({ change }: { readonly change: Amount | null }): JSX.Element | string {
  if (change === null) return '';
  return (
    <span class={change < 0n ? 'minus' : change > 0n ? 'plus' : 'quiet'}>
      {change > 0n ? '+' : ''}
      <Coin amount={Amount.format(change)} />
    </span>
  );
}
