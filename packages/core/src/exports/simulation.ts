/**
 * Payments with wallets and amounts as numbers, for simulations of millions of payments.
 * @module
 */
export { fewOf, walletOf } from '../contracts/state.js';
export { packMintTo, packPayment, type WalletMint, type WalletPayment } from '../rules/transfer/packed-transfer.js';
export { pay } from '../payments.js';
