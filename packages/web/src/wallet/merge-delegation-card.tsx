import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { activeContracts, create, exercise } from '../api/ledger-calls.js';
import type { ActivePage } from '../api/shapes.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Field } from '../parts/field.js';
import { Loaded } from '../parts/states.js';
import { Party } from '../parts/values.js';
import { operator } from '../store/network.js';
import { useResource } from '../store/resource.js';
import type { WalletProps } from './wallet-props.js';

const PACKAGE = '#splice-util-token-standard-wallet:Splice.Util.Token.Wallet.MergeDelegation';
const PROPOSAL = `${PACKAGE}:MergeDelegationProposal`;
const DELEGATION = `${PACKAGE}:MergeDelegation`;

interface Terms {
  readonly operator: string;
  readonly owner: string;
}
type Argument = Terms | { readonly delegation: Terms };

export function MergeDelegationCard({ party, token }: WalletProps): JSX.Element {
  const found = useResource<ActivePage<Argument>>(() => activeContracts(party, [PROPOSAL, DELEGATION], token), {
    follows: () => [{ party, templates: ['MergeDelegationProposal', 'MergeDelegation'] }],
  });
  return (
    <Card title="Merge delegation">
      <Loaded resource={found} what="the merge delegation">
        {({ activeContracts: active }) => {
          const own = active
            .map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent)
            .map(({ contractId, createArgument }) =>
              'delegation' in createArgument
                ? { contractId, isProposal: true, ...createArgument.delegation }
                : { contractId, isProposal: false, ...createArgument },
            )
            .filter(({ owner }) => owner === party);
          return own.length === 0 ? (
            <Propose party={party} token={token} />
          ) : (
            <>
              {own.map((one) => (
                <Agreed key={one.contractId} {...one} party={party} token={token} />
              ))}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Propose({ party, token }: WalletProps): JSX.Element {
  const provider = useSignal(operator.value ?? '');
  const delegation = { operator: provider.value.trim(), owner: party, meta: { values: {} } };
  return (
    <>
      <p>
        A wallet provider can merge your coins when you have more than ten of them. You sign a proposal; the provider
        accepts it.
      </p>
      <Field
        label="Wallet provider"
        value={provider}
        hint="The operator of this validator, unless you choose another"
      />
      <Action
        isDisabled={provider.value.trim() === ''}
        call={create(party, PROPOSAL, { delegation }, token)}
        done="Proposed the merge delegation"
      >
        Propose
      </Action>
    </>
  );
}

interface AgreedProps extends WalletProps {
  readonly contractId: string;
  readonly isProposal: boolean;
  readonly operator: string;
}

function Agreed({ contractId, isProposal, operator: provider, party, token }: AgreedProps): JSX.Element {
  const [templateId, choice] = isProposal
    ? [PROPOSAL, 'MergeDelegationProposal_Withdraw']
    : [DELEGATION, 'MergeDelegation_Withdraw'];
  return (
    <>
      <p>
        {isProposal ? 'Proposed to ' : 'Active with '}
        <Party id={provider} />
        {isProposal ? ', who has not answered yet.' : ', who merges your coins when you have more than ten.'}
      </p>
      <Action
        call={exercise(party, { templateId, contractId, choice, choiceArgument: {} }, token)}
        done={isProposal ? 'Withdrew the proposal' : 'Ended the merge delegation'}
      >
        {isProposal ? 'Withdraw the proposal' : 'End the delegation'}
      </Action>
    </>
  );
}
