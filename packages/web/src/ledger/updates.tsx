import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { At } from '../parts/values.js';
import { log } from '../store/log.js';
import type { Update } from '../store/log-copy.js';
import { linkTo } from '../store/route.js';
import { useParam } from '../store/use-param.js';
import { shownOffset } from './filters.js';
import { UpdateCard } from './update-card.js';

export function Updates(): JSX.Element {
  const kind = useParam('kind');
  const party = useParam('party');
  const all = useComputed(() => {
    const loaded = log.loaded.value;
    const wanted = kind.value.trim().toLowerCase();
    const actor = party.value.trim();
    const found: Update[] = [];
    for (let offset = loaded; offset > 0; offset--) {
      const update = log.updateAt(offset);
      if (update && isWanted(update, wanted, actor)) found.push(update);
    }
    return found;
  });
  const at = shownOffset.value;
  const rows = all.value.filter(({ offset }) => offset <= at);
  return (
    <div class="split">
      <Card title="Updates" aside={`${grouped(rows.length)} up to offset ${grouped(at)}`}>
        <div class="filters" role="search">
          <Field label="Kind" isSearch value={kind} placeholder="TransferOffered" />
          <Field label="Party" isSearch value={party} placeholder="alice, or a party id" />
        </div>
        {rows.length === 0 ? <Empty title="No update matches" /> : <UpdateRows rows={rows} at={at} />}
      </Card>
      <div>
        <UpdateCard offset={at} />
      </div>
    </div>
  );
}

function isWanted({ kind, actAs, detail }: Update, wanted: string, actor: string): boolean {
  if (!kind.toLowerCase().includes(wanted)) return false;
  if (actor === '') return true;
  const parties = [...actAs, ...Object.values(detail)].filter((one) => typeof one === 'string');
  return parties.some((one) => one === actor || hintOf(one) === actor);
}

function UpdateRows({ rows, at }: { readonly rows: readonly Update[]; readonly at: number }): JSX.Element {
  return (
    <Rows<Update>
      label="Updates"
      rows={rows}
      keyOf={({ offset }) => offset}
      classOf={({ offset }) => (offset === at ? 'made' : '')}
      columns={[
        {
          title: 'Offset',
          width: '4.5rem',
          cell: ({ offset }) => (
            <a href={linkTo('ledger/updates', { at: String(offset), log: null })}>{grouped(offset)}</a>
          ),
        },
        { title: 'Ledger time (UTC)', width: '11rem', cell: ({ recordTime }) => <At time={recordTime} /> },
        { title: 'Kind', width: 'minmax(8.5rem, 1fr)', cell: ({ kind }) => kind },
        {
          title: 'Acting',
          width: 'minmax(6rem, 1fr)',
          cell: ({ actAs }) => <bdi>{actAs.map(hintOf).join(', ')}</bdi>,
        },
        { title: 'Archived', width: '5rem', isNumber: true, cell: ({ archived }) => archived.length },
        { title: 'Created', width: '5rem', isNumber: true, cell: ({ created }) => created.length },
      ]}
    />
  );
}
