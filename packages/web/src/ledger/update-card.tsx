import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { Card } from '../parts/card.js';
import { At, Id, Party } from '../parts/values.js';
import { log } from '../store/log.js';
import type { LedgerContract } from '../store/log-copy.js';
import { ContractLink } from './contract-link.js';
import { summaryOf } from './contract-text.js';
import { Fields } from './fields.js';

export function UpdateCard({ offset }: { readonly offset: number }): JSX.Element | null {
  const update = log.updateAt(offset);
  if (update === null) return null;
  const { kind, recordTime, actAs, archived, created, detail, updateId } = update;
  const gone = archived.flatMap((id) => log.get(id)?.contract ?? []);
  return (
    <Card title={kind} aside={`offset ${grouped(offset)}`}>
      <dl class="facts">
        <dt>Ledger time</dt>
        <dd>
          <At time={recordTime} /> UTC
        </dd>
        <dt>Acting</dt>
        <dd>
          {actAs.map((party) => (
            <Party key={party} id={party} />
          ))}
        </dd>
        <dt>Update id</dt>
        <dd>
          <Id id={updateId} what="update id" />
        </dd>
      </dl>
      <Changed title="Archived" contracts={gone} className="gone" />
      <Changed title="Created" contracts={created} className="made" />
      <details>
        <summary>Detail</summary>
        <Fields value={detail} />
      </details>
    </Card>
  );
}

interface ChangedProps {
  readonly title: string;
  readonly contracts: readonly LedgerContract[];
  readonly className: string;
}

function Changed({ title, contracts, className }: ChangedProps): JSX.Element | null {
  if (contracts.length === 0) return null;
  return (
    <>
      <h3>
        {title} <span class="quiet">{contracts.length}</span>
      </h3>
      <ChangedList contracts={contracts.slice(0, MOST_SHOWN)} className={className} />
      {contracts.length > MOST_SHOWN ? (
        <details>
          <summary>{contracts.length - MOST_SHOWN} more</summary>
          <ChangedList contracts={contracts.slice(MOST_SHOWN)} className={className} />
        </details>
      ) : null}
    </>
  );
}

const MOST_SHOWN = 8;

function ChangedList({ contracts, className }: Omit<ChangedProps, 'title'>): JSX.Element {
  return (
    <ul class="changed">
      {contracts.map((contract) => (
        <li key={contract.id} class={className}>
          <ContractLink id={contract.id} /> {contract.template} <bdi class="quiet">{summaryOf(contract)}</bdi>
        </li>
      ))}
    </ul>
  );
}
