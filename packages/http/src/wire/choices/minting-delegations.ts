import type { ContractId, Instant, Json, PartyId } from '@coinlab/core';
import { ownTransfer } from './rules-transfer.js';
import { rulesResult } from './transfer-results.js';
import { choice, coinsIn, creation, type Choice, type Creation } from './choice.js';
import { cid, int, optional, party, record, time, unit } from './daml.js';
import { checkPaymentContext, paymentAt, paymentContext, transferInputs, type PaymentContext } from './payment.js';

const MODULE = '#splice-wallet:Splice.Wallet.MintingDelegation';
const onProposal = { on: `${MODULE}:MintingDelegationProposal`, template: 'MintingDelegationProposal' } as const;
const onDelegation = { on: `${MODULE}:MintingDelegation`, template: 'MintingDelegation' } as const;

interface Delegation {
  readonly beneficiary: PartyId;
  readonly delegate: PartyId;
  readonly dso: PartyId;
  readonly expiresAt: Instant;
  readonly amuletMergeLimit: number;
}

interface Accepted {
  readonly existingDelegationCid: ContractId | null;
}

interface Minted {
  readonly inputs: readonly ContractId[];
  readonly context: PaymentContext;
}

export const mintingDelegationCreations: readonly Creation[] = [
  creation({
    on: onProposal.on,
    argument: record<{ readonly delegation: Delegation }>({
      delegation: record<Delegation>({
        beneficiary: party,
        delegate: party,
        dso: party,
        expiresAt: time,
        amuletMergeLimit: int,
      }),
    }),
    commands: ['ProposeMintingDelegation'],
    kinds: ['MintingDelegationProposed'],
    command({ delegation: { dso, ...terms } }, site) {
      site.expectDso(dso);
      return { type: 'ProposeMintingDelegation', ...terms };
    },
  }),
];

export const mintingDelegationChoices: readonly Choice[] = [
  choice({
    ...onProposal,
    name: 'MintingDelegationProposal_Accept',
    isConsuming: true,
    argument: record<Accepted>({ existingDelegationCid: optional(cid) }),
    commands: ['AcceptMintingDelegation'],
    command: ({ existingDelegationCid: existing }, { target }) => ({
      type: 'AcceptMintingDelegation',
      proposal: target,
      ...(existing === null ? {} : { existing }),
    }),
    records: {
      MintingDelegationAccepted: ({ detail: { proposal, delegation, replaced } }) => ({
        contract: proposal,
        argument: { existingDelegationCid: replaced },
        result: { mintingDelegationCid: cid.write(delegation) },
      }),
    },
  }),
  choice({
    ...onProposal,
    name: 'MintingDelegationProposal_Reject',
    isConsuming: true,
    argument: unit,
    commands: ['RejectMintingDelegationProposal'],
    command: (_, { target }) => ({ type: 'RejectMintingDelegationProposal', proposal: target }),
    records: { MintingDelegationProposalRejected: ({ detail }) => ended(detail.proposal) },
  }),
  choice({
    ...onProposal,
    name: 'MintingDelegationProposal_Withdraw',
    isConsuming: true,
    argument: unit,
    commands: ['WithdrawMintingDelegationProposal'],
    command: (_, { target }) => ({ type: 'WithdrawMintingDelegationProposal', proposal: target }),
    records: { MintingDelegationProposalWithdrawn: ({ detail }) => ended(detail.proposal) },
  }),
  choice({
    ...onDelegation,
    name: 'MintingDelegation_Mint',
    isConsuming: false,
    argument: record<Minted>({ inputs: transferInputs, context: paymentContext }),
    commands: ['MintForBeneficiary'],
    command({ inputs, context }, site) {
      checkPaymentContext(context, site);
      return { type: 'MintForBeneficiary', delegation: site.target, inputs };
    },
    records: {
      MintedForBeneficiary: (update, facts) => ({
        contract: update.detail.delegation,
        argument: {
          inputs: coinsIn(update, facts),
          context: paymentAt(facts),
        },
        result: { transferResult: rulesResult(update.detail, facts.round.round) },
        inner: [ownTransfer(update, facts)],
      }),
    },
  }),
  choice({
    ...onDelegation,
    name: 'MintingDelegation_Reject',
    isConsuming: true,
    argument: unit,
    commands: ['RejectMintingDelegation'],
    command: (_, { target }) => ({ type: 'RejectMintingDelegation', delegation: target }),
    records: { MintingDelegationRejected: ({ detail }) => ended(detail.delegation) },
  }),
  choice({
    ...onDelegation,
    name: 'MintingDelegation_Withdraw',
    isConsuming: true,
    argument: unit,
    commands: ['WithdrawMintingDelegation'],
    command: (_, { target }) => ({ type: 'WithdrawMintingDelegation', delegation: target }),
    records: { MintingDelegationWithdrawn: ({ detail }) => ended(detail.delegation) },
  }),
];

function ended(contract: ContractId): { contract: ContractId; argument: Record<never, never>; result: Json } {
  return { contract, argument: {}, result: { dummyUnitField: {} } };
}
