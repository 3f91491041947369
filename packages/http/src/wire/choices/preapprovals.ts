import type { Amount, ContractId, Instant, Json, PartyId, UpdateOf } from '@coinlab/core';
import { choice, coinsIn, creation, type Choice, type Creation, type Exercised, type LedgerFacts } from './choice.js';
import { cid, decimal, optional, party, record, text, time } from './daml.js';
import { checkPaymentContext, paymentAt, paymentContext, transferInputs, type PaymentContext } from './payment.js';
import { burnMeta } from './result-meta.js';
import { paymentMeta, rulesResult, type Paid } from './transfer-results.js';

const PREAPPROVAL = '#splice-amulet:Splice.AmuletRules:TransferPreapproval';
const PROPOSAL = '#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal';

interface Proposal {
  readonly receiver: PartyId;
  readonly provider: PartyId;
  readonly expectedDso: PartyId | null;
}

interface Renewal {
  readonly context: PaymentContext;
  readonly inputs: readonly ContractId[];
  readonly newExpiresAt: Instant;
}

interface Acceptance {
  readonly context: PaymentContext;
  readonly inputs: readonly ContractId[];
  readonly expiresAt: Instant;
}

interface Sending {
  readonly context: PaymentContext;
  readonly inputs: readonly ContractId[];
  readonly amount: Amount;
  readonly sender: PartyId;
  readonly description: string | null;
}

const paid = { context: paymentContext, inputs: transferInputs };
const onPreapproval = { on: PREAPPROVAL, template: 'TransferPreapproval' } as const;

const sendingArgument = record<Sending>({ ...paid, amount: decimal, sender: party, description: optional(text) });
const SEND = { on: PREAPPROVAL, name: 'TransferPreapproval_Send', isConsuming: false } as const;

export function sending(
  detail: Paid & { readonly amount: Amount; readonly preapproval: ContractId },
  inputs: readonly ContractId[],
  facts: LedgerFacts,
): Exercised {
  const { sender, amount, preapproval } = detail;
  return {
    choice: SEND,
    contract: preapproval,
    acting: [sender],
    argument: sendingArgument.write({ context: paymentAt(facts), inputs, amount, sender, description: null }),
    result: { result: rulesResult(detail, facts.round.round), meta: paymentMeta(detail) },
  };
}

export const preapprovalCreations: readonly Creation[] = [
  creation({
    on: PROPOSAL,
    argument: record<Proposal>({ receiver: party, provider: party, expectedDso: optional(party) }),
    commands: ['ProposePreapproval'],
    kinds: ['PreapprovalProposed'],
    command({ receiver, provider, expectedDso }, site) {
      site.expectDso(expectedDso);
      return { type: 'ProposePreapproval', receiver, provider };
    },
  }),
];

export const preapprovalChoices: readonly Choice[] = [
  choice({
    on: PROPOSAL,
    template: 'TransferPreapprovalProposal',
    name: 'TransferPreapprovalProposal_Accept',
    isConsuming: true,
    argument: record<Acceptance>({ ...paid, expiresAt: time }),
    commands: ['AcceptPreapprovalProposal'],
    command({ context, inputs, expiresAt }, site) {
      checkPaymentContext(context, site);
      return { type: 'AcceptPreapprovalProposal', proposal: site.target, expiresAt, inputs };
    },
    records: {
      PreapprovalCreated(update, facts) {
        const proposal = proposalIn(update, facts);
        return (
          proposal && {
            contract: proposal,
            argument: {
              context: paymentAt(facts),
              inputs: coinsIn(update, facts),
              expiresAt: update.detail.expiresAt,
            },
            result: createdPreapproval(update.detail),
          }
        );
      },
    },
  }),
  choice({
    ...onPreapproval,
    name: 'TransferPreapproval_Renew',
    isConsuming: true,
    argument: record<Renewal>({ ...paid, newExpiresAt: time }),
    commands: ['RenewPreapproval'],
    command({ context, inputs, newExpiresAt }, site) {
      checkPaymentContext(context, site);
      return { type: 'RenewPreapproval', preapproval: site.target, newExpiresAt, inputs };
    },
    records: {
      PreapprovalRenewed(update, facts) {
        const { archived, detail } = update;
        const renewed = archived.find((id) => facts.contract(id)?.template === 'TransferPreapproval');
        return {
          contract: renewed ?? detail.preapproval,
          argument: {
            context: paymentAt(facts),
            inputs: coinsIn(update, facts),
            newExpiresAt: detail.expiresAt,
          },
          result: {
            transferPreapprovalCid: cid.write(detail.preapproval),
            receiver: detail.receiver,
            provider: detail.provider,
            amuletPaid: decimal.write(detail.fee),
            meta: burnMeta('renew TransferPreapproval', detail.burned),
          },
        };
      },
    },
  }),
  choice({
    ...onPreapproval,
    name: 'TransferPreapproval_Cancel',
    isConsuming: true,
    argument: record<{ readonly p: PartyId }>({ p: party }),
    commands: ['CancelPreapproval'],
    command({ p }, site) {
      const { receiver, provider } = site.contract('TransferPreapproval', site.target);
      if (p !== receiver) site.expectSame('p', provider, p, site.target);
      return { type: 'CancelPreapproval', preapproval: site.target };
    },
    records: {
      PreapprovalCancelled: ({ actAs, detail }) => ({
        contract: detail.preapproval,
        argument: { p: actAs.includes(detail.receiver) ? detail.receiver : detail.provider },
        result: {},
      }),
    },
  }),
  choice({
    ...onPreapproval,
    ...SEND,
    argument: sendingArgument,
    commands: ['DirectTransfer'],
    command({ context, inputs, amount, sender, description }, site) {
      checkPaymentContext(context, site);
      const { id: preapproval, receiver } = site.contract('TransferPreapproval', site.target);
      const meta = description === null ? {} : { 'splice.lfdecentralizedtrust.org/reason': description };
      return { type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval, meta };
    },
    // The update of a payment is that of TransferFactory_Transfer.
    records: {},
  }),
];

export function proposalIn({ archived }: UpdateOf<'PreapprovalCreated'>, facts: LedgerFacts): ContractId | null {
  return archived.find((id) => facts.contract(id)?.template === 'TransferPreapprovalProposal') ?? null;
}

export function createdPreapproval({ preapproval, fee, burned }: UpdateOf<'PreapprovalCreated'>['detail']): Json {
  return {
    transferPreapprovalCid: cid.write(preapproval),
    amuletPaid: decimal.write(fee),
    meta: burnMeta('create TransferPreapproval', burned),
  };
}
