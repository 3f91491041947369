import { ContractId, describeMalformed, type Rejection, type RejectionCode } from '@coinlab/core';
import { MalformedCommand, RefusedCommand } from '../../wire/choices/faults.js';
import type { CantonError, CantonErrorCode } from '../../wire/canton-error.js';
import { LedgerProblem } from './errors.js';
import { describeRejection, evidenceOf } from '../status.js';

/** A failed check of a choice is DAML_FAILURE, as on the network. Source: specification of the API §8.2, §9.4. */
const CODE_OF = {
  CONTRACT_NOT_FOUND: 'CONTRACT_NOT_FOUND',
  GROUP_MISMATCH: 'DAML_FAILURE',
  NOT_AUTHORISED: 'DAML_AUTHORIZATION_ERROR',
  DSO_MISMATCH: 'DAML_FAILURE',
  ADMIN_MISMATCH: 'DAML_FAILURE',
  WRONG_INSTRUMENT: 'DAML_FAILURE',
  NON_POSITIVE_AMOUNT: 'DAML_FAILURE',
  INVALID_DECIMAL: 'DAML_FAILURE',
  INVALID_ARGUMENT: 'INVALID_ARGUMENT',
  UNKNOWN_PARTY: 'PARTY_NOT_KNOWN_ON_LEDGER',
  REQUESTED_IN_FUTURE: 'DAML_FAILURE',
  DEADLINE_PASSED: 'DAML_FAILURE',
  DEADLINE_NOT_REACHED: 'DAML_FAILURE',
  PREAPPROVAL_EXPIRED: 'DAML_FAILURE',
  LOCK_NOT_EXPIRED: 'DAML_FAILURE',
  LOCK_OUTLIVES_AMULET: 'DAML_FAILURE',
  NO_INPUTS: 'DAML_FAILURE',
  DUPLICATE_INPUT: 'DAML_FAILURE',
  MAX_INPUTS_EXCEEDED: 'DAML_FAILURE',
  MAX_OUTPUTS_EXCEEDED: 'DAML_FAILURE',
  TOO_MANY_LOCK_HOLDERS: 'DAML_FAILURE',
  INSUFFICIENT_FUNDS: 'DAML_FAILURE',
  ROUND_NOT_OPEN: 'DAML_FAILURE',
  ROUND_NOT_ISSUING: 'DAML_FAILURE',
  NOT_DUST: 'DAML_FAILURE',
  NONCE_TOO_LOW: 'DAML_FAILURE',
  NONCE_TOO_HIGH: 'DAML_FAILURE',
  TOO_SOON: 'DAML_FAILURE',
  TIME_IN_PAST: 'ABORTED',
  MERGE_NOT_REDUCING: 'DAML_FAILURE',
  DEVNET_ONLY: 'DAML_FAILURE',
  UNKNOWN_SYNCHRONIZER: 'DAML_FAILURE',
  INSUFFICIENT_TOPUP_AMOUNT: 'DAML_FAILURE',
  INSUFFICIENT_TRAFFIC: 'SEQUENCER_REQUEST_FAILED',
  DUPLICATE_TRACKING_ID: 'DAML_FAILURE',
  INVALID_SIGNATURE: 'INVALID_ARGUMENT',
  DUPLICATE_COMMAND: 'DUPLICATE_COMMAND',
  ALREADY_EXISTS: 'DAML_FAILURE',
  VOTE_NOT_CLOSABLE: 'DAML_FAILURE',
  ROUND_NOT_EMPTY: 'DAML_FAILURE',
  NOT_BOOTSTRAPPED: 'SERVICE_UNAVAILABLE',
  CONTRACT_IN_TRANSIT: 'UNKNOWN_CONTRACT_SYNCHRONIZERS',
} as const satisfies Readonly<Record<RejectionCode, CantonErrorCode>>;

export function ledgerProblemOf(rejection: Rejection): LedgerProblem {
  const context = { rejection: rejection.code, ...contextOf(evidenceOf(rejection)) };
  return new LedgerProblem(CODE_OF[rejection.code], causeOf(rejection), {
    context,
    resources: resourcesOf(rejection),
  });
}

function causeOf(rejection: Rejection): string {
  if (rejection.code !== 'CONTRACT_IN_TRANSIT') return describeRejection(rejection);
  const ids = rejection.contracts.map((id) => ContractId.format(id));
  return `The synchronizers for the contracts ${ids.join(', ')} are currently unknown: they are being reassigned`;
}

/** Returns the error body of the JSON Ledger API for a rejection. */
export function ledgerErrorOf(rejection: Rejection): CantonError {
  return ledgerProblemOf(rejection).body;
}

export function commandProblemOf(error: unknown): unknown {
  if (error instanceof RefusedCommand) return ledgerProblemOf(error.rejection);
  if (!(error instanceof MalformedCommand)) return error;
  const { unknownContract, ...fault } = error.fault;
  const cause = describeMalformed(fault);
  if (unknownContract === undefined)
    return new LedgerProblem('COMMAND_PREPROCESSING_FAILED', cause, { context: { ...fault } });
  return new LedgerProblem('CONTRACT_NOT_FOUND', `Contract could not be found with id ${unknownContract}`, {
    context: { ...fault },
    resources: [['CONTRACT_ID', unknownContract]],
  });
}

function contextOf(evidence: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function resourcesOf(rejection: Rejection): readonly (readonly [string, string])[] {
  if (rejection.code === 'UNKNOWN_PARTY') return [['PARTY', rejection.party]];
  if (rejection.code === 'CONTRACT_IN_TRANSIT')
    return rejection.contracts.map((id) => ['CONTRACT_ID', ContractId.format(id)]);
  if (rejection.code !== 'CONTRACT_NOT_FOUND' || rejection.contract === null) return [];
  return [['CONTRACT_ID', ContractId.format(rejection.contract)]];
}
