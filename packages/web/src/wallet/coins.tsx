import { Amount, ContractId, Round } from '@coinlab/core';
import { expiryRoundOf } from '@coinlab/core/contracts';
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { get } from '../api/call.js';
import type { CoinList, Position } from '../api/shapes.js';
import { amountOf, grouped, shownAmount } from '../format/amounts.js';
import { Card } from '../parts/card.js';
import { Choice } from '../parts/field.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { Coin, Id, Party, Relative } from '../parts/values.js';
import { isDev } from '../store/live.js';
import { linkTo } from '../store/route.js';
import { useResource } from '../store/resource.js';
import type { WalletProps } from './wallet-props.js';

interface CoinRow {
  readonly id: string;
  readonly amount: Amount;
  readonly fee: string;
  readonly createdAt: string;
  readonly createdIn: number;
  readonly round: number;
  /** First round in which the coin is dust; null for a coin that never becomes dust. */
  readonly dustIn: number | null;
  readonly lock: {
    readonly holders: readonly string[];
    readonly expiresAt: string;
    readonly reason: string | null;
  } | null;
}

const ORDERS = [
  { value: 'amount', label: 'largest first' },
  { value: 'age', label: 'oldest first' },
  { value: 'dust', label: 'next dust first' },
];

export function Coins({ party, token }: WalletProps): JSX.Element {
  const order = useSignal('amount');
  const coins = useResource<CoinList>(() => get('v0/wallet/amulets', token), {
    follows: () => [{ party }, { round: true }],
  });
  const rows = useComputed(() => (coins.body.value === null ? [] : sorted(rowsOf(coins.body.value), order.value)));
  return (
    <Card title="Coins" aside={coins.body.value === null ? '' : countText(coins.body.value)}>
      <Choice label="Order" value={order} options={ORDERS} />
      <Loaded resource={coins} what="the coins">
        {() =>
          rows.value.length === 0 ? (
            <Empty title="This wallet has no coin">
              <p>Coins come from payments, from a tap on a development network, and from rewards.</p>
            </Empty>
          ) : (
            <CoinRows rows={rows.value} />
          )
        }
      </Loaded>
    </Card>
  );
}

function CoinRows({ rows }: { readonly rows: readonly CoinRow[] }): JSX.Element {
  return (
    <Rows<CoinRow>
      label="Coins"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Amount',
          width: 'minmax(11.5rem, 1fr)',
          isNumber: true,
          cell: ({ amount }) => <Coin amount={Amount.format(amount)} unit="CC" />,
        },
        { title: 'Age', cell: ({ createdAt, createdIn }) => <Age createdAt={createdAt} round={createdIn} /> },
        { title: 'Holding fee', isNumber: true, cell: ({ fee }) => <Coin amount={fee} /> },
        { title: 'Dust in round', isNumber: true, cell: (row) => dustText(row) },
        { title: 'Lock', width: 'minmax(0, 1.6fr)', cell: ({ lock }) => (lock ? <Lock lock={lock} /> : 'none') },
        { title: 'Id', width: 'minmax(13rem, max-content)', cell: ({ id }) => <CoinId id={id} /> },
      ]}
    />
  );
}

function CoinId({ id }: { readonly id: string }): JSX.Element {
  const read = ContractId.parse(id);
  return (
    <>
      <Id id={id} what="contract id of the coin" />
      {isDev.value === true && read.ok ? (
        <>
          {' '}
          <a href={linkTo('ledger/life', { contract: String(read.value) })}>life</a>
        </>
      ) : null}
    </>
  );
}

function Age({ createdAt, round }: { readonly createdAt: string; readonly round: number }): JSX.Element {
  return (
    <>
      <Relative time={createdAt} /> <span class="quiet">round {round}</span>
    </>
  );
}

function Lock({ lock: { holders, expiresAt, reason } }: { readonly lock: NonNullable<CoinRow['lock']> }): JSX.Element {
  return (
    <span title={reason ?? ''}>
      {holders.map((holder) => (
        <Party key={holder} id={holder} />
      ))}{' '}
      ends <Relative time={expiresAt} />
    </span>
  );
}

function dustText({ dustIn, round }: CoinRow): string {
  if (dustIn === null) return 'never';
  return dustIn <= round ? `${grouped(dustIn)} (dust)` : grouped(dustIn);
}

function rowsOf({ amulets, locked_amulets }: CoinList): CoinRow[] {
  const free = amulets.map((one) => rowOf(one, one.contract.contract.payload.amount, null));
  const locked = locked_amulets.map((one) => {
    const { amulet, lock } = one.contract.contract.payload;
    return rowOf(one, amulet.amount, { holders: lock.holders, expiresAt: lock.expiresAt, reason: lock.optContext });
  });
  return [...free, ...locked];
}

type Terms = CoinList['amulets'][number]['contract']['contract']['payload']['amount'];

function rowOf(position: Position<unknown>, terms: Terms, lock: CoinRow['lock']): CoinRow {
  const { contract_id: id, created_at: createdAt } = position.contract.contract;
  const amount = amountOf(terms.initialAmount);
  const createdIn = Round.of(Number(terms.createdAt.number));
  // The wallet API does not tell whether a fee equal to the amount suffices. If it does, the coin may be dust one round earlier.
  const dustIn = expiryRoundOf(
    { amount, createdAt: createdIn, ratePerRound: amountOf(terms.ratePerRound.rate) },
    false,
  );
  return { id, amount, fee: position.accrued_holding_fee, createdAt, createdIn, round: position.round, dustIn, lock };
}

function sorted(rows: CoinRow[], order: string): CoinRow[] {
  if (order === 'amount') return rows.sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
  if (order === 'age') return rows.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return rows.sort((a, b) => (a.dustIn ?? Infinity) - (b.dustIn ?? Infinity));
}

function countText({ amulets, locked_amulets }: CoinList): string {
  const sum = Amount.sum(amulets.map((one) => amountOf(one.effective_amount)));
  const locked = locked_amulets.length === 0 ? '' : `, ${grouped(locked_amulets.length)} locked`;
  return `${grouped(amulets.length)} with ${shownAmount(sum)} CC${locked}`;
}
