/**
 * Payments with wallets and amounts as numbers, for simulations of millions of payments.
 * @module
 */
export { fewOf, walletOf } from '../contracts/state.js';
export { packPayment, type WalletPayment } from '../rules/transfer/packed-transfer.js';
export { pay } from '../payments.js';
