import type { JSX } from 'preact';
import { post } from '../api/call.js';
import type { Offer } from '../api/shapes.js';
import { amountOf, shownAmount } from '../format/amounts.js';
import { hintOf } from '../format/parties.js';
import { Action } from '../parts/action.js';
import { Rows } from '../parts/rows.js';
import { Coin, Party, Relative } from '../parts/values.js';

export const OFFER_TEMPLATES: readonly string[] = ['TransferOffer', 'AcceptedTransferOffer', 'TransferInstruction'];

interface OfferRowsProps {
  readonly offers: readonly Offer[];
  readonly side: 'incoming' | 'outgoing';
  readonly token: string;
}

export function OfferRows({ offers, side, token }: OfferRowsProps): JSX.Element {
  const isIncoming = side === 'incoming';
  return (
    <Rows<Offer>
      label={isIncoming ? 'Incoming offers' : 'Outgoing offers'}
      rows={offers}
      keyOf={({ contract_id }) => contract_id}
      columns={[
        {
          title: isIncoming ? 'From' : 'To',
          cell: ({ payload }) => <Party id={isIncoming ? payload.sender : payload.receiver} />,
        },
        {
          title: 'Amount',
          isNumber: true,
          cell: ({ payload }) => (
            <Coin amount={payload.amount.amount} unit={payload.amount.unit === 'USDUnit' ? 'USD' : 'CC'} />
          ),
        },
        { title: 'Text', cell: ({ payload }) => (payload.description === '' ? '' : <bdi>{payload.description}</bdi>) },
        { title: 'Ends', cell: ({ payload }) => <Relative time={payload.expiresAt} /> },
        {
          title: 'Answer',
          width: 'minmax(11rem, max-content)',
          cell: (offer) => (
            <Answers offer={offer} verbs={isIncoming ? ['accept', 'reject'] : ['withdraw']} token={token} />
          ),
        },
      ]}
    />
  );
}

const VERBS = {
  accept: { title: 'Accept', done: 'Accepted', kind: 'main' },
  reject: { title: 'Reject', done: 'Rejected', kind: 'plain' },
  withdraw: { title: 'Withdraw', done: 'Withdrawn', kind: 'plain' },
} as const;

interface AnswersProps {
  readonly offer: Offer;
  readonly verbs: readonly (keyof typeof VERBS)[];
  readonly token: string;
}

function Answers({ offer: { contract_id, payload }, verbs, token }: AnswersProps): JSX.Element {
  const of = `${shownAmount(amountOf(payload.amount.amount))} from ${hintOf(payload.sender)} to ${hintOf(payload.receiver)}`;
  return (
    <span class="actions">
      {verbs.map((verb) => (
        <Action
          key={verb}
          kind={VERBS[verb].kind}
          label={`${VERBS[verb].title} ${of}`}
          call={post(`v0/wallet/transfer-offers/${contract_id}/${verb}`, undefined, token)}
          done={`${VERBS[verb].done}: ${of}`}
        >
          {VERBS[verb].title}
        </Action>
      ))}
    </span>
  );
}
