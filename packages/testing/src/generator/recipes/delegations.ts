import { allOf } from '@coinlab/core/views';
import { inputsToMerge, type ContractOf } from '@coinlab/core';
import { provider } from '../cast.js';
import type { Draw } from '../draw.js';
import type { RecipesOf } from '../recipe.js';
import type { CommandOf } from '@coinlab/core';

export const delegations: RecipesOf<
  | 'ProposeMergeDelegation'
  | 'AcceptMergeDelegation'
  | 'RejectMergeDelegationProposal'
  | 'WithdrawMergeDelegationProposal'
  | 'RejectMergeDelegation'
  | 'WithdrawMergeDelegation'
  | 'CreateBatchMergeUtility'
  | 'MergeDelegatedHoldings'
  | 'BatchMergeHoldings'
  | 'ProposeMintingDelegation'
  | 'AcceptMintingDelegation'
  | 'RejectMintingDelegationProposal'
  | 'WithdrawMintingDelegationProposal'
  | 'MintForBeneficiary'
  | 'RejectMintingDelegation'
  | 'WithdrawMintingDelegation'
> = {
  ProposeMergeDelegation: {
    weight: 0.7,
    draw: (d) => {
      const owner = d.party();
      const operator = d.dice.chance(15) ? d.party() : provider;
      return { command: { type: 'ProposeMergeDelegation', owner, operator, ...d.meta() }, actAs: [owner] };
    },
  },

  AcceptMergeDelegation: {
    weight: 0.7,
    needs: ['MergeDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MergeDelegationProposal');
      return {
        command: { type: 'AcceptMergeDelegation', proposal: d.ref(proposal) },
        actAs: [proposal?.operator ?? d.party()],
      };
    },
  },

  RejectMergeDelegationProposal: {
    weight: 0.3,
    needs: ['MergeDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MergeDelegationProposal');
      return {
        command: { type: 'RejectMergeDelegationProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.operator ?? d.party()],
      };
    },
  },

  WithdrawMergeDelegationProposal: {
    weight: 0.3,
    needs: ['MergeDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MergeDelegationProposal');
      return {
        command: { type: 'WithdrawMergeDelegationProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.owner ?? d.party()],
      };
    },
  },

  RejectMergeDelegation: {
    weight: 0.2,
    needs: ['MergeDelegation'],
    draw: (d) => {
      const delegation = d.contract('MergeDelegation');
      return {
        command: { type: 'RejectMergeDelegation', delegation: d.ref(delegation) },
        actAs: [delegation?.operator ?? d.party()],
      };
    },
  },

  WithdrawMergeDelegation: {
    weight: 0.2,
    needs: ['MergeDelegation'],
    draw: (d) => {
      const delegation = d.contract('MergeDelegation');
      return {
        command: { type: 'WithdrawMergeDelegation', delegation: d.ref(delegation) },
        actAs: [delegation?.owner ?? d.party()],
      };
    },
  },

  CreateBatchMergeUtility: {
    weight: 0.2,
    draw: (d) => {
      const operator = d.dice.chance(50) ? d.party() : provider;
      return { command: { type: 'CreateBatchMergeUtility', operator }, actAs: [operator] };
    },
  },

  MergeDelegatedHoldings: {
    weight: 2,
    needs: ['MergeDelegation'],
    draw: (d) => {
      const delegation = d.contract('MergeDelegation');
      return {
        command: { type: 'MergeDelegatedHoldings', ...mergeCall(d, delegation) },
        actAs: [delegation?.operator ?? d.party()],
      };
    },
  },

  BatchMergeHoldings: {
    weight: 2,
    needs: ['MergeDelegation'],
    draw: (d) => {
      const utility = d.contract('BatchMergeUtility');
      const delegations = [...allOf(d.state, 'MergeDelegation')];
      const first = d.dice.roll(Math.max(1, delegations.length));
      const some = delegations.slice(first, first + 1 + d.dice.roll(3));
      return {
        command: {
          type: 'BatchMergeHoldings',
          utility: d.ref(utility),
          calls: some.map((delegation) => mergeCall(d, delegation)),
        },
        actAs: [utility?.operator ?? d.party()],
      };
    },
  },

  ProposeMintingDelegation: {
    weight: 0.7,
    draw: (d) => {
      const beneficiary = d.party();
      return {
        command: {
          type: 'ProposeMintingDelegation',
          beneficiary,
          delegate: d.dice.chance(15) ? d.party() : provider,
          expiresAt: d.ahead(),
          amuletMergeLimit: d.dice.pick([1, 3, 0, 10, -1]),
        },
        actAs: [beneficiary],
      };
    },
  },

  AcceptMintingDelegation: {
    weight: 0.7,
    needs: ['MintingDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MintingDelegationProposal');
      const existing = d.contract(
        'MintingDelegation',
        ({ beneficiary, delegate }) => beneficiary === proposal?.beneficiary && delegate === proposal.delegate,
      );
      return {
        command: {
          type: 'AcceptMintingDelegation',
          proposal: d.ref(proposal),
          ...(existing && !d.dice.chance(30) ? { existing: existing.id } : {}),
        },
        actAs: [proposal?.delegate ?? d.party()],
      };
    },
  },

  RejectMintingDelegationProposal: {
    weight: 0.3,
    needs: ['MintingDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MintingDelegationProposal');
      return {
        command: { type: 'RejectMintingDelegationProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.delegate ?? d.party()],
      };
    },
  },

  WithdrawMintingDelegationProposal: {
    weight: 0.3,
    needs: ['MintingDelegationProposal'],
    draw: (d) => {
      const proposal = d.contract('MintingDelegationProposal');
      return {
        command: { type: 'WithdrawMintingDelegationProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.beneficiary ?? d.party()],
      };
    },
  },

  MintForBeneficiary: {
    weight: 2,
    needs: ['MintingDelegation'],
    draw: (d) => {
      const delegation = d.contract('MintingDelegation', ({ expiresAt }) => d.now < expiresAt);
      const beneficiary = delegation?.beneficiary ?? d.party();
      return {
        command: { type: 'MintForBeneficiary', delegation: d.ref(delegation), inputs: d.inputs(beneficiary) },
        actAs: [delegation?.delegate ?? d.party()],
        at: d.before(delegation?.expiresAt),
      };
    },
  },

  RejectMintingDelegation: {
    weight: 0.2,
    needs: ['MintingDelegation'],
    draw: (d) => {
      const delegation = d.contract('MintingDelegation');
      return {
        command: { type: 'RejectMintingDelegation', delegation: d.ref(delegation) },
        actAs: [delegation?.delegate ?? d.party()],
      };
    },
  },

  WithdrawMintingDelegation: {
    weight: 0.2,
    needs: ['MintingDelegation'],
    draw: (d) => {
      const delegation = d.contract('MintingDelegation');
      return {
        command: { type: 'WithdrawMintingDelegation', delegation: d.ref(delegation) },
        actAs: [delegation?.beneficiary ?? d.party()],
      };
    },
  },
};

function mergeCall(
  d: Draw,
  delegation: ContractOf<'MergeDelegation'> | undefined,
): CommandOf<'BatchMergeHoldings'>['calls'][number] {
  const { dice } = d;
  const owner = delegation?.owner ?? d.party();
  const operator = delegation?.operator ?? provider;
  const coins = inputsToMerge(d.state, owner, dice.chance(20) ? 101 : 2 + dice.roll(8)).map(({ id }) => id);
  const inputs = dice.chance(8) ? d.inputs(owner) : coins;
  const whole = d.worth(inputs);
  const amount = dice.chance(85) ? whole : d.amount(whole);
  const from = d.inputs(operator);
  const right = d.contract('FeaturedAppRight', ({ provider: app }) => app === operator);
  const merges = !dice.chance(15);
  return {
    delegation: d.ref(delegation),
    ...(merges
      ? {
          merge: {
            sender: dice.chance(3) ? operator : owner,
            receiver: dice.chance(3) ? operator : owner,
            amount,
            inputs,
          },
        }
      : {}),
    ...(dice.chance(merges ? 20 : 80)
      ? { extra: { sender: operator, receiver: owner, amount: d.amount(d.worth(from)), inputs: from } }
      : {}),
    ...(dice.chance(30)
      ? {
          activity: {
            right: d.ref(right),
            ...(dice.chance(50) ? { beneficiaries: d.beneficiaries(operator) } : {}),
          },
        }
      : {}),
  };
}
