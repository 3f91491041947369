import { Duration, Instant } from '@coinlab/core';
import { dso } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const names: RecipesOf<
  | 'RequestAnsEntry'
  | 'WithdrawAnsRequest'
  | 'PayAnsSubscription'
  | 'CollectAnsPayment'
  | 'RejectAnsPayment'
  | 'ReclaimAnsPayment'
  | 'CancelAnsSubscription'
  | 'ExpireAnsSubscription'
  | 'ExpireAnsEntry'
> = {
  RequestAnsEntry: {
    weight: 1,
    needs: ['AnsRules'],
    draw: (d) => {
      const user = d.holder();
      return {
        command: {
          type: 'RequestAnsEntry',
          user,
          name: d.dice.pick(['one.cns', 'one.cns', 'two.cns', '']),
          url: 'https://example.org',
          description: d.text(),
        },
        actAs: [user],
      };
    },
  },

  WithdrawAnsRequest: {
    weight: 0.3,
    needs: ['SubscriptionRequest'],
    draw: (d) => {
      const request = d.contract('SubscriptionRequest');
      return {
        command: { type: 'WithdrawAnsRequest', request: d.ref(request) },
        actAs: [request?.terms.sender ?? d.party()],
      };
    },
  },

  PayAnsSubscription: {
    weight: 2,
    needs: ['SubscriptionRequest', 'SubscriptionIdleState'],
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      const subscription = d.contract('SubscriptionRequest') ?? idle;
      const due = subscription === idle ? idle : undefined;
      const user = subscription?.terms.sender ?? d.party();
      const opens = due ? Instant.plus(due.nextPaymentDueAt, Duration.ofMicros(-due.terms.paymentDuration)) : d.now;
      return {
        command: { type: 'PayAnsSubscription', subscription: d.ref(subscription), inputs: d.inputs(user) },
        actAs: [user],
        at: due && d.dice.chance(20) ? d.before(due.nextPaymentDueAt) : d.after(opens),
      };
    },
  },

  CollectAnsPayment: {
    weight: 1.5,
    needs: ['SubscriptionPayment'],
    draw: (d) => {
      const payment = d.contract('SubscriptionPayment');
      return {
        command: { type: 'CollectAnsPayment', payment: d.ref(payment) },
        actAs: [dso],
        at: payment?.dueAt && d.dice.chance(20) ? d.before(payment.dueAt) : d.now,
      };
    },
  },

  RejectAnsPayment: {
    weight: 0.7,
    needs: ['SubscriptionPayment'],
    draw: (d) => ({
      command: { type: 'RejectAnsPayment', payment: d.ref(d.contract('SubscriptionPayment')) },
      actAs: [dso],
    }),
  },

  ReclaimAnsPayment: {
    weight: 0.7,
    needs: ['SubscriptionPayment'],
    draw: (d) => {
      const payment = d.contract('SubscriptionPayment');
      return {
        command: { type: 'ReclaimAnsPayment', payment: d.ref(payment) },
        actAs: [payment?.terms.sender ?? d.party()],
        at: d.after(payment?.lockedUntil),
      };
    },
  },

  CancelAnsSubscription: {
    weight: 0.3,
    needs: ['SubscriptionIdleState'],
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      return {
        command: { type: 'CancelAnsSubscription', subscription: d.ref(idle) },
        actAs: [idle?.terms.sender ?? d.party()],
      };
    },
  },

  ExpireAnsSubscription: {
    weight: 0.3,
    needs: ['SubscriptionIdleState'],
    draw: (d) => {
      const idle = d.contract('SubscriptionIdleState');
      return {
        command: { type: 'ExpireAnsSubscription', subscription: d.ref(idle) },
        actAs: [(d.dice.chance(50) ? idle?.terms.sender : undefined) ?? dso],
        at: d.after(idle?.nextPaymentDueAt),
      };
    },
  },

  ExpireAnsEntry: {
    weight: 0.3,
    needs: ['AnsEntry'],
    draw: (d) => {
      const entry = d.contract('AnsEntry');
      return {
        command: { type: 'ExpireAnsEntry', entry: d.ref(entry) },
        actAs: [(d.dice.chance(50) ? entry?.user : undefined) ?? dso],
        at: d.after(entry?.expiresAt),
      };
    },
  },
};
