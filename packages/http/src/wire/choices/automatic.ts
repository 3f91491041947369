import type { TemplateName, Update, UpdateKind, UpdateOf } from '@coinlab/core';
import { trafficPurchase } from './amulet-rules.js';
import { coinsIn, type ChoiceName, type Exercised, type LedgerFacts } from './choice.js';
import { cid } from './daml.js';
import { paymentAt, paymentContext, transferInputs } from './payment.js';
import { sending } from './preapprovals.js';
import { burnMeta, holdingMeta } from './result-meta.js';
import { ownTransfer, rulesTransfer, unlocked } from './rules-transfer.js';
import { exerciseOf } from './table.js';
import { expiredInstruction } from './transfers.js';
import { rulesResult } from './transfer-results.js';

const COIN = '#splice-amulet:Splice.Amulet';
const SUBSCRIPTIONS = '#splice-wallet-payments:Splice.Wallet.Subscriptions';

type Exercises = {
  readonly [Kind in UpdateKind]?: (update: UpdateOf<Kind>, facts: LedgerFacts) => readonly Exercised[];
};

/**
 * The ledger API describes these exercises but does not execute them. Every update that moves coin has one, because wallets label
 * their history by the exercised choice.
 */
const AUTOMATIC: Exercises = {
  HoldingsMerged: (update, facts) => [rulesTransfer(update, facts)],
  HoldingUnlocked: ({ detail }, facts) => [freed('LockedAmulet_Unlock', detail, 'holders released lock', facts)],
  LockExpired: ({ detail }, facts) => [freed('LockedAmulet_OwnerExpireLock', detail, 'lock expired', facts)],
  DustExpired: ({ detail }, { round }) =>
    detail.expired.map(({ holding, wasLocked, owner }) => ({
      choice: consuming(COIN, wasLocked ? 'LockedAmulet' : 'Amulet', wasLocked ? '_ExpireAmulet' : '_Expire'),
      contract: holding,
      argument: { roundCid: cid.write(round.id) },
      result: { expireSum: { owner, round: { number: String(round.round) } }, meta: holdingMeta('expire-dust', {}) },
    })),
  TransferExpired: (update, facts) => [expiredInstruction(update, facts)],
  WalletOfferCompleted: (update, facts) => [
    {
      choice: consuming('#splice-wallet:Splice.Wallet.TransferOffer', 'AcceptedTransferOffer', '_Complete'),
      contract: update.detail.accepted,
      argument: {
        inputs: transferInputs.write(coinsIn(update, facts)),
        transferContext: paymentContext.write(paymentAt(facts)),
        walletProvider: update.detail.walletProvider,
      },
      result: { transferResult: rulesResult(update.detail, facts.round.round) },
      inner: [rulesTransfer(update, facts)],
    },
  ],
  TrafficToppedUp: (update, facts) => [trafficPurchase(update.detail, coinsIn(update, facts), facts)],
  TrafficRequestCompleted: (update, facts) => [
    {
      choice: consuming('#splice-wallet:Splice.Wallet.BuyTrafficRequest', 'BuyTrafficRequest', '_Complete'),
      contract: update.detail.request,
      argument: {
        inputs: transferInputs.write(coinsIn(update, facts)),
        context: paymentContext.write(paymentAt(facts)),
        walletProvider: update.detail.walletProvider,
      },
      result: { trackingInfo: { trackingId: update.detail.trackingId } },
      inner: [trafficPurchase(update.detail, coinsIn(update, facts), facts)],
    },
  ],
  TransferCommandSent: (update, facts) => [
    {
      ...sent(update, facts),
      inner: [sending(update.detail, coinsIn(update, facts), facts)],
    },
  ],
  TransferCommandFailed: (update, facts) => {
    const { sender, inputs, merged, burned } = update.detail;
    const paid = { sender, holdings: [], change: merged, burned };
    const merge = ownTransfer({ archived: update.archived, detail: paid }, facts);
    return [{ ...sent(update, facts), inner: inputs > 0 ? [merge] : [] }];
  },
  AnsPaymentMade(update, facts) {
    const { user, isFirst, payment, reference, lockedHolding, change, burned } = update.detail;
    const paid = { sender: user, holdings: [lockedHolding], change, burned };
    const subscription = isFirst ? reference : archivedOf('SubscriptionIdleState', update, facts);
    if (subscription === null) return [];
    return [
      {
        choice: isFirst
          ? consuming(SUBSCRIPTIONS, 'SubscriptionRequest', '_AcceptAndMakePayment')
          : consuming(SUBSCRIPTIONS, 'SubscriptionIdleState', '_MakePayment'),
        contract: subscription,
        argument: {
          inputs: transferInputs.write(coinsIn(update, facts)),
          context: paymentContext.write(paymentAt(facts)),
          walletProvider: user,
        },
        result: { subscriptionPayment: cid.write(payment) },
        inner: [ownTransfer({ archived: update.archived, detail: paid }, facts)],
      },
    ];
  },
  AnsPaymentCollected: ({ detail }) => [
    {
      choice: ofPayment(detail, '_Collect'),
      contract: detail.payment,
      argument: {},
      result: { meta: burnMeta('ans entry', detail.burned) },
    },
  ],
  AnsPaymentRejected: ({ detail }, facts) => [givenBack('_Reject', detail, facts)],
  AnsPaymentReclaimed: ({ detail }, facts) => [givenBack('_Expire', detail, facts)],
};

export function exercisesOf(update: Update, facts: LedgerFacts): readonly Exercised[] {
  const exercised = exerciseOf(update, facts);
  return exercised ? [exercised] : automatic(update, facts);
}

function automatic<Kind extends UpdateKind>(update: UpdateOf<Kind>, facts: LedgerFacts): readonly Exercised[] {
  return AUTOMATIC[update.kind]?.(update, facts) ?? [];
}

function consuming(module: string, template: string, verb: string): ChoiceName {
  return { on: `${module}:${template}`, name: template + verb, isConsuming: true };
}

function freed(
  name: string,
  { locked, holding }: UpdateOf<'LockExpired'>['detail'],
  reason: string,
  facts: LedgerFacts,
): Exercised {
  return {
    choice: { on: `${COIN}:LockedAmulet`, name, isConsuming: true },
    contract: locked,
    argument: { openRoundCid: cid.write(facts.round.id) },
    result: unlocked(holding, reason, facts),
  };
}

function sent(
  update: UpdateOf<'TransferCommandSent'> | UpdateOf<'TransferCommandFailed'>,
  facts: LedgerFacts,
): Exercised {
  const { command, sender, delegate, nonce } = update.detail;
  const preapproval = update.kind === 'TransferCommandSent' ? update.detail.preapproval : null;
  return {
    choice: consuming('#splice-amulet:Splice.ExternalPartyAmuletRules', 'TransferCommand', '_Send'),
    contract: command,
    acting: [delegate],
    argument: {
      context: paymentContext.write(paymentAt(facts)),
      inputs: transferInputs.write(coinsIn(update, facts)),
      transferPreapprovalCidO: preapproval === null ? null : cid.write(preapproval),
    },
    result: { sender, nonce: String(nonce) },
  };
}

type Payment = Pick<UpdateOf<'AnsPaymentRejected'>['detail'], 'isFirst' | 'payment' | 'holding'>;

function ofPayment({ isFirst }: Pick<Payment, 'isFirst'>, verb: string): ChoiceName {
  return consuming(SUBSCRIPTIONS, isFirst ? 'SubscriptionInitialPayment' : 'SubscriptionPayment', verb);
}

function givenBack(verb: string, detail: Payment, facts: LedgerFacts): Exercised {
  const { payment, holding } = detail;
  const result = holding === null ? {} : unlocked(holding, 'payment returned', facts);
  return { choice: ofPayment(detail, verb), contract: payment, argument: {}, result };
}

function archivedOf(template: TemplateName, { archived }: Pick<Update, 'archived'>, facts: LedgerFacts) {
  return archived.find((id) => facts.contract(id)?.template === template) ?? null;
}
