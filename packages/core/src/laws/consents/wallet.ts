import type { AcceptedTransferOffer, TransferOffer } from '../../contracts/wallet.js';
import type { Step } from '../law.js';
import { archivedOf } from '../touched.js';
import { archived, byDso, byDsoOrSv, type Consents } from './consent.js';

/** By whose authority wallets and traffic act. Source: specification §3.4, §3.14. */
export const walletConsents: Consents = {
  UserOnboarded: { controllers: ({ update }) => [[update.detail.validator, update.detail.endUser]] },
  UserOffboarded: {
    controllers: (step) => {
      const [install] = archivedOf(step, 'WalletAppInstall');
      return [[install?.validator], [install?.endUser]];
    },
    exercised: (step) => archived(step, 'WalletAppInstall'),
  },

  WalletOfferCreated: { controllers: ({ update }) => [[update.detail.sender]] },
  WalletOfferAccepted: {
    controllers: (step) => [[archivedOf(step, 'TransferOffer')[0]?.receiver]],
    exercised: (step) => archived(step, 'TransferOffer'),
  },
  WalletOfferCompleted: {
    controllers: (step) => [[archivedOf(step, 'AcceptedTransferOffer')[0]?.sender, step.update.detail.walletProvider]],
    exercised: (step) => archived(step, 'AcceptedTransferOffer'),
    throughRules: true,
  },
  WalletOfferRejected: {
    controllers: (step) => [[walletOfferIn(step)?.receiver]],
    exercised: (step) => [walletOfferIn(step)],
  },
  WalletOfferWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferOffer')[0]?.sender]],
    exercised: (step) => archived(step, 'TransferOffer'),
  },
  WalletOfferAborted: {
    controllers: (step) => [[archivedOf(step, 'AcceptedTransferOffer')[0]?.sender]],
    exercised: (step) => archived(step, 'AcceptedTransferOffer'),
  },
  WalletOfferExpired: {
    controllers: (step) => [[walletOfferIn(step)?.sender], [walletOfferIn(step)?.receiver]],
    exercised: (step) => [walletOfferIn(step)],
  },

  // What a batch does beside its operations, which is nothing; each of these has its own consent.
  BatchExecuted: { controllers: ({ update }) => [[update.detail.owner, update.detail.validator]] },

  TrafficPurchased: { controllers: ({ update }) => [[update.detail.payer]], throughRules: true },
  TrafficToppedUp: {
    controllers: (step) => [[archivedOf(step, 'ValidatorTopUpState')[0]?.validator]],
    exercised: (step) => archived(step, 'ValidatorTopUpState'),
    throughRules: true,
  },
  TopUpStateCreated: { controllers: ({ update }) => [[update.detail.validator]] },
  MemberTrafficMerged: byDsoOrSv,
  TrafficConsumed: byDso,
  TrafficRequestCreated: { controllers: ({ update }) => [[update.detail.endUser]] },
  TrafficRequestCompleted: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser, step.update.detail.walletProvider]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
    throughRules: true,
  },
  TrafficRequestCancelled: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
  },
  TrafficRequestExpired: {
    controllers: (step) => [[archivedOf(step, 'BuyTrafficRequest')[0]?.endUser]],
    exercised: (step) => archived(step, 'BuyTrafficRequest'),
  },
};

/** The wallet offer that a step ends, accepted or not. */
function walletOfferIn(step: Step): TransferOffer | AcceptedTransferOffer | null {
  return archivedOf(step, 'TransferOffer')[0] ?? archivedOf(step, 'AcceptedTransferOffer')[0] ?? null;
}
