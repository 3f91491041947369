import { Amount } from '@coinlab/core';
import { provider } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const wallet: RecipesOf<
  | 'OnboardUser'
  | 'OffboardUser'
  | 'CreateWalletOffer'
  | 'AcceptWalletOffer'
  | 'RejectWalletOffer'
  | 'WithdrawWalletOffer'
  | 'CompleteWalletOffer'
  | 'AbortWalletOffer'
  | 'WithdrawAcceptedWalletOffer'
  | 'ExpireWalletOffer'
> = {
  OnboardUser: {
    weight: 0.7,
    draw: (d) => {
      const endUser = d.party();
      const validator = d.dice.chance(20) ? d.party() : provider;
      return {
        command: { type: 'OnboardUser', validator, endUserName: d.dice.pick(['ann', 'ben', 'cid', '']), endUser },
        actAs: [validator, endUser],
      };
    },
  },

  OffboardUser: {
    weight: 0.3,
    needs: ['WalletAppInstall'],
    draw: (d) => {
      const install = d.contract('WalletAppInstall');
      return {
        command: { type: 'OffboardUser', install: d.ref(install) },
        actAs: [(d.dice.chance(50) ? install?.endUser : install?.validator) ?? d.party()],
      };
    },
  },

  CreateWalletOffer: {
    weight: 3,
    draw: (d) => {
      const sender = d.holder();
      return {
        command: {
          type: 'CreateWalletOffer',
          sender,
          receiver: d.other(sender),
          amount: d.amount(Amount.ofWhole(20)),
          unit: d.dice.chance(40) ? 'usd' : 'coin',
          expiresAt: d.ahead(),
          trackingId: d.trackingId(),
          description: d.text(),
        },
        actAs: [sender],
      };
    },
  },

  AcceptWalletOffer: {
    weight: 3,
    needs: ['TransferOffer'],
    draw: (d) => {
      const offer = d.contract('TransferOffer', ({ expiresAt }) => d.now < expiresAt);
      return {
        command: { type: 'AcceptWalletOffer', offer: d.ref(offer) },
        actAs: [offer?.receiver ?? d.party()],
        at: d.before(offer?.expiresAt),
      };
    },
  },

  RejectWalletOffer: {
    weight: 0.5,
    needs: ['TransferOffer'],
    draw: (d) => {
      const offer = d.contract('TransferOffer');
      return { command: { type: 'RejectWalletOffer', offer: d.ref(offer) }, actAs: [offer?.receiver ?? d.party()] };
    },
  },

  WithdrawWalletOffer: {
    weight: 0.5,
    needs: ['TransferOffer'],
    draw: (d) => {
      const offer = d.contract('TransferOffer');
      return {
        command: { type: 'WithdrawWalletOffer', offer: d.ref(offer), reason: d.text() },
        actAs: [offer?.sender ?? d.party()],
      };
    },
  },

  CompleteWalletOffer: {
    weight: 4,
    needs: ['AcceptedTransferOffer'],
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer', ({ expiresAt }) => d.now < expiresAt);
      const sender = accepted?.sender ?? d.holder();
      return {
        command: {
          type: 'CompleteWalletOffer',
          accepted: d.ref(accepted),
          walletProvider: provider,
          inputs: d.purse(sender),
        },
        actAs: [sender, provider],
        at: d.before(accepted?.expiresAt),
      };
    },
  },

  AbortWalletOffer: {
    weight: 0.5,
    needs: ['AcceptedTransferOffer'],
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer');
      return {
        command: { type: 'AbortWalletOffer', accepted: d.ref(accepted), reason: d.text() },
        actAs: [accepted?.sender ?? d.party()],
      };
    },
  },

  WithdrawAcceptedWalletOffer: {
    weight: 0.5,
    needs: ['AcceptedTransferOffer'],
    draw: (d) => {
      const accepted = d.contract('AcceptedTransferOffer');
      return {
        command: { type: 'WithdrawAcceptedWalletOffer', accepted: d.ref(accepted), reason: d.text() },
        actAs: [accepted?.receiver ?? d.party()],
      };
    },
  },

  ExpireWalletOffer: {
    weight: 0.7,
    needs: ['TransferOffer', 'AcceptedTransferOffer'],
    draw: (d) => {
      const offer = d.contract(d.dice.pick(['TransferOffer', 'AcceptedTransferOffer']));
      return {
        command: { type: 'ExpireWalletOffer', offer: d.ref(offer) },
        actAs: [(d.dice.chance(50) ? offer?.receiver : offer?.sender) ?? d.party()],
        at: d.after(offer?.expiresAt),
      };
    },
  },
};
