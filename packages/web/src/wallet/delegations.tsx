import type { JSX } from 'preact';
import { get, post } from '../api/call.js';
import type { Delegation, DelegationList, ProposalList } from '../api/shapes.js';
import { hintOf } from '../format/parties.js';
import { Action } from '../parts/action.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { Party, Relative } from '../parts/values.js';
import { useResource } from '../store/resource.js';
import { MergeDelegationCard } from './merge-delegation-card.js';
import type { WalletProps } from './wallet-props.js';

interface DelegationRow extends Delegation {
  readonly id: string;
}

export function Delegations({ party, token }: WalletProps): JSX.Element {
  const proposals = useResource<ProposalList>(() => get('v0/wallet/minting-delegation-proposals', token), {
    follows: () => [{ party, templates: ['MintingDelegationProposal'] }],
  });
  const delegations = useResource<DelegationList>(() => get('v0/wallet/minting-delegations', token), {
    follows: () => [{ party, templates: ['MintingDelegation'] }],
  });
  return (
    <>
      <MergeDelegationCard party={party} token={token} />
      <Card title="Proposed minting delegations">
        <Loaded resource={proposals} what="the proposals">
          {(found) => {
            const rows = found.proposals.map(({ contract }) => ({
              id: contract.contract_id,
              ...contract.payload.delegation,
            }));
            return rows.length === 0 ? (
              <Empty title="No party asks this wallet to mint for it">
                <p>An external party proposes it, so that this wallet mints its rewards.</p>
              </Empty>
            ) : (
              <DelegationRows
                label="Proposals"
                rows={rows}
                answers={(row) => <ProposalAnswers row={row} token={token} />}
              />
            );
          }}
        </Loaded>
      </Card>
      <Card title="Minting delegations">
        <Loaded resource={delegations} what="the delegations">
          {(found) => {
            const rows = found.delegations.map(({ contract }) => ({ id: contract.contract_id, ...contract.payload }));
            return rows.length === 0 ? (
              <Empty title="This wallet mints for no other party" />
            ) : (
              <DelegationRows
                label="Delegations"
                rows={rows}
                answers={(row) => <EndAnswer row={row} token={token} />}
              />
            );
          }}
        </Loaded>
      </Card>
    </>
  );
}

interface RowsProps {
  readonly label: string;
  readonly rows: readonly DelegationRow[];
  readonly answers: (row: DelegationRow) => JSX.Element;
}

function DelegationRows({ label, rows, answers }: RowsProps): JSX.Element {
  return (
    <Rows<DelegationRow>
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'For', cell: ({ beneficiary }) => <Party id={beneficiary} /> },
        { title: 'Ends', cell: ({ expiresAt }) => <Relative time={expiresAt} /> },
        { title: 'Merges above', isNumber: true, cell: ({ amuletMergeLimit }) => `${amuletMergeLimit} coins` },
        { title: 'Answer', width: 'minmax(11rem, max-content)', cell: answers },
      ]}
    />
  );
}

interface AnswerProps {
  readonly row: DelegationRow;
  readonly token: string;
}

function ProposalAnswers({ row: { id, beneficiary }, token }: AnswerProps): JSX.Element {
  const base = `v0/wallet/minting-delegation-proposals/${id}`;
  const name = hintOf(beneficiary);
  return (
    <span class="actions">
      <Action
        kind="main"
        label={`Accept to mint for ${name}`}
        call={post(`${base}/accept`, undefined, token)}
        done={`This wallet mints for ${name}`}
      >
        Accept
      </Action>
      <Action
        label={`Reject to mint for ${name}`}
        call={post(`${base}/reject`, undefined, token)}
        done={`Rejected the proposal of ${name}`}
      >
        Reject
      </Action>
    </span>
  );
}

function EndAnswer({ row: { id, beneficiary }, token }: AnswerProps): JSX.Element {
  const name = hintOf(beneficiary);
  return (
    <Action
      label={`Withdraw from minting for ${name}`}
      call={post(`v0/wallet/minting-delegations/${id}/reject`, undefined, token)}
      done={`This wallet no longer mints for ${name}`}
    >
      Withdraw
    </Action>
  );
}
