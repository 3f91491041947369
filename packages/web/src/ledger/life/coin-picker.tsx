import { useComputed } from '@preact/signals';
import { Amount } from '@coinlab/core';
import type { JSX } from 'preact';
import { Field } from '../../parts/field.js';
import { Rows } from '../../parts/rows.js';
import { Empty } from '../../parts/states.js';
import { Coin, Party } from '../../parts/values.js';
import { log } from '../../store/log.js';
import { isActiveAt, type Lived } from '../../store/log-copy.js';
import { linkTo } from '../../store/route.js';
import { useParam } from '../../store/use-param.js';
import { shownOffset } from '../filters.js';
import { amountIn, isCoin } from './coin.js';

export function CoinPicker(): JSX.Element {
  const party = useParam('party');
  const coins = useComputed(() => {
    void log.loaded.value;
    const at = shownOffset.value;
    return log.lived.filter((one) => isCoin(one.contract) && isActiveAt(one, at)).toReversed();
  });
  const wanted = party.value.trim().toLowerCase();
  const rows = coins.value.filter(({ contract }) => String(contract['owner']).toLowerCase().includes(wanted));
  return (
    <>
      <p>Choose a coin to see the mints that it comes from, each update on the way, and its end.</p>
      <div class="filters" role="search">
        <Field label="Party" isSearch value={party} placeholder="alice" />
      </div>
      {rows.length === 0 ? (
        <Empty title="No coin matches at this moment" />
      ) : (
        <Rows<Lived>
          label="Coins"
          rows={rows}
          keyOf={({ contract }) => contract.id}
          columns={[
            {
              title: 'Coin',
              width: '6rem',
              cell: ({ contract: { id } }) => <a href={linkTo('ledger/life', { contract: String(id) })}>#{id}</a>,
            },
            { title: 'Owner', cell: ({ contract }) => <Party id={String(contract['owner'])} /> },
            {
              title: 'Amount',
              isNumber: true,
              cell: ({ contract }) => <Coin amount={Amount.format(amountIn(contract))} unit="CC" />,
            },
            { title: 'Lock', cell: ({ contract }) => (contract['lock'] === null ? 'none' : 'locked') },
          ]}
        />
      )}
    </>
  );
}
