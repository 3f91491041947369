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

/** What a payment or an offer may say besides its receiver and amount. */
export interface TransferOptions {
  /** Refuses a second transfer of the sender with this id. */
  readonly trackingId?: string;
  /** Free text for the receiver. */
  readonly reason?: string;
  /** The coins to spend, all of them; left out: the sender's largest that cover the amount and its fees. */
  readonly inputs?: readonly ContractId[];
}

/** What an offer may say besides. */
export interface OfferOptions extends TransferOptions {
  /** How long the receiver may accept it; left out: `1h`. */
  readonly expiresIn?: Duration | string;
}

/** What a preapproval may say. */
export interface PreapprovalOptions {
  /** How long it is in force; left out: a year. */
  readonly expiresIn?: Duration | string;
  /** Who pays for it, and must act too; left out: the receiver. */
  readonly provider?: PartyId;
}

/** An offer: the update that created it, its contract, or the id of the contract. */
export type Offer = UpdateOf<'TransferOffered'> | TransferInstruction | ContractId;

/** The commands of one party by short names. Each method takes what the command needs and fills in the rest from the ledger. */
export interface Verbs {
  /** Pays a receiver in one step, under the receiver's preapproval. */
  pay(receiver: PartyId, amount: Amount | string, options?: TransferOptions): CommandOf<'DirectTransfer'>;
  /** Locks coin for a receiver, who has until the deadline to accept it. */
  offer(receiver: PartyId, amount: Amount | string, options?: OfferOptions): CommandOf<'CreateOffer'>;
  /** Takes the coin of an offer, as its receiver. */
  accept(offer: Offer): CommandOf<'AcceptOffer'>;
  /** Declines an offer, as its receiver. */
  reject(offer: Offer): CommandOf<'RejectOffer'>;
  /** Takes an offer back, as its sender. */
  withdraw(offer: Offer): CommandOf<'WithdrawOffer'>;
  /** Returns the coin of an offer whose deadline has passed, as the DSO. */
  expire(offer: Offer): CommandOf<'ExpireOffer'>;
  /** Makes one coin of the party's unlocked coins: at most 100, the smallest first. */
  merge(): CommandOf<'MergeHoldings'>;
  /** Lets everybody pay the party in one step. Burns the network's fee from the provider's coins. */
  preapprove(options?: PreapprovalOptions): CommandOf<'CreatePreapproval'>;
  /** Makes coin for the party: on a DevNet, as every test ledger is. */
  tap(amount: Amount | string, options?: Pick<TransferOptions, 'trackingId'>): CommandOf<'Tap'>;
}

/** Who submits, where and when. */
export interface Submitter {
  readonly ledger: Ledger;
  readonly now: Instant;
  /** The party that the commands are about, then others that authorise them. */
  readonly actAs: readonly [PartyId, ...PartyId[]];
}

/** The commands of a party as its ledger is now. */
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

/** The command with the payer's largest coins that cover an amount and the fees on top of it, as far as the coins go. */
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

/** What the network burns for a preapproval of a span, before the fees of paying it; zero while no round is open. */
export function preapprovalFeeOf({ state }: Ledger, now: Instant, span: Duration): Amount {
  const round = walletRound(state, now);
  const rules = rulesOf(state);
  return round.ok && rules
    ? preapprovalFee(span, rules.config.transferPreapprovalFeeUsd, round.value.price)
    : Amount.zero;
}
