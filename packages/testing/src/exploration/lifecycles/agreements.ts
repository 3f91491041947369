import type { Update } from '@coinlab/core';
import { founders } from '../../generator/cast.js';
import { diagramOf } from '../diagram.js';
import { alice, bob, COIN, founded, type Lifecycle } from './lifecycle.js';

const NAME_STATES = {
  SubscriptionRequest: 'Requested',
  SubscriptionPayment: 'Paid, not collected',
  SubscriptionIdleState: 'Idle until renewal',
} as const;

export const AGREEMENT_LIFECYCLES: readonly Lifecycle[] = [
  {
    name: 'merge-delegation',
    world: () => ({
      ...COIN,
      commands: [
        'ProposeMergeDelegation',
        'AcceptMergeDelegation',
        'RejectMergeDelegationProposal',
        'WithdrawMergeDelegationProposal',
        'RejectMergeDelegation',
        'WithdrawMergeDelegation',
      ],
      choices: { owner: [alice], operator: [bob] },
      most: { MergeDelegation: 1, MergeDelegationProposal: 1 },
      depth: 3,
    }),
    observe: () =>
      diagramOf('Merge delegation', ['MergeDelegationProposal', 'MergeDelegation'], ({ template }) =>
        template === 'MergeDelegation' ? 'Active' : 'Proposed',
      ),
  },
  {
    name: 'minting-delegation',
    world: () => ({
      ...COIN,
      commands: [
        'ProposeMintingDelegation',
        'AcceptMintingDelegation',
        'RejectMintingDelegationProposal',
        'WithdrawMintingDelegationProposal',
        'RejectMintingDelegation',
        'WithdrawMintingDelegation',
      ],
      choices: { beneficiary: [alice], delegate: [bob], amuletMergeLimit: [10] },
      most: { MintingDelegation: 1, MintingDelegationProposal: 1 },
      depth: 3,
    }),
    observe: () =>
      diagramOf('Minting delegation', ['MintingDelegationProposal', 'MintingDelegation'], ({ template }) =>
        template === 'MintingDelegation' ? 'Active' : 'Proposed',
      ),
  },
  {
    name: 'name-subscription',
    world: () => ({
      ...COIN,
      commands: [
        'RequestAnsEntry',
        'WithdrawAnsRequest',
        'PayAnsSubscription',
        'CollectAnsPayment',
        'RejectAnsPayment',
        'ReclaimAnsPayment',
        'CancelAnsSubscription',
        'ExpireAnsSubscription',
        'ExpireAnsEntry',
      ],
      choices: { user: [alice], name: ['alice.cns'], url: ['https://example.org'] },
      deadlines: [],
      waitsFor: ['SubscriptionPayment', 'SubscriptionIdleState', 'AnsEntry'],
      most: { SubscriptionRequest: 1, AnsEntry: 1 },
      start: founded(),
      depth: 5,
    }),
    observe: () =>
      diagramOf(
        'Subscription to a name',
        ['SubscriptionRequest', 'SubscriptionPayment', 'SubscriptionIdleState'],
        ({ template }) => NAME_STATES[template],
      ),
  },
  {
    name: 'vote',
    world: () => ({
      parties: founders.slice(0, 3),
      amounts: [],
      commands: ['RequestVote', 'CastVote', 'CloseVote'],
      choices: {
        requester: [founders[0]],
        action: [{ type: 'GrantFeaturedAppRight', provider: alice }],
        reason: [{ url: '', body: '' }],
      },
      deadlines: [],
      waitsFor: ['VoteRequest'],
      most: { VoteRequest: 1 },
      start: founded(),
      depth: 4,
    }),
    observe: () => diagramOf('Request for a vote', ['VoteRequest'], () => 'Open', { kindOf: outcomeOf }),
  },
];

/** `VoteClosed` has several outcomes, so its name includes the outcome. */
function outcomeOf(update: Update): string {
  return update.kind === 'VoteClosed' ? `VoteClosed: ${update.detail.outcome}` : update.kind;
}
