import type { PartyId } from '../../kernel/ids.js';
import type { Step } from '../law.js';
import { archivedOf } from '../touched.js';
import { archived, byDso, dsoOf, dsoOrSv, type Consents } from './consent.js';

/** By whose authority the DSO, its voters and the name service act. Source: specification §3.19. */
export const governanceConsents: Consents = {
  DsoBootstrapped: byDso,
  ActionExecuted: byDso,
  VoteRequested: { controllers: ({ update }) => [[update.detail.sv]], throughRules: true },
  VoteCast: {
    controllers: ({ update }) => [[update.detail.sv]],
    exercised: (step) => archived(step, 'VoteRequest'),
    throughRules: true,
  },
  VoteClosed: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'VoteRequest'),
    throughRules: true,
  },

  AnsEntryRequested: { controllers: ({ update }) => [[update.detail.user]], throughRules: true },
  AnsRequestWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionRequest')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionRequest'),
  },
  AnsPaymentMade: {
    controllers: (step) => [[payerOf(step)]],
    exercised: (step) => [...archivedOf(step, 'SubscriptionRequest'), ...archivedOf(step, 'SubscriptionIdleState')],
    throughRules: true,
  },
  AnsPaymentCollected: {
    controllers: dsoOrSv,
    // An entry is renewed, or one that has expired is removed.
    exercised: (step) => [...archived(step, 'SubscriptionPayment'), ...archivedOf(step, 'AnsEntry')],
  },
  AnsPaymentRejected: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'SubscriptionPayment'),
  },
  AnsPaymentReclaimed: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionPayment')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionPayment'),
  },
  AnsSubscriptionCancelled: {
    controllers: (step) => [[archivedOf(step, 'SubscriptionIdleState')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionIdleState'),
  },
  AnsSubscriptionExpired: {
    controllers: (step) => [...dsoOrSv(step), [archivedOf(step, 'SubscriptionIdleState')[0]?.terms.sender]],
    exercised: (step) => archived(step, 'SubscriptionIdleState'),
  },
  AnsEntryExpired: {
    controllers: (step) => [...dsoOrSv(step), [archivedOf(step, 'AnsEntry')[0]?.user]],
    exercised: (step) => archived(step, 'AnsEntry'),
  },
};

/** Who pays for a name: the sender of the subscription that the payment archives. */
function payerOf(step: Step): PartyId | undefined {
  return (archivedOf(step, 'SubscriptionRequest')[0] ?? archivedOf(step, 'SubscriptionIdleState')[0])?.terms.sender;
}
