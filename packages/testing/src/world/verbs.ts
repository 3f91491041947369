import {
  Amount,
  type Command,
  type CommandOf,
  type ContractId,
  Duration,
  inputsCovering,
  inputsToMerge,
  Instant,
  type Ledger,
  type PartyId,
  rulesOf,
  type TransferInstruction,
  type UpdateOf,
} from '@coinlab/core';
import { preapprovalFee, TRACKING_ID_KEY, walletRound } from '@coinlab/core/rules';
import { amountOf } from './written.js';

/** The options of a payment or an offer. */
export interface TransferOptions {
  /** Tracking id: the ledger refuses a second transfer of the sender with the same id. */
  readonly trackingId?: string;
  readonly reason?: string;
  /**
   * The coins to spend; all are archived. Default: the sender's largest coins that cover the amount and its
   * fees.
   */
  readonly inputs?: readonly ContractId[];
}

/** The options of an offer. */
export interface OfferOptions extends TransferOptions {
  /** The time until the deadline; default: `1h`. */
  readonly expiresIn?: Duration | string;
}

/** The options of a preapproval. */
export interface PreapprovalOptions {
  /** Duration until the preapproval expires; default: one year. */
  readonly expiresIn?: Duration | string;
  /** The party that pays for the preapproval and must also act; default: the receiver. */
  readonly provider?: PartyId;
}

/** An offer, given as the update that created it, as its contract, or as the contract's id. */
export type Offer = UpdateOf<'TransferOffered'> | TransferInstruction | ContractId;

/**
 * Short names for the commands of one party. Each method returns a complete command and takes missing fields
 * from the ledger.
 */
export interface Verbs {
  /** Pays a receiver in one step, under the receiver's preapproval. */
  pay(receiver: PartyId, amount: Amount | string, options?: TransferOptions): CommandOf<'DirectTransfer'>;
  /** Locks coins for a receiver, who may accept them until the deadline. */
  offer(receiver: PartyId, amount: Amount | string, options?: OfferOptions): CommandOf<'CreateOffer'>;
  accept(offer: Offer): CommandOf<'AcceptOffer'>;
  reject(offer: Offer): CommandOf<'RejectOffer'>;
  withdraw(offer: Offer): CommandOf<'WithdrawOffer'>;
  /** Expires an offer whose deadline has passed, as the DSO. The locked coin goes back to the sender. */
  expire(offer: Offer): CommandOf<'ExpireOffer'>;
  /** Merges up to 100 unlocked coins of the party into one, the smallest first. */
  merge(): CommandOf<'MergeHoldings'>;
  /** Allows any party to pay this party in one step. Burns the network's fee from the provider's coins. */
  preapprove(options?: PreapprovalOptions): CommandOf<'CreatePreapproval'>;
  /** Mints coin for the party. Works only on a DevNet, as every test ledger is. */
  tap(amount: Amount | string, options?: Pick<TransferOptions, 'trackingId'>): CommandOf<'Tap'>;
}

export interface Submitter {
  readonly ledger: Ledger;
  readonly now: Instant;
  /** The party whose verbs these are, then parties that also authorise the commands. */
  readonly actAs: readonly [PartyId, ...PartyId[]];
}

export function verbsOf(submitter: Submitter): Verbs {
  const { ledger, now, actAs } = submitter;
  const [party] = actAs;
  const spending = <C extends Command>(
    amount: Amount,
    { inputs }: TransferOptions,
    commandWith: (inputs: readonly ContractId[]) => C,
  ): C => (inputs ? commandWith(inputs) : covered(submitter, party, amount, commandWith));
  return {
    pay(receiver, written, options = {}) {
      const amount = amountOf(written);
      const terms = { sender: party, receiver, amount, ...metaOf(options) };
      return spending(amount, options, (inputs) => ({ type: 'DirectTransfer', ...terms, inputs }));
    },
    offer(receiver, written, options = {}) {
      const amount = amountOf(written);
      const executeBefore = Instant.plus(now, Duration.of(options.expiresIn ?? '1h'));
      const terms = { sender: party, receiver, amount, executeBefore, ...metaOf(options) };
      return spending(amount, options, (inputs) => ({ type: 'CreateOffer', ...terms, inputs }));
    },
    accept: (offer) => ({ type: 'AcceptOffer', instruction: instructionOf(offer) }),
    reject: (offer) => ({ type: 'RejectOffer', instruction: instructionOf(offer) }),
    withdraw: (offer) => ({ type: 'WithdrawOffer', instruction: instructionOf(offer) }),
    expire: (offer) => ({ type: 'ExpireOffer', instruction: instructionOf(offer) }),
    merge: () => ({
      type: 'MergeHoldings',
      owner: party,
      inputs: inputsToMerge(ledger.state, party).map(({ id }) => id),
    }),
    preapprove({ expiresIn = '365d', provider = party } = {}) {
      const span = Duration.of(expiresIn);
      const terms = { receiver: party, provider, expiresAt: Instant.plus(now, span) };
      const fee = preapprovalFeeOf(ledger, now, span);
      return covered(submitter, provider, fee, (inputs) => ({ type: 'CreatePreapproval', ...terms, inputs }));
    },
    tap: (amount, options = {}) => ({ type: 'Tap', receiver: party, amount: amountOf(amount), ...options }),
  };
}

function covered<C extends Command>(
  { ledger, now, actAs }: Submitter,
  payer: PartyId,
  amount: Amount,
  commandWith: (inputs: readonly ContractId[]) => C,
): C {
  let needed = amount;
  let inputs = inputsCovering(ledger.state, payer, needed);
  for (;;) {
    const command = commandWith(inputs);
    const refusal = ledger.check(command, { now, actAs });
    if (refusal?.code !== 'INSUFFICIENT_FUNDS') return command;
    needed = Amount.add(needed, refusal.missing);
    const more = inputsCovering(ledger.state, payer, needed);
    if (more.length === inputs.length) return command;
    inputs = more;
  }
}

function metaOf({ trackingId, reason }: TransferOptions): Pick<CommandOf<'DirectTransfer'>, 'meta'> {
  if (trackingId === undefined && reason === undefined) return {};
  const tracking = trackingId === undefined ? {} : { [TRACKING_ID_KEY]: trackingId };
  return { meta: { ...tracking, ...(reason === undefined ? {} : { reason }) } };
}

function instructionOf(offer: Offer): ContractId {
  if (typeof offer === 'number') return offer;
  return 'detail' in offer ? offer.detail.instruction : offer.id;
}

/** The amount that the network burns, without the fees of the payment; zero while no round is open. */
export function preapprovalFeeOf({ state }: Ledger, now: Instant, span: Duration): Amount {
  const round = walletRound(state, now);
  const rules = rulesOf(state);
  return round.ok && rules
    ? preapprovalFee(span, rules.config.transferPreapprovalFeeUsd, round.value.price)
    : Amount.zero;
}
