import {
  holdingsOf,
  Instant,
  settingsOf,
  type ContractId,
  type Duration,
  type LedgerState,
  type PartyId,
  type TransferPreapproval,
} from '@coinlab/core';
import type { TransferCommand } from '@coinlab/core/contracts';
import { mintableCouponsOf, preapprovalOf, sendPreapproved, walletRound } from '@coinlab/core/rules';
import { contractsAbout, firstByKey } from '@coinlab/core/views';
import { Effects, firstOf } from '@coinlab/core/workflows';
import { tasksOf, type Policy } from './task.js';

/**
 * Returns a policy that executes a delegate's transfer commands one at a time, with the sender's current coins. The
 * commands of a sender follow the order of their nonces. The policy also executes a command with a spent nonce or a
 * receiver without a preapproval; the ledger then records its failure.
 * Source: specification §8.10, §3.13.
 */
export function sendTransferCommands(delegate: PartyId): Policy {
  return (state, now) => {
    for (const command of contractsAbout(state, 'TransferCommand', delegate)) {
      if (now >= command.expiresAt) continue;
      const counter = firstByKey(state, 'TransferCommandCounter', command.sender);
      if (!counter || counter.nextNonce < command.nonce) continue;
      if (counter.nextNonce > command.nonce) return send(delegate, command.id, [], null);
      const preapproval = preapprovalOf(state, command.receiver, now);
      if (!preapproval) return send(delegate, command.id, [], null);
      const inputs = inputsFor(command.sender, state, now);
      if (canBeSent(command, preapproval, inputs, state, now))
        return send(delegate, command.id, inputs, preapproval.id);
    }
    return [];
  };
}

/** Returns a policy that removes a delegate's expired commands. Source: specification §8.10. */
export function expireTransferCommands(delegate: PartyId, grace: Duration): Policy {
  return (state, now) =>
    tasksOf(
      delegate,
      [...contractsAbout(state, 'TransferCommand', delegate)]
        .filter(({ expiresAt }) => Instant.plus(expiresAt, grace) <= now)
        .map(({ id }) => ({ type: 'ExpireTransferCommand', command: id })),
    );
}

function send(
  delegate: PartyId,
  command: ContractId,
  inputs: readonly ContractId[],
  preapproval: ContractId | null,
): ReturnType<Policy> {
  return tasksOf(delegate, [{ type: 'SendTransferCommand', command, inputs, preapproval }]);
}

function inputsFor(sender: PartyId, state: LedgerState, now: Instant): readonly ContractId[] {
  const round = walletRound(state, now);
  if (!round.ok) return [];
  const most = round.value.config.maxNumInputs;
  const coins = firstOf(holdingsOf(state, sender, 'largest'), most).map(({ id }) => id);
  const coupons = mintableCouponsOf(state, sender, now, most)
    .filter(({ coupon }) => coupon.template === 'AppRewardCoupon')
    .map(({ coupon }) => coupon.id);
  return [...coins, ...coupons].slice(0, most);
}

function canBeSent(
  { sender, amount }: TransferCommand,
  preapproval: TransferPreapproval,
  inputs: readonly ContractId[],
  state: LedgerState,
  now: Instant,
): boolean {
  const round = walletRound(state, now);
  if (!round.ok) return false;
  if (!settingsOf(state).profile.failureAborts) return true;
  const effects = new Effects(state);
  return sendPreapproved({ sender, amount, inputs, preapproval, round: round.value, now }, state, effects).ok;
}
