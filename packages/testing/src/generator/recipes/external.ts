import { Amount } from '@coinlab/core';
import { generateTopology } from '@coinlab/core/rules';
import { dso, external, newcomer, provider } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const externalParties: RecipesOf<
  | 'SubmitTopology'
  | 'CreateExternalPartySetupProposal'
  | 'AcceptExternalPartySetupProposal'
  | 'RejectExternalPartySetupProposal'
  | 'WithdrawExternalPartySetupProposal'
  | 'CreateTransferCommandCounter'
  | 'CreateTransferCommand'
  | 'SendTransferCommand'
  | 'WithdrawTransferCommand'
  | 'ExpireTransferCommand'
> = {
  SubmitTopology: {
    weight: 0.3,
    draw: (d) => {
      const holder = d.dice.chance(25) ? external : newcomer;
      const signer = d.dice.chance(10) ? external : holder;
      const { hint, publicKey } = holder;
      const topology = generateTopology({ hint, publicKey, participant: 'PAR::one::1220' });
      const made = topology.ok ? topology.value.transactions : [];
      const signsAll = d.dice.chance(30);
      const transactions = made.map(({ transaction, hash }) =>
        signsAll ? { transaction } : { transaction, signature: signer.sign(hash) },
      );
      return {
        command: {
          type: 'SubmitTopology',
          publicKey,
          participant: d.dice.chance(5) ? 'PAR::two::1220' : 'PAR::one::1220',
          transactions: d.dice.chance(5) ? transactions.slice(1) : transactions,
          ...(signsAll && topology.ok ? { signature: signer.sign(topology.value.multiHash) } : {}),
        },
        actAs: [d.party()],
      };
    },
  },

  CreateExternalPartySetupProposal: {
    weight: 0.7,
    draw: (d) => {
      const validator = d.dice.chance(20) ? d.party() : provider;
      return {
        command: {
          type: 'CreateExternalPartySetupProposal',
          validator,
          user: d.dice.chance(50) ? d.party() : external.party,
          preapprovalExpiresAt: d.ahead(),
          inputs: d.inputs(validator),
        },
        actAs: [validator],
      };
    },
  },

  AcceptExternalPartySetupProposal: {
    weight: 2,
    needs: ['ExternalPartySetupProposal'],
    draw: (d) => {
      const proposal = d.contract('ExternalPartySetupProposal');
      return {
        command: { type: 'AcceptExternalPartySetupProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.user ?? d.party()],
        at: d.dice.chance(20) ? d.before(proposal?.preapprovalExpiresAt) : d.now,
      };
    },
  },

  RejectExternalPartySetupProposal: {
    weight: 0.3,
    needs: ['ExternalPartySetupProposal'],
    draw: (d) => {
      const proposal = d.contract('ExternalPartySetupProposal');
      return {
        command: { type: 'RejectExternalPartySetupProposal', proposal: d.ref(proposal), reason: d.text() },
        actAs: [proposal?.user ?? d.party()],
      };
    },
  },

  WithdrawExternalPartySetupProposal: {
    weight: 0.3,
    needs: ['ExternalPartySetupProposal'],
    draw: (d) => {
      const proposal = d.contract('ExternalPartySetupProposal');
      return {
        command: { type: 'WithdrawExternalPartySetupProposal', proposal: d.ref(proposal) },
        actAs: [proposal?.validator ?? d.party()],
      };
    },
  },

  CreateTransferCommandCounter: {
    weight: 0.5,
    draw: (d) => ({ command: { type: 'CreateTransferCommandCounter', sender: d.party() }, actAs: [dso] }),
  },

  CreateTransferCommand: {
    weight: 1.5,
    draw: (d) => {
      const sender = d.holder();
      const preapproval = d.contract('TransferPreapproval', ({ expiresAt }) => d.now < expiresAt);
      const next = d.contract('TransferCommandCounter', (counter) => counter.sender === sender)?.nextNonce ?? 0;
      return {
        command: {
          type: 'CreateTransferCommand',
          sender,
          receiver: preapproval && !d.dice.chance(20) ? preapproval.receiver : d.other(sender),
          delegate: provider,
          amount: d.amount(Amount.ofWhole(5)),
          expiresAt: d.ahead(),
          nonce: next + d.dice.pick([0, 0, 1, -1]),
          ...(d.dice.chance(20) ? { description: d.text() } : {}),
          ...(d.dice.chance(5) ? { expectedDso: d.dice.chance(50) ? sender : dso } : {}),
        },
        actAs: [sender],
      };
    },
  },

  SendTransferCommand: {
    weight: 2.5,
    needs: ['TransferCommand'],
    draw: (d) => {
      const command = d.contract('TransferCommand', ({ expiresAt }) => d.now < expiresAt);
      const sender = command?.sender ?? d.party();
      const preapproval = d.contract('TransferPreapproval', ({ receiver }) => receiver === command?.receiver);
      return {
        command: {
          type: 'SendTransferCommand',
          command: d.ref(command),
          inputs: d.inputs(sender),
          preapproval: preapproval && !d.dice.chance(10) ? preapproval.id : null,
          ...(d.dice.chance(5) ? { counter: d.anyId() } : {}),
        },
        actAs: [command?.delegate ?? d.party()],
        at: d.dice.chance(20) ? d.before(command?.expiresAt) : d.now,
      };
    },
  },

  WithdrawTransferCommand: {
    weight: 0.3,
    needs: ['TransferCommand'],
    draw: (d) => {
      const command = d.contract('TransferCommand');
      return {
        command: { type: 'WithdrawTransferCommand', command: d.ref(command) },
        actAs: [command?.sender ?? d.party()],
      };
    },
  },

  ExpireTransferCommand: {
    weight: 0.4,
    needs: ['TransferCommand'],
    draw: (d) => {
      const command = d.contract('TransferCommand');
      return {
        command: { type: 'ExpireTransferCommand', command: d.ref(command) },
        actAs: [d.dice.pick([dso, command?.sender ?? dso, command?.delegate ?? dso])],
        at: d.after(command?.expiresAt),
      };
    },
  },
};
