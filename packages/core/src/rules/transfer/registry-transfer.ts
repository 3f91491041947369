import { settingsOf, type LedgerState } from '../../contracts/state.js';
import type { TransferTerms } from '../../contracts/transfer-instruction.js';
import type { Amount } from '../../kernel/amount.js';
import type { Context } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import {
  amount,
  contractId,
  instant,
  list,
  mapOf,
  optional,
  party,
  record,
  text,
  type Fields,
} from '../../kernel/shape.js';
import { Instant } from '../../kernel/time.js';
import { refuseTracking, trackedTransfer } from '../tracking.js';
import { refuseUnlessActing } from '../refusals.js';

/** The transferred asset: administrator and name. Source: specification §1. */
export interface InstrumentId {
  readonly admin: PartyId;
  readonly id: string;
}

/**
 * The argument of the registry's transfer choice, shared by all three kinds of transfer. Left-out fields get the
 * value that a correct client would have sent.
 * Source: specification §3.11.
 */
export interface TransferArgument {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  /** Holdings to consume, in this order. All are consumed, needed or not. */
  readonly inputs: readonly ContractId[];
  /** Exclusive deadline; default: the end of time. A two-step transfer always names it. */
  readonly executeBefore?: Instant;
  /** Time of the request; default: now. */
  readonly requestedAt?: Instant;
  /** Asset to transfer; default: the coin of this ledger. */
  readonly instrument?: InstrumentId;
  /** Administrator that the sender expects; default: the DSO of this ledger. */
  readonly expectedAdmin?: PartyId;
  /** Free texts such as `reason`; a tracking id among them is refused when its sender has used it before. */
  readonly meta?: Readonly<Record<string, string>>;
}

export const transferArgument: Fields<TransferArgument> = {
  sender: party,
  receiver: party,
  amount,
  inputs: list(contractId),
  executeBefore: optional(instant),
  requestedAt: optional(instant),
  instrument: optional(record<InstrumentId>({ admin: party, id: text })),
  expectedAdmin: optional(party),
  meta: optional(mapOf(text)),
};

const INSTRUMENT_NAME: string = 'Amulet';

/** Refusals in order of precedence; they come before any check of coins. Source: specification §3.11. */
export type RegistryRejection = Rejected<
  | 'NOT_AUTHORISED'
  | 'ADMIN_MISMATCH'
  | 'CONTRACT_NOT_FOUND'
  | 'GROUP_MISMATCH'
  | 'WRONG_INSTRUMENT'
  | 'NON_POSITIVE_AMOUNT'
  | 'REQUESTED_IN_FUTURE'
  | 'DEADLINE_PASSED'
  | 'NO_INPUTS'
  | 'INVALID_ARGUMENT'
  | 'DUPLICATE_TRACKING_ID'
>;

/**
 * Checks the terms in the order of the network.
 * @param checkPreapproval runs after the check of the administrator and before that of the instrument
 * @returns the terms, with defaults for left-out fields
 */
export function acceptTransfer<Refusal = never>(
  argument: Omit<TransferArgument, 'receiver'>,
  receiver: PartyId,
  state: LedgerState,
  context: Context,
  checkPreapproval: () => RegistryRejection | Refusal | null = () => null,
): Result<TransferTerms, RegistryRejection | Refusal> {
  const { dso } = settingsOf(state);
  const { sender, amount: asked, inputs, instrument, expectedAdmin = dso } = argument;
  const { executeBefore = Instant.latest, requestedAt = context.now, meta = {} } = argument;
  const unauthorised = refuseUnlessActing(context, sender);
  if (unauthorised) return err(unauthorised);
  if (expectedAdmin !== dso) return err({ code: 'ADMIN_MISMATCH', expected: dso, actual: expectedAdmin });
  const preapproval = checkPreapproval();
  if (preapproval) return err(preapproval);
  if (instrument && (instrument.admin !== dso || instrument.id !== INSTRUMENT_NAME)) {
    return err({
      code: 'WRONG_INSTRUMENT',
      expected: `${dso} ${INSTRUMENT_NAME}`,
      actual: `${instrument.admin} ${instrument.id}`,
    });
  }
  if (asked <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amount', amount: asked });
  if (requestedAt > context.now) return err({ code: 'REQUESTED_IN_FUTURE', requestedAt, at: context.now });
  if (context.now >= executeBefore) return err({ code: 'DEADLINE_PASSED', deadline: executeBefore, at: context.now });
  if (inputs.length === 0) return err({ code: 'NO_INPUTS' });
  const tracked = trackedTransfer({ sender, meta });
  const refused = tracked && refuseTracking(tracked, state);
  if (refused) return err(refused);
  return ok({ sender, receiver, amount: asked, requestedAt, executeBefore, meta });
}
