import type { JSX } from 'preact';
import { get, post } from '../api/call.js';
import type { Balance, HistoryPage, OfferList } from '../api/shapes.js';
import { Card } from '../parts/card.js';
import { useFresh } from '../parts/fresh.js';
import { Empty, Loaded } from '../parts/states.js';
import { Coin, Party } from '../parts/values.js';
import { useRounds, useRules } from '../store/network.js';
import { linkTo } from '../store/route.js';
import { useResource } from '../store/resource.js';
import { HistoryList } from './history-list.js';
import { OFFER_TEMPLATES, OfferRows } from './offer-rows.js';
import { PreapprovalCard } from './preapproval-card.js';
import { TapCard } from './tap-card.js';
import type { WalletProps } from './wallet-props.js';

const SHOWN = 6;

export function Overview({ party, token }: WalletProps): JSX.Element {
  const balance = useResource<Balance>(() => get('v0/wallet/balance', token), {
    follows: () => [{ party }, { round: true }],
    bodyIn: ({ parties }) => parties?.get(party) ?? null,
  });
  const offers = useResource<OfferList>(() => get('v0/wallet/transfer-offers', token), {
    follows: () => [{ party, templates: OFFER_TEMPLATES }],
  });
  const history = useResource<HistoryPage>(() => post('v0/wallet/transactions', { page_size: SHOWN }, token), {
    follows: () => [{ party }],
  });
  const rules = useRules();
  const rounds = useRounds();
  return (
    <div class="overview">
      <Card title="Balance" className="balance">
        <Loaded resource={balance} what="the balance">
          {(found) => <BalanceFigures balance={found} />}
        </Loaded>
        <p class="who">
          <Party id={party} canCopy />
        </p>
        <a class="button main" href={linkTo('wallet/send')}>
          Send coin
        </a>
      </Card>
      <TapCard rules={rules} rounds={rounds} token={token} />
      <PreapprovalCard party={party} token={token} />
      <Card title="Waiting for you" className="wide">
        <Loaded resource={offers} what="the offers">
          {(found) => {
            const incoming = found.offers.filter(({ payload }) => payload.receiver === party);
            return incoming.length === 0 ? (
              <Empty title="No offer waits for your answer" />
            ) : (
              <OfferRows offers={incoming} side="incoming" token={token} />
            );
          }}
        </Loaded>
      </Card>
      <Card title="Last transactions" className="wide" aside={<a href={linkTo('wallet/history')}>all</a>}>
        <Loaded resource={history} what="the history">
          {({ items }) => <HistoryList items={items} party={party} />}
        </Loaded>
      </Card>
    </div>
  );
}

function BalanceFigures({ balance }: { readonly balance: Balance }): JSX.Element {
  const { effective_unlocked_qty, effective_locked_qty, total_holding_fees, round } = balance;
  const fresh = useFresh([effective_unlocked_qty]);
  return (
    <>
      <p class="figure">
        <span class={fresh.has(effective_unlocked_qty) ? 'made' : ''}>
          <Coin amount={effective_unlocked_qty} unit="CC" />
        </span>
      </p>
      <dl class="facts">
        <dt>Locked</dt>
        <dd>
          <Coin amount={effective_locked_qty} />
        </dd>
        <dt>Holding fees so far</dt>
        <dd>
          <Coin amount={total_holding_fees} />
        </dd>
        <dt>Round</dt>
        <dd>{round}</dd>
      </dl>
    </>
  );
}
