import type { JSX } from 'preact';
import { get, post } from '../api/call.js';
import { exercise } from '../api/ledger-calls.js';
import type { PreapprovalFound } from '../api/shapes.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Failure } from '../parts/states.js';
import { At, Party, Relative } from '../parts/values.js';
import { useResource } from '../store/resource.js';
import type { WalletProps } from './wallet-props.js';

export function PreapprovalCard({ party, token }: WalletProps): JSX.Element {
  const found = useResource<PreapprovalFound>(
    () => get(`v0/transfer-preapprovals/by-party/${encodeURIComponent(party)}`),
    {
      follows: () => [{ party, templates: ['TransferPreapproval'] }],
    },
  );
  const problem = found.problem.value;
  const isOff = problem?.kind === 'absent';
  const contract = isOff ? null : (found.body.value?.transfer_preapproval.contract ?? null);
  return (
    <Card title="Preapproval" aside={isOff ? 'off' : contract ? 'on' : ''}>
      {problem && !isOff ? <Failure problem={problem} retry={found.reload} /> : null}
      {contract ? (
        <>
          <p>
            Everyone can pay you in one step, until <At time={contract.payload.expiresAt} /> (
            <Relative time={contract.payload.expiresAt} />
            ). <Party id={contract.payload.provider} /> renews it.
          </p>
          <Action
            call={exercise(
              party,
              {
                templateId: contract.template_id,
                contractId: contract.contract_id,
                choice: 'TransferPreapproval_Cancel',
                choiceArgument: { p: party },
              },
              token,
            )}
            done="The preapproval is off: payments to you become offers"
          >
            Turn off
          </Action>
        </>
      ) : null}
      {isOff ? (
        <>
          <p>Payments to you are offers, which you accept or reject. With a preapproval they arrive in one step.</p>
          <Action call={post('v0/wallet/transfer-preapproval', undefined, token)} done="The preapproval is on">
            Turn on
          </Action>
        </>
      ) : null}
    </Card>
  );
}
