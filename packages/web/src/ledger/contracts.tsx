import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import { Card } from '../parts/card.js';
import { Choice, Field } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import type { Lived } from '../store/log-copy.js';
import { useParam } from '../store/use-param.js';
import { ContractCard } from './contract-card.js';
import { ContractLink } from './contract-link.js';
import { partiesIn, summaryOf } from './contract-text.js';
import { shownContracts, shownOffset, templates } from './filters.js';
import { UpdateCard } from './update-card.js';

export function Contracts(): JSX.Element {
  const rows = shownContracts.value;
  const at = shownOffset.value;
  return (
    <div class="split">
      <Card title="Contracts" aside={`${grouped(rows.length)} after offset ${grouped(at)}`}>
        <ContractFilters />
        {rows.length === 0 ? (
          <Empty title="No contract matches at this moment" />
        ) : (
          <ContractRows rows={rows} at={at} />
        )}
      </Card>
      <div>
        <UpdateCard offset={at} />
        <ContractCard />
      </div>
    </div>
  );
}

function ContractRows({ rows, at }: { readonly rows: readonly Lived[]; readonly at: number }): JSX.Element {
  return (
    <Rows<Lived>
      label="Contracts"
      rows={rows}
      keyOf={({ contract }) => contract.id}
      classOf={({ born, gone }) => (gone === at ? 'gone' : born === at ? 'made' : '')}
      columns={[
        { title: 'Id', width: '5.5rem', cell: ({ contract: { id } }) => <ContractLink id={id} /> },
        { title: 'Template', width: 'minmax(9rem, 0.7fr)', cell: ({ contract }) => contract.template },
        { title: 'Contents', width: 'minmax(12rem, 1.6fr)', cell: ({ contract }) => <bdi>{summaryOf(contract)}</bdi> },
        { title: 'Parties', width: 'minmax(7rem, 0.8fr)', cell: ({ contract }) => <bdi>{partyNames(contract)}</bdi> },
        { title: 'Since', width: '5.5rem', isNumber: true, cell: ({ born }) => grouped(born) },
      ]}
    />
  );
}

function partyNames(contract: unknown): string {
  return [...partiesIn(contract)].map(hintOf).join(', ');
}

function ContractFilters(): JSX.Element {
  const template = useParam('template');
  const party = useParam('party');
  const text = useParam('text');
  const options = [{ value: '', label: 'all' }, ...templates.value.map((one) => ({ value: one, label: one }))];
  return (
    <div class="filters" role="search">
      <Choice label="Template" value={template} options={options} />
      <Field label="Party" isSearch value={party} placeholder="alice, or a party id" />
      <Field label="Text" isSearch value={text} placeholder="anything in a contract" />
    </div>
  );
}
