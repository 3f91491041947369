import {
  Amount,
  Duration,
  holdingsOf,
  Instant,
  PartyId,
  settingsOf,
  type Command,
  type ContractId,
  type Holding,
  type LedgerState,
} from '@coinlab/core';
import {
  offersBetweenKey,
  type AcceptedTransferOffer,
  type OpenMiningRound,
  type TransferConfig,
  type TransferOffer,
  type TransferTerms,
} from '@coinlab/core/contracts';
import {
  inputValue,
  newestUsableRound,
  outputFee,
  preapprovalOf,
  registryRound,
  reserveFor,
  TRACKING_ID_KEY,
  type TransferRound,
} from '@coinlab/core/rules';
import { contractsByKey, unlockedTotalOf } from '@coinlab/core/views';
import { tasksOf, type Policy } from './task.js';
import { coinsToPay } from './treasury.js';

/**
 * Settings of a sweep: the receiver, the balance above which it acts and the balance that it leaves. Source:
 * specification §8.4.
 */
export interface SweepConfig {
  readonly receiver: PartyId;
  /** Balance in USD above which the wallet is swept. */
  readonly maxBalanceUSD: Amount;
  readonly minBalanceUSD: Amount;
  /** True: pays in one step, which needs a preapproval of the receiver; false: makes an offer. */
  readonly useTransferPreapproval: boolean;
}

/**
 * Form of a wallet's offers: `locked`, the two-step transfer that locks its coin, or `public`, the wallet's own offer
 * that locks nothing. Source: specification §11.1 (5).
 */
export type OfferForm = 'locked' | 'public';

/** Source: specification §2.6. */
const SWEEP_LIFETIME = Duration.minutes(10);

/**
 * Returns a policy that transfers a wallet's coin to another party once the balance exceeds the maximum, so that the
 * minimum remains. Open offers to that party count as transferred. If the amount needs more coins than one transfer
 * takes, later runs transfer the rest.
 * Source: specification §8.4. Assumption: A-71.
 */
export function sweep(sender: PartyId, config: SweepConfig, form: OfferForm): Policy {
  return (state, now) => {
    const open = newestUsableRound(state, now);
    const round = registryRound(state, now);
    if (!open || !round.ok) return [];
    const swept = amountToSweep(state, sender, config, open);
    if (swept === null) return [];
    if (config.useTransferPreapproval && !preapprovalOf(state, config.receiver, now)) return [];
    const coins = coinsToPay(state, sender, now);
    const paid = {
      sender,
      receiver: config.receiver,
      requestedAt: now,
      executeBefore: Instant.plus(now, SWEEP_LIFETIME),
    };
    const kind = config.useTransferPreapproval ? 'direct' : form;
    // A configuration without lock holders refuses two-step transfers.
    if (kind === 'locked' && round.value.config.maxNumLockHolders < 1) return [];
    const amount = kind === 'public' ? swept : payable({ ...paid, amount: swept }, kind, coins, round.value, state);
    if (amount <= 0n) return [];
    return tasksOf(sender, [commandFor({ ...paid, amount, inputs: coins.map(({ id }) => id) }, kind, state)]);
  };
}

function payable(
  terms: Pick<TransferTerms, 'sender' | 'receiver' | 'amount' | 'requestedAt' | 'executeBefore'>,
  kind: 'direct' | 'locked',
  coins: readonly Holding[],
  round: TransferRound,
  state: LedgerState,
): Amount {
  const { profile } = settingsOf(state);
  const worth = Amount.sum(coins.map((coin) => inputValue(coin, round.round, profile)));
  const reserve = kind === 'locked' ? reserveFor(terms, round, state) : Amount.zero;
  const fee = outputFee(round.config, {
    amount: terms.amount,
    toSelf: kind === 'locked',
    holders: kind === 'locked' ? 1 : 0,
  });
  return Amount.min(terms.amount, Amount.sub(worth, Amount.add(reserve, fee)));
}

/**
 * Returns the amount of coin that a sweep transfers; null when it has nothing to transfer.
 * Source: specification §8.4, steps 1 to 6.
 */
export function amountToSweep(
  state: LedgerState,
  sender: PartyId,
  { receiver, maxBalanceUSD, minBalanceUSD, useTransferPreapproval }: SweepConfig,
  open: OpenMiningRound,
): Amount | null {
  const price = open.amuletPrice;
  const balanceUsd = Amount.mul(price, effectiveBalance(state, sender, open));
  const outstandingUsd = useTransferPreapproval ? Amount.zero : outstandingOf(state, sender, receiver, open);
  const atHand = Amount.sub(balanceUsd, outstandingUsd);
  if (atHand <= maxBalanceUSD) return null;
  const after = lessFees(Amount.sub(atHand, minBalanceUSD), open.transferConfigUsd);
  return after > 0n ? Amount.div(after, price) : null;
}

/** Source: specification §4.6. */
function effectiveBalance(state: LedgerState, party: PartyId, { round }: OpenMiningRound): Amount {
  if (!settingsOf(state).profile.chargesHoldingFee) return unlockedTotalOf(state, party);
  const coins = [...holdingsOf(state, party, 'oldest')];
  return Amount.sum(coins.map((coin) => inputValue(coin, round, settingsOf(state).profile)));
}

function outstandingOf(
  state: LedgerState,
  sender: PartyId,
  receiver: PartyId,
  { amuletPrice, transferConfigUsd }: OpenMiningRound,
): Amount {
  const key = offersBetweenKey(sender, receiver);
  const offers: readonly (TransferOffer | AcceptedTransferOffer)[] = [
    ...contractsByKey(state, 'TransferOffer', key),
    ...contractsByKey(state, 'AcceptedTransferOffer', key),
  ];
  return Amount.sum(
    offers.map(({ amount, unit }) => {
      const usd = unit === 'usd' ? amount : Amount.mul(amuletPrice, amount);
      return Amount.sub(Amount.times(usd, 2), lessFees(usd, transferConfigUsd));
    }),
  );
}

/** Rounds the sum of the fees once, half up. Source: specification §8.4 step 5, §2.3. */
function lessFees(usd: Amount, { createFee, transferFeeInitialRate, transferFeeSteps }: TransferConfig): Amount {
  let rest: bigint = usd;
  let rate: bigint = transferFeeInitialRate;
  let thresholds = 0n;
  let fee = 2n * createFee * Amount.one;
  for (const step of transferFeeSteps) {
    const width = step.from - thresholds;
    fee += rate * (rest < width ? (rest > 0n ? rest : 0n) : width);
    rest -= width;
    rate = step.rate;
    thresholds += step.from;
  }
  if (rest > 0n) fee += rate * rest;
  return halfUp(usd * Amount.one - fee);
}

function halfUp(squared: bigint): Amount {
  const half = Amount.one / 2n;
  return Amount.ofUnits(squared >= 0n ? (squared + half) / Amount.one : -((-squared + half) / Amount.one));
}

function commandFor(
  { sender, receiver, amount, inputs, executeBefore }: Payment,
  kind: 'direct' | OfferForm,
  state: LedgerState,
): Command {
  const transfer = { sender, receiver, amount, inputs };
  if (kind === 'direct') return { type: 'DirectTransfer', ...transfer, meta: { reason: 'sweep' } };
  // The offset makes the id unique: a sweep changes the state before its sender's next one.
  const trackingId = `sweep-${state.offset}`;
  const description = `sweep to ${PartyId.hint(receiver)}`;
  if (kind === 'locked') {
    const meta = { reason: description, [TRACKING_ID_KEY]: trackingId };
    return { type: 'CreateOffer', ...transfer, executeBefore, meta };
  }
  const offer = { sender, receiver, amount, unit: 'coin', expiresAt: executeBefore, trackingId, description } as const;
  return { type: 'CreateWalletOffer', ...offer };
}

interface Payment {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly inputs: readonly ContractId[];
  readonly executeBefore: Instant;
}
