import { Amount, explain, Instant, type Rejection, type RejectionCode } from '@coinlab/core';
import { describeInTransit } from '../host/in-transit.js';
import { Problem, type ProblemStatus } from '../problem.js';

/** 404 for missing contracts, 409 for conflicts with the state of the ledger, 400 for other failed preconditions. */
const STATUS_OF = {
  CONTRACT_NOT_FOUND: 404,
  GROUP_MISMATCH: 409,
  NOT_AUTHORISED: 400,
  DSO_MISMATCH: 409,
  ADMIN_MISMATCH: 409,
  WRONG_INSTRUMENT: 409,
  NON_POSITIVE_AMOUNT: 400,
  INVALID_DECIMAL: 400,
  INVALID_ARGUMENT: 400,
  UNKNOWN_PARTY: 404,
  REQUESTED_IN_FUTURE: 409,
  DEADLINE_PASSED: 409,
  DEADLINE_NOT_REACHED: 409,
  PREAPPROVAL_EXPIRED: 409,
  LOCK_NOT_EXPIRED: 409,
  LOCK_OUTLIVES_AMULET: 409,
  NO_INPUTS: 400,
  DUPLICATE_INPUT: 409,
  MAX_INPUTS_EXCEEDED: 409,
  MAX_OUTPUTS_EXCEEDED: 409,
  TOO_MANY_LOCK_HOLDERS: 409,
  INSUFFICIENT_FUNDS: 400,
  ROUND_NOT_OPEN: 404,
  ROUND_NOT_ISSUING: 409,
  NOT_DUST: 409,
  NONCE_TOO_LOW: 409,
  NONCE_TOO_HIGH: 409,
  TOO_SOON: 409,
  TIME_IN_PAST: 500,
  MERGE_NOT_REDUCING: 409,
  DEVNET_ONLY: 400,
  UNKNOWN_SYNCHRONIZER: 400,
  INSUFFICIENT_TOPUP_AMOUNT: 400,
  INSUFFICIENT_TRAFFIC: 429,
  DUPLICATE_TRACKING_ID: 409,
  INVALID_SIGNATURE: 400,
  DUPLICATE_COMMAND: 409,
  ALREADY_EXISTS: 409,
  VOTE_NOT_CLOSABLE: 409,
  ROUND_NOT_EMPTY: 409,
  NOT_BOOTSTRAPPED: 503,
  CONTRACT_IN_TRANSIT: 409,
} satisfies Record<RejectionCode, ProblemStatus>;

export function describeRejection(rejection: Rejection): string {
  if (rejection.code === 'CONTRACT_IN_TRANSIT') return describeInTransit(rejection);
  return `${rejection.code}: ${explain(rejection)}`;
}

export function problemOf(rejection: Rejection): Problem {
  return new Problem(STATUS_OF[rejection.code], describeRejection(rejection), {
    evidence: { code: rejection.code, ...evidenceOf(rejection) },
  });
}

export function evidenceOf(rejection: Rejection): Readonly<Record<string, unknown>> {
  const fields = Object.entries(rejection).filter(([name]) => name !== 'code');
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'bigint' ? textOf(name, value) : value]),
  );
}

const AMOUNTS: ReadonlySet<string> = new Set(['missing', 'amount']);

function textOf(name: string, value: bigint): string {
  // By name, the bigints of a rejection are amounts, `units` (ten-billionths of a coin) or times.
  if (AMOUNTS.has(name)) return Amount.format(Amount.ofUnits(value));
  return name === 'units' ? String(value) : Instant.format(Instant.ofMicros(value));
}
