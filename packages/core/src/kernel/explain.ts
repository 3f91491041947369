import { Amount } from './amount.js';
import type { Rejected, Rejection, RejectionCode } from './rejection.js';
import { Instant } from './time.js';

type Sentences = { readonly [Code in RejectionCode]: (rejection: Rejected<Code>) => string };

const FINGERPRINT = /::1220[0-9a-f]{64}/g;

/**
 * Returns a rejection as one sentence for people: parties by their hints, amounts without trailing zeros, both sides
 * of the broken condition. Programs read the `code` and the fields.
 * @example
 * explain({ code: 'NONCE_TOO_HIGH', nonce: 7, nextNonce: 5 }); // 'Nonce 7 is too high: the next nonce is 5.'
 */
export function explain(rejection: Rejection): string {
  // A cast, because the compiler cannot relate the sentence of a code to the rejection with that code.
  const sentence = SENTENCES[rejection.code] as (rejection: Rejection) => string;
  return sentence(rejection).replaceAll(FINGERPRINT, '');
}

const SENTENCES: Sentences = {
  CONTRACT_NOT_FOUND: ({ contract, wanted }) =>
    contract === null ? `Not found: ${wanted}.` : `Contract ${contract} is not active, or is not ${wanted}.`,
  GROUP_MISMATCH: ({ contract, field, expected, actual }) =>
    `${contract === null ? field : `${field} of contract ${contract}`} is ${actual}, but must be ${expected}.`,
  NOT_AUTHORISED: ({ actAs, required }) =>
    actAs.includes(required)
      ? `${required} has a key: it acts by signature, in SubmitPrepared.`
      : `${required} must act, but the command acts as ${actAs.length === 0 ? 'no party' : actAs.join(', ')}.`,
  DSO_MISMATCH: ({ expected, actual }) => `The DSO of this ledger is ${expected}, not ${actual}.`,
  ADMIN_MISMATCH: ({ expected, actual }) =>
    `The instrument administrator of this ledger is ${expected}, not ${actual}.`,
  WRONG_INSTRUMENT: ({ expected, actual }) => `The instrument of this ledger is ${expected}, not ${actual}.`,
  NON_POSITIVE_AMOUNT: ({ field, amount }) => `${field} is ${Amount.short(amount)}, but must be above zero.`,
  INVALID_DECIMAL: ({ field, units, expected }) => `${field} is ${units} units of 10^-10, but must be ${expected}.`,
  INVALID_ARGUMENT: ({ field, value, expected }) => `${field} is ${value}, but must be ${expected}.`,
  UNKNOWN_PARTY: ({ party }) => `${party} is not a party of this ledger: AllocateParty makes it one.`,
  REQUESTED_IN_FUTURE: ({ requestedAt, at }) =>
    `The request was made at ${time(requestedAt)}, after the ledger time ${time(at)}.`,
  DEADLINE_PASSED: ({ deadline, at }) => `The deadline ${time(deadline)} has passed: it is ${time(at)}.`,
  DEADLINE_NOT_REACHED: ({ deadline, at }) => `The command is possible from ${time(deadline)}: it is ${time(at)}.`,
  PREAPPROVAL_EXPIRED: ({ deadline, at }) => `The preapproval expired at ${time(deadline)}: it is ${time(at)}.`,
  LOCK_NOT_EXPIRED: ({ contract, expiresAt, at }) =>
    `Coin ${contract} is locked until ${time(expiresAt)}: it is ${time(at)}.`,
  LOCK_OUTLIVES_AMULET: ({ lockExpiresAt, dustAt }) =>
    `The lock ends at ${time(lockExpiresAt)}, after the coin can become dust${dustAt === null ? '' : ` at ${time(dustAt)}`}.`,
  NO_INPUTS: () => 'The command names no inputs.',
  DUPLICATE_INPUT: ({ contract }) => `Contract ${contract} is named twice.`,
  MAX_INPUTS_EXCEEDED: ({ inputs, limit }) => `The transfer has ${inputs} inputs: at most ${limit} are allowed.`,
  MAX_OUTPUTS_EXCEEDED: ({ outputs, limit }) => `The transfer has ${outputs} outputs: at most ${limit} are allowed.`,
  TOO_MANY_LOCK_HOLDERS: ({ holders, limit }) => `The lock has ${holders} holders: at most ${limit} are allowed.`,
  INSUFFICIENT_FUNDS: ({ missing }) =>
    `${Amount.short(missing)} is missing: the inputs are worth less than the outputs and fees.`,
  ROUND_NOT_OPEN: ({ opensAt, at }) => `No round is open at ${time(at)}${begins(opensAt, 'the next one opens')}.`,
  ROUND_NOT_ISSUING: ({ round, opensAt, at }) =>
    `Round ${round} is not issuing at ${time(at)}${begins(opensAt, 'it starts')}.`,
  NOT_DUST: ({ contract, expiresInRound, oldestRound }) =>
    `Coin ${contract} is not dust in round ${oldestRound}: ${
      expiresInRound === null ? 'it has no holding fee' : `it becomes dust in round ${expiresInRound}`
    }.`,
  NONCE_TOO_LOW: ({ nonce, nextNonce }) => `Nonce ${nonce} has been used: the next nonce is ${nextNonce}.`,
  NONCE_TOO_HIGH: ({ nonce, nextNonce }) => `Nonce ${nonce} is too high: the next nonce is ${nextNonce}.`,
  TOO_SOON: ({ notBefore, at }) => `The command is possible again from ${time(notBefore)}: it is ${time(at)}.`,
  TIME_IN_PAST: ({ at, ledgerTime }) => `The command's time ${time(at)} is before the ledger time ${time(ledgerTime)}.`,
  MERGE_NOT_REDUCING: ({ inputs, outputs }) =>
    `The merge consumes ${inputs} and leaves ${outputs}: it must leave fewer than it consumes.`,
  DEVNET_ONLY: ({ choice }) => `${choice} exists on a DevNet only.`,
  UNKNOWN_SYNCHRONIZER: ({ synchronizerId }) => `The network does not require the synchronizer ${synchronizerId}.`,
  INSUFFICIENT_TOPUP_AMOUNT: ({ requested, minimum }) =>
    `${requested} bytes are bought: at least ${minimum} are needed.`,
  INSUFFICIENT_TRAFFIC: ({ trafficBytes, availableBytes }) =>
    `The message costs ${trafficBytes} bytes of traffic: ${availableBytes} are available.`,
  DUPLICATE_TRACKING_ID: ({ trackingId }) => `The tracking id ${trackingId} has been used.`,
  INVALID_SIGNATURE: ({ party }) => `The signature does not fit the transaction and the key of ${party}.`,
  DUPLICATE_COMMAND: ({ commandId, offset }) => `A command with the id ${commandId} took effect at offset ${offset}.`,
  ALREADY_EXISTS: ({ what, contract }) =>
    `There is already ${what}${contract === null ? '' : `: contract ${contract}`}.`,
  VOTE_NOT_CLOSABLE: ({ yes, no, required }) =>
    `The vote cannot close: ${yes} in favour and ${no} against, ${required} are required.`,
  ROUND_NOT_EMPTY: ({ round, coupon }) => `Round ${round} still has coupon ${coupon}.`,
  NOT_BOOTSTRAPPED: () => 'The ledger is not open, or its rounds are not bootstrapped.',
  CONTRACT_IN_TRANSIT: ({ contracts }) => `Contract ${contracts.join(', ')} is moving between synchronizers.`,
};

function begins(opensAt: Instant | null, what: string): string {
  return opensAt === null ? '' : `: ${what} at ${time(opensAt)}`;
}

function time(instant: Instant): string {
  return Instant.format(instant).replace(/\.?0*Z$/, 'Z');
}
