import { Amount } from '@coinlab/core';
import { useComputed, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { amountOf, grouped } from '../format/amounts.js';
import { shownOffset } from '../ledger/filters.js';
import { LogState } from '../ledger/log-state.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { Coin, Party } from '../parts/values.js';
import { log } from '../store/log.js';
import { isActiveAt, type Lived } from '../store/log-copy.js';
import { linkTo } from '../store/route.js';
import { useParam } from '../store/use-param.js';

interface PartyRow {
  readonly party: string;
  readonly coins: number;
  readonly locked: number;
  readonly total: Amount;
}

/** Target of the network for the number of coins of a party. */
const TARGET = 10;

export function Parties(): JSX.Element {
  useEffect(() => log.follow(), []);
  const name = useParam('party');
  const all = useHolders();
  const wanted = name.value.trim().toLowerCase();
  const rows = all.value.filter(({ party }) => party.toLowerCase().includes(wanted));
  const above = all.value.filter(({ coins }) => coins > TARGET).length;
  return (
    <Card
      title="Parties by coins"
      aside={`${grouped(all.value.length)} hold coin, ${grouped(above)} more than ${TARGET} coins`}
    >
      <LogState />
      <div class="filters" role="search">
        <Field label="Party" isSearch value={name} placeholder="alice" />
      </div>
      {rows.length === 0 ? <Empty title="No party matches" /> : <PartyRows rows={rows} />}
    </Card>
  );
}

function useHolders(): ReadonlySignal<readonly PartyRow[]> {
  return useComputed(() => {
    void log.loaded.value;
    const at = shownOffset.value;
    const byParty = new Map<string, { coins: number; locked: number; total: Amount }>();
    for (const one of log.lived) if (isCoin(one) && isActiveAt(one, at)) count(byParty, one);
    return [...byParty]
      .map(([party, held]) => ({ party, ...held }))
      .sort((a, b) => b.coins - a.coins || (a.party < b.party ? -1 : 1));
  });
}

function isCoin({ contract }: Lived): boolean {
  return contract.template === 'Holding';
}

function count(byParty: Map<string, { coins: number; locked: number; total: Amount }>, { contract }: Lived): void {
  const owner = String(contract['owner']);
  const held = byParty.get(owner) ?? { coins: 0, locked: 0, total: Amount.zero };
  byParty.set(owner, held);
  held.coins += 1;
  if (contract['lock'] !== null) held.locked += 1;
  held.total = Amount.add(held.total, amountOf(String(contract['amount'])));
}

function PartyRows({ rows }: { readonly rows: readonly PartyRow[] }): JSX.Element {
  return (
    <Rows<PartyRow>
      label="Parties"
      rows={rows}
      keyOf={({ party }) => party}
      columns={[
        { title: 'Party', cell: ({ party }) => <Party id={party} canCopy /> },
        { title: 'Coins', isNumber: true, cell: ({ coins }) => grouped(coins) },
        { title: 'Locked', isNumber: true, cell: ({ locked }) => grouped(locked) },
        { title: 'Amount', isNumber: true, cell: ({ total }) => <Coin amount={Amount.format(total)} unit="CC" /> },
        {
          title: 'Contracts',
          cell: ({ party }) => <a href={linkTo('ledger', { party, template: 'Holding' })}>show the coins</a>,
        },
      ]}
    />
  );
}
