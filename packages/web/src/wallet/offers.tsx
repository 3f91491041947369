import type { JSX } from 'preact';
import { get } from '../api/call.js';
import type { AcceptedOfferList, OfferList } from '../api/shapes.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty, Failure, Loaded } from '../parts/states.js';
import { Coin, Party, Relative } from '../parts/values.js';
import { linkTo } from '../store/route.js';
import { useResource } from '../store/resource.js';
import { OFFER_TEMPLATES, OfferRows } from './offer-rows.js';
import type { WalletProps } from './wallet-props.js';

export function Offers({ party, token }: WalletProps): JSX.Element {
  const ofOffers = { follows: () => [{ party, templates: OFFER_TEMPLATES }] };
  const open = useResource<OfferList>(() => get('v0/wallet/transfer-offers', token), ofOffers);
  const accepted = useResource<AcceptedOfferList>(() => get('v0/wallet/accepted-transfer-offers', token), ofOffers);
  const shown = (side: 'incoming' | 'outgoing', empty: JSX.Element): JSX.Element => (
    <Loaded resource={open} what="the offers">
      {({ offers }) => {
        const mine = offers.filter(({ payload }) => payload[side === 'incoming' ? 'receiver' : 'sender'] === party);
        return mine.length === 0 ? empty : <OfferRows offers={mine} side={side} token={token} />;
      }}
    </Loaded>
  );
  return (
    <>
      <Card title="Incoming">
        {shown(
          'incoming',
          <Empty title="No offer waits for your answer">
            <p>An offer appears here when somebody sends you coin and you have no preapproval.</p>
          </Empty>,
        )}
      </Card>
      <Card title="Outgoing">
        {shown(
          'outgoing',
          <Empty title="You have offered nothing">
            <p>
              <a href={linkTo('wallet/send')}>Send coin</a> to a party without a preapproval: it stays locked here until
              the receiver answers.
            </p>
          </Empty>,
        )}
      </Card>
      <Accepted resource={accepted} />
    </>
  );
}

function Accepted({
  resource,
}: {
  readonly resource: ReturnType<typeof useResource<AcceptedOfferList>>;
}): JSX.Element | null {
  const problem = resource.problem.value;
  if (problem) return <Failure problem={problem} retry={resource.reload} />;
  const offers = resource.body.value?.accepted_offers ?? [];
  if (offers.length === 0) return null;
  return (
    <Card title="Accepted, not yet paid">
      <Rows
        label="Accepted offers"
        rows={offers}
        keyOf={({ contract_id }) => contract_id}
        columns={[
          { title: 'From', cell: ({ payload }) => <Party id={payload.sender} /> },
          { title: 'To', cell: ({ payload }) => <Party id={payload.receiver} /> },
          { title: 'Amount', isNumber: true, cell: ({ payload }) => <Coin amount={payload.amount.amount} /> },
          { title: 'Ends', cell: ({ payload }) => <Relative time={payload.expiresAt} /> },
        ]}
      />
    </Card>
  );
}
