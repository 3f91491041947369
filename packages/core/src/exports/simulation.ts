/**
 * For simulations of millions of payments: wallets and amounts as numbers.
 * @module
 */
export { fewOf, walletOf } from '../contracts/state.js';
export { packPayment, type WalletPayment } from '../rules/packed-transfer.js';
export { pay } from '../payments.js';
