import { Amount, contractsOf, Instant, type Duration, type LedgerState } from '@coinlab/core';
import type { AcceptedTransferOffer, BuyTrafficRequest } from '@coinlab/core/contracts';
import { newestUsableRound, outOfFundsReason, quoteTraffic } from '@coinlab/core/rules';
import { bothOf, tasksOf, type Policy, type Task, type Wallet } from './task.js';
import { coverOf } from './treasury.js';

/**
 * Returns a policy that pays a wallet's accepted offers, oldest first, and aborts an offer that the wallet cannot pay.
 * It handles one offer at a time, because each payment spends the change of the previous one.
 * Source: specification §8.6. Assumption: A-74.
 */
export function completeOffers(wallet: Wallet): Policy {
  return (state, now) => {
    for (const accepted of contractsOf(state, 'AcceptedTransferOffer', wallet.party)) {
      if (accepted.sender !== wallet.party || now >= accepted.expiresAt) continue;
      const task = completionOf(accepted, wallet, state, now);
      if (task) return [task];
    }
    return [];
  };
}

/**
 * Returns a policy that buys the traffic that a wallet's user has requested, oldest request first, and cancels
 * requests that the wallet cannot pay or the ledger would refuse. Source: specification §8.6.
 */
export function completeTrafficRequests(wallet: Wallet): Policy {
  return (state, now) => {
    for (const request of contractsOf(state, 'BuyTrafficRequest', wallet.party)) {
      if (now >= request.expiresAt) continue;
      const task = purchaseOf(request, wallet, state, now);
      if (task) return [task];
    }
    return [];
  };
}

/**
 * Returns a policy that removes a wallet's expired offers, made or received, and its expired traffic requests.
 * Source: specification §8.6.
 */
export function expireOffers({ party }: Pick<Wallet, 'party'>, grace: Duration): Policy {
  return (state, now) => {
    const isOver = ({ expiresAt }: { readonly expiresAt: Instant }): boolean => Instant.plus(expiresAt, grace) <= now;
    return [
      ...tasksOf(
        party,
        [...contractsOf(state, 'TransferOffer', party), ...contractsOf(state, 'AcceptedTransferOffer', party)]
          .filter(isOver)
          .map(({ id }) => ({ type: 'ExpireWalletOffer', offer: id })),
      ),
      ...tasksOf(
        party,
        [...contractsOf(state, 'BuyTrafficRequest', party)]
          .filter(isOver)
          .map(({ id }) => ({ type: 'ExpireTrafficRequest', request: id })),
      ),
    ];
  };
}

function completionOf(
  { id, receiver, amount, unit }: AcceptedTransferOffer,
  wallet: Wallet,
  state: LedgerState,
  now: Instant,
): Task | null {
  const { party, validator } = wallet;
  const open = newestUsableRound(state, now);
  if (!open) return null;
  const inCoin = unit === 'usd' ? Amount.div(amount, open.amuletPrice) : amount;
  const cover = coverOf({ payer: party, provider: validator, output: { receiver, amount: inCoin } }, state, now);
  if (!cover.ok) return null;
  const { inputs, missing } = cover.value;
  if (missing > 0n)
    return { command: { type: 'AbortWalletOffer', accepted: id, reason: outOfFundsReason(missing) }, actAs: [party] };
  return {
    command: { type: 'CompleteWalletOffer', accepted: id, walletProvider: validator, inputs },
    actAs: bothOf(wallet),
  };
}

function purchaseOf(request: BuyTrafficRequest, wallet: Wallet, state: LedgerState, now: Instant): Task | null {
  const { party, validator } = wallet;
  const cancel = (reason: string): Task => ({
    command: { type: 'CancelTrafficRequest', request: request.id, reason },
    actAs: [party],
  });
  const quote = quoteTraffic(request, state, now);
  if (!quote.ok) {
    const { error } = quote;
    if (error.code === 'UNKNOWN_SYNCHRONIZER') return cancel(`unknown synchronizer ${error.synchronizerId}`);
    return error.code === 'INSUFFICIENT_TOPUP_AMOUNT' ? cancel(`at least ${error.minimum} bytes are sold`) : null;
  }
  const { cost, round } = quote.value;
  // In the profile with fees the create fee of the burned coin is part of the cost.
  const output = { receiver: party, amount: Amount.sub(cost.coin, round.config.createFee) };
  const cover = coverOf({ payer: party, provider: party, output }, state, now);
  if (!cover.ok) return null;
  const { inputs, missing } = cover.value;
  if (missing > 0n) return cancel(outOfFundsReason(missing));
  return {
    command: { type: 'CompleteTrafficRequest', request: request.id, walletProvider: validator, inputs },
    actAs: bothOf(wallet),
  };
}
