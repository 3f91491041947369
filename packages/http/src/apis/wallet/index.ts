import type { Configured } from '../../config.js';
import type { WalletHistory } from '../../history/wallet-index.js';
import type { Register } from '../../request.js';
import { registerBalance } from './balance.js';
import { registerBuyTrafficRequests } from './buy-traffic-requests.js';
import { registerDevelopmentFundCoupons } from './development-fund-coupons.js';
import { registerEntry } from './entry.js';
import { registerMintingDelegations } from './minting-delegations.js';
import { registerRewardCoupons } from './reward-coupons.js';
import { registerSubscriptionRequests } from './subscription-requests.js';
import { registerSubscriptions } from './subscriptions.js';
import { registerTokenStandardTransfers } from './token-standard-transfers.js';
import { registerTransactions } from './transactions.js';
import { registerTransferOffers } from './transfer-offers.js';
import { registerTransferPreapproval, type PreapprovalNeeds } from './transfer-preapproval.js';

export type WalletNeeds = PreapprovalNeeds & WalletHistory & Configured<'walletOffers'>;

export const registerWallet: Register<WalletNeeds> = (api, server) => {
  for (const register of [
    registerTransferOffers,
    registerMintingDelegations,
    registerBuyTrafficRequests,
    registerSubscriptionRequests,
    registerSubscriptions,
    registerEntry,
    registerDevelopmentFundCoupons,
    registerTransferPreapproval,
    registerTokenStandardTransfers,
    registerBalance,
    registerRewardCoupons,
    registerTransactions,
  ])
    register(api, server);
};
