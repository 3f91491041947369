import type { JSX } from 'preact';
import { grouped } from '../format/amounts.js';
import { Card } from '../parts/card.js';
import { Empty } from '../parts/states.js';
import { log } from '../store/log.js';
import { isCoin } from './life/coin.js';
import { linkTo, param } from '../store/route.js';
import { Fields } from './fields.js';

export function ContractCard(): JSX.Element | null {
  const wanted = param('contract');
  if (wanted === null) return null;
  void log.loaded.value;
  const lived = log.get(Number(wanted));
  if (lived === null) return <Empty title={`The log has no contract #${wanted}`} />;
  const { contract, born, gone } = lived;
  const { id, template, ...fields } = contract;
  return (
    <Card title={`${template} #${id}`} aside={gone === null ? 'active' : 'archived'}>
      <p>
        Created by <UpdateLink offset={born} id={id} />
        {gone === null ? (
          '.'
        ) : (
          <>
            , archived by <UpdateLink offset={gone} id={id} />.
          </>
        )}
      </p>
      {isCoin(contract) ? (
        <p>
          <a href={linkTo('ledger/life', { contract: String(id) })}>Life of this coin</a>
        </p>
      ) : null}
      <Fields value={fields} />
    </Card>
  );
}

function UpdateLink({ offset, id }: { readonly offset: number; readonly id: number }): JSX.Element {
  const kind = log.updateAt(offset)?.kind ?? 'an update';
  return (
    <a
      href={linkTo('ledger', {
        at: String(offset),
        log: null,
        contract: String(id),
        template: param('template'),
        party: param('party'),
      })}
    >
      {kind} at offset {grouped(offset)}
    </a>
  );
}
