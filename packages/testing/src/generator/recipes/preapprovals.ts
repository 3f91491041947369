import { Instant } from '@coinlab/core';
import { dso } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const preapprovals: RecipesOf<
  | 'ProposePreapproval'
  | 'WithdrawPreapprovalProposal'
  | 'AcceptPreapprovalProposal'
  | 'CreatePreapproval'
  | 'RenewPreapproval'
  | 'CancelPreapproval'
  | 'ExpirePreapproval'
> = {
  ProposePreapproval: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'ProposePreapproval', receiver, provider: d.other(receiver) }, actAs: [receiver] };
    },
  },

  WithdrawPreapprovalProposal: {
    weight: 0.5,
    needs: ['TransferPreapprovalProposal'],
    draw: (d) => {
      const proposal = d.contract('TransferPreapprovalProposal');
      return {
        command: { type: 'WithdrawPreapprovalProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.receiver ?? d.party()],
      };
    },
  },

  AcceptPreapprovalProposal: {
    weight: 1,
    needs: ['TransferPreapprovalProposal'],
    draw: (d) => {
      const proposal = d.contract('TransferPreapprovalProposal');
      const payer = proposal?.provider ?? d.party();
      return {
        command: {
          type: 'AcceptPreapprovalProposal',
          proposal: d.ref(proposal),
          expiresAt: d.ahead(),
          inputs: d.inputs(payer),
        },
        actAs: [payer],
      };
    },
  },

  CreatePreapproval: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      const payer = d.other(receiver);
      return {
        command: {
          type: 'CreatePreapproval',
          receiver,
          provider: payer,
          expiresAt: d.ahead(),
          inputs: d.inputs(payer),
        },
        actAs: [payer, receiver],
      };
    },
  },

  RenewPreapproval: {
    weight: 1,
    needs: ['TransferPreapproval'],
    draw: (d) => {
      const old = d.contract('TransferPreapproval');
      const payer = old?.provider ?? d.party();
      const newExpiresAt = d.dice.chance(10) ? d.ahead() : Instant.plus(old?.expiresAt ?? d.now, d.span());
      return {
        command: { type: 'RenewPreapproval', preapproval: d.ref(old), newExpiresAt, inputs: d.inputs(payer) },
        actAs: [payer],
        at: d.before(old?.expiresAt),
      };
    },
  },

  CancelPreapproval: {
    weight: 0.5,
    needs: ['TransferPreapproval'],
    draw: (d) => {
      const ended = d.contract('TransferPreapproval');
      return {
        command: { type: 'CancelPreapproval', preapproval: d.ref(ended) },
        actAs: [(d.dice.chance(50) ? ended?.receiver : ended?.provider) ?? d.party()],
        at: d.before(ended?.expiresAt),
      };
    },
  },

  ExpirePreapproval: {
    weight: 0.5,
    needs: ['TransferPreapproval'],
    draw: (d) => {
      const ended = d.contract('TransferPreapproval');
      return {
        command: { type: 'ExpirePreapproval', preapproval: d.ref(ended) },
        actAs: [dso],
        at: d.after(ended?.expiresAt),
      };
    },
  },
};
