import type { Amount, ContractId, Instant, PartyId, UpdateOf } from '@coinlab/core';
import { choice, coinsIn, type Choice, type Exercised, type LedgerFacts } from './choice.js';
import { cid, decimal, int, optional, party, record, text, time } from './daml.js';
import {
  checkPaymentContext,
  checkTransferContext,
  contextOf,
  paymentAt,
  paymentContext,
  transferContext,
  transferInputs,
  type PaymentContext,
  type TransferContext,
} from './payment.js';
import { createdPreapproval, proposalIn } from './preapprovals.js';
import { burnMeta, holdingMeta } from './result-meta.js';

const on = '#splice-amulet:Splice.AmuletRules:AmuletRules';

interface MintArgument {
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly openRound: ContractId;
}

const mintArgument = record<MintArgument>({ receiver: party, amount: decimal, openRound: cid });

interface BuyTrafficArgument {
  readonly inputs: readonly ContractId[];
  readonly context: TransferContext;
  readonly provider: PartyId;
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: number;
  readonly trafficAmount: number;
  readonly expectedDso: PartyId | null;
}

interface PaidArgument {
  readonly context: PaymentContext;
  readonly inputs: readonly ContractId[];
  readonly expectedDso: PartyId | null;
}

const paid = { context: paymentContext, inputs: transferInputs, expectedDso: optional(party) };

type CreatePreapprovalArgument = PaidArgument & {
  readonly receiver: PartyId;
  readonly provider: PartyId;
  readonly expiresAt: Instant;
};

type SetupProposalArgument = PaidArgument & {
  readonly user: PartyId;
  readonly validator: PartyId;
  readonly preapprovalExpiresAt: Instant;
};

const buyTrafficArgument = record<BuyTrafficArgument>({
  inputs: transferInputs,
  context: transferContext,
  provider: party,
  memberId: text,
  synchronizerId: text,
  migrationId: int,
  trafficAmount: int,
  expectedDso: optional(party),
});

type Purchase = Omit<UpdateOf<'TrafficPurchased'>['detail'], 'minted'>;

function purchase(detail: Purchase, inputs: readonly ContractId[], facts: LedgerFacts) {
  const { payer, memberId, synchronizerId, migrationId, trafficBytes, cost, burned, memberTraffic, change } = detail;
  return {
    contract: facts.amuletRules,
    argument: {
      inputs,
      context: contextOf(facts.round.id),
      provider: payer,
      memberId,
      synchronizerId,
      migrationId,
      trafficAmount: trafficBytes,
      expectedDso: facts.dso,
    },
    result: {
      round: { number: int.write(facts.round.round) },
      amuletPaid: decimal.write(cost),
      purchasedTraffic: cid.write(memberTraffic),
      senderChangeAmulet: optional(cid).write(change),
      meta: burnMeta('traffic purchase', burned),
    },
  };
}

const BUY_TRAFFIC = { on, name: 'AmuletRules_BuyMemberTraffic', isConsuming: false } as const;

export function trafficPurchase(detail: Purchase, inputs: readonly ContractId[], facts: LedgerFacts): Exercised {
  const { argument, ...rest } = purchase(detail, inputs, facts);
  return { ...rest, choice: BUY_TRAFFIC, acting: [detail.payer], argument: buyTrafficArgument.write(argument) };
}

export const amuletRulesChoices: readonly Choice[] = [
  choice({
    on,
    template: 'AmuletRules',
    name: 'AmuletRules_DevNet_Tap',
    isConsuming: false,
    argument: mintArgument,
    commands: ['Tap'],
    command({ receiver, amount, openRound }, site) {
      site.openRound(openRound);
      return { type: 'Tap', receiver, amount };
    },
    records: {
      Tapped: ({ detail: { receiver, amount, holding } }, { amuletRules, round }) => ({
        contract: amuletRules,
        argument: { receiver, amount, openRound: round.id },
        result: {
          amuletSum: {
            amulet: cid.write(holding),
            amuletPrice: decimal.write(round.amuletPrice),
            round: { number: int.write(round.round) },
          },
          meta: holdingMeta('mint', { reason: 'tapped faucet' }),
        },
      }),
    },
  }),
  choice({
    on,
    template: 'AmuletRules',
    name: 'AmuletRules_Mint',
    isConsuming: false,
    argument: mintArgument,
    commands: ['Mint'],
    command({ receiver, amount, openRound }, site) {
      site.openRound(openRound);
      return { type: 'Mint', receiver, amount };
    },
    records: {
      Minted: ({ detail: { receiver, amount, holding } }, { amuletRules, round }) => ({
        contract: amuletRules,
        argument: { receiver, amount, openRound: round.id },
        result: {
          amuletSum: {
            amulet: cid.write(holding),
            amuletPrice: decimal.write(round.amuletPrice),
            round: { number: int.write(round.round) },
          },
        },
      }),
    },
  }),
  choice({
    on,
    template: 'AmuletRules',
    name: 'AmuletRules_DevNet_FeatureApp',
    isConsuming: false,
    argument: record<{ readonly provider: PartyId }>({ provider: party }),
    commands: ['SelfGrantFeaturedAppRight'],
    command: ({ provider }) => ({ type: 'SelfGrantFeaturedAppRight', provider }),
    records: {
      FeaturedAppRightGranted: ({ detail: { provider, right } }, { amuletRules }) => ({
        contract: amuletRules,
        argument: { provider },
        result: { featuredAppRightCid: cid.write(right) },
      }),
    },
  }),
  choice({
    on,
    template: 'AmuletRules',
    name: BUY_TRAFFIC.name,
    isConsuming: BUY_TRAFFIC.isConsuming,
    argument: buyTrafficArgument,
    commands: ['BuyMemberTraffic'],
    command(argument, site) {
      const { inputs, context, provider, memberId, synchronizerId, migrationId, trafficAmount, expectedDso } = argument;
      site.expectDso(expectedDso);
      checkTransferContext(context, site);
      const member = { memberId, synchronizerId, migrationId };
      return { type: 'BuyMemberTraffic', payer: provider, ...member, trafficBytes: trafficAmount, inputs };
    },
    records: {
      TrafficPurchased: (update, facts) => purchase(update.detail, coinsIn(update, facts), facts),
    },
  }),
  choice({
    on,
    template: 'AmuletRules',
    name: 'AmuletRules_CreateTransferPreapproval',
    isConsuming: false,
    argument: record<CreatePreapprovalArgument>({ ...paid, receiver: party, provider: party, expiresAt: time }),
    commands: ['CreatePreapproval'],
    command({ context, inputs, receiver, provider, expiresAt, expectedDso }, site) {
      site.expectDso(expectedDso);
      checkPaymentContext(context, site);
      return { type: 'CreatePreapproval', receiver, provider, expiresAt, inputs };
    },
    records: {
      // Without a proposal: otherwise the provider accepted one.
      PreapprovalCreated: (update, facts) =>
        proposalIn(update, facts) === null
          ? {
              contract: facts.amuletRules,
              argument: {
                context: paymentAt(facts),
                inputs: coinsIn(update, facts),
                expectedDso: facts.dso,
                receiver: update.detail.receiver,
                provider: update.detail.provider,
                expiresAt: update.detail.expiresAt,
              },
              result: createdPreapproval(update.detail),
            }
          : null,
    },
  }),
  choice({
    on,
    template: 'AmuletRules',
    name: 'AmuletRules_CreateExternalPartySetupProposal',
    isConsuming: false,
    argument: record<SetupProposalArgument>({ ...paid, user: party, validator: party, preapprovalExpiresAt: time }),
    commands: ['CreateExternalPartySetupProposal'],
    command({ context, inputs, user, validator, preapprovalExpiresAt, expectedDso }, site) {
      site.expectDso(expectedDso);
      checkPaymentContext(context, site);
      return { type: 'CreateExternalPartySetupProposal', validator, user, preapprovalExpiresAt, inputs };
    },
    records: {
      ExternalPartySetupProposed: (update, facts) => ({
        contract: facts.amuletRules,
        argument: {
          context: paymentAt(facts),
          inputs: coinsIn(update, facts),
          expectedDso: facts.dso,
          user: update.detail.user,
          validator: update.detail.validator,
          preapprovalExpiresAt: update.detail.preapprovalExpiresAt,
        },
        result: {
          proposalCid: cid.write(update.detail.proposal),
          user: update.detail.user,
          validator: update.detail.validator,
          amuletPaid: decimal.write(update.detail.fee),
          meta: burnMeta('create ExternalPartySetupProposal', update.detail.burned),
        },
      }),
    },
  }),
];
