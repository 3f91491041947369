import { bytesToUtf8, utf8ToBytes } from '@noble/hashes/utils.js';
import { executedKey, type ExecutedTransaction } from '../../contracts/external-party.js';
import { contractsAbout, findAny, firstByKey, settingsOf, type LedgerState } from '../../contracts/state.js';
import { Base64, purposeHash } from '../../kernel/bytes.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { parseJsonObject } from '../../kernel/json.js';
import { malformed, type Malformed } from '../../kernel/malformed.js';
import type { Rejected, Rejection } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import { contractId, instant, integer, list, party, record, refDigits, text, type Json } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import type { SignatureCheck } from './signatures.js';

const PURPOSE = 48;
const SCHEME = new Uint8Array([2]);

/** The content that an external party signs: a command, and the fields that bind the signature to it alone. Source: specification §9.3. */
export interface PreparedTransaction {
  readonly dso: PartyId;
  /** The signer, which is also the acting party. */
  readonly party: PartyId;
  readonly preparedAt: Instant;
  /** Exclusive deadline of submission. */
  readonly expiresAt: Instant;
  /** Offset of the ledger at preparation; together with the salt it distinguishes equal commands. */
  readonly offset: number;
  readonly salt: string;
  /** Id of the command that the party's user gave; empty for none. */
  readonly commandId: string;
  /** Contracts that must still be active at submission. */
  readonly uses: readonly ContractId[];
  readonly command: Json;
}

/** A prepared transaction with the signature to be checked. Source: specification §9.2. */
export interface SignedTransaction {
  readonly party: PartyId;
  readonly transaction: string;
  /** Ed25519 signature of the bytes of its hash: 64 bytes in hex. */
  readonly signature: string;
  /** The party's key: 32 bytes in hex. */
  readonly publicKey: string;
}

/** Refusals in order of precedence. */
export type PreparedRejection = Rejected<
  | 'INVALID_ARGUMENT'
  | 'GROUP_MISMATCH'
  | 'DSO_MISMATCH'
  | 'CONTRACT_NOT_FOUND'
  | 'INVALID_SIGNATURE'
  | 'ALREADY_EXISTS'
  | 'DEADLINE_PASSED'
>;

const envelope = record<Omit<PreparedTransaction, 'command'>>({
  dso: party,
  party,
  preparedAt: instant,
  expiresAt: instant,
  offset: integer,
  salt: text,
  commandId: text,
  uses: list(contractId),
});

/** Base64 of JSON with its fields in a fixed order. Source: specification §9.3. Assumption: A-43. */
export function encodePrepared({ command, ...rest }: PreparedTransaction): string {
  const fields = envelope.print(rest, refDigits).slice(0, -1);
  return Base64.format(utf8ToBytes(`${fields},"command":${JSON.stringify(command)}}`));
}

/** Reads a text of {@link encodePrepared}; does not check signatures. */
export function readPrepared(transaction: string): Result<PreparedTransaction, Malformed> {
  const bytes = Base64.parse(transaction, 'transaction');
  if (!bytes.ok) return bytes;
  const json = parseJsonObject(bytesToUtf8(bytes.value));
  if (!json) return malformed('transaction', transaction, 'a transaction that this ledger prepared');
  const { command = null, ...rest } = json;
  const faults: Malformed[] = [];
  const read = envelope.read(rest, faults);
  return faults[0] ? err(faults[0]) : ok({ ...read, command });
}

/**
 * Returns the hash that a party signs: purpose number 48, the version 2 of the hashing scheme, the transaction's
 * bytes.
 * @returns a multihash of 34 bytes in hex; the fault when the transaction is not base64
 * Source: specification §9.3.
 */
export function preparedHash(transaction: string): Result<string, Malformed> {
  const bytes = Base64.parse(transaction, 'transaction');
  return bytes.ok ? ok(purposeHash(PURPOSE, SCHEME, bytes.value)) : bytes;
}

/** The parts of a prepared transaction that bind its command. */
export type PreparedEnvelope = Pick<PreparedTransaction, 'dso' | 'party' | 'expiresAt' | 'commandId' | 'uses'>;

/** A prepared transaction whose text was read, with a way to its command. */
export interface ReadTransaction {
  readonly prepared: PreparedEnvelope;
  /** Hash that the party signs: a SHA-256 or a multihash, in hex. */
  readonly hash: string;
  /** Returns the JSON of the command on a state, or its refusal. The command may depend on the state, but only on signed content. */
  commandOn(state: LedgerState, now: Instant): Result<Json, Rejection>;
}

/**
 * Reads prepared transactions of a format. An engine reads {@link portableFormat} unless its options name another one.
 * @returns the transaction, or why it is malformed; does not check signatures
 */
export type PreparedFormat = (transaction: string, state: LedgerState) => Result<ReadTransaction, Malformed>;

/** Reads prepared transactions in the format of {@link encodePrepared}. */
export const portableFormat: PreparedFormat = (transaction) => {
  const read = readPrepared(transaction);
  const hash = preparedHash(transaction);
  if (!read.ok) return read;
  if (!hash.ok) return hash;
  const { value: prepared } = read;
  return ok({ prepared, hash: hash.value, commandOn: () => ok(prepared.command) });
};

export interface OpenedTransaction extends ReadTransaction {
  /** Expired records of executed transactions, oldest first, up to the first valid one. Records expire within a day, so none is kept for long. */
  readonly outdated: readonly ExecutedTransaction[];
}

export interface TransactionReader {
  readonly readTransaction: PreparedFormat;
  readonly isSignedBy: SignatureCheck;
}

/** Source: specification §9.3, §10 (34). */
export function openPrepared(
  signed: SignedTransaction,
  state: LedgerState,
  now: Instant,
  { readTransaction, isSignedBy }: TransactionReader,
): Result<OpenedTransaction, PreparedRejection> {
  const read = readTransaction(signed.transaction, state);
  if (!read.ok) return err(unreadable(read.error));
  const { prepared, hash, commandOn } = read.value;
  const { dso } = settingsOf(state);
  const { party: by, publicKey, signature } = signed;
  if (prepared.party !== by)
    return err({ code: 'GROUP_MISMATCH', contract: null, field: 'party', expected: prepared.party, actual: by });
  if (prepared.dso !== dso) return err({ code: 'DSO_MISMATCH', expected: dso, actual: prepared.dso });
  const key = firstByKey(state, 'ExternalPartyKey', by);
  if (!key) return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted: `the key of ${by}` });
  const isOwnKey = publicKey.toLowerCase() === key.publicKey;
  if (!isOwnKey || !isSignedBy({ publicKey, hash, signature })) return err({ code: 'INVALID_SIGNATURE', party: by });

  const executed = firstByKey(state, 'ExecutedTransaction', executedKey(by, hash));
  if (executed) return err({ code: 'ALREADY_EXISTS', what: `transaction ${hash}`, contract: executed.id });
  const outdated: ExecutedTransaction[] = [];
  for (const earlier of contractsAbout(state, 'ExecutedTransaction', by)) {
    if (now < earlier.expiresAt) break;
    outdated.push(earlier);
  }
  if (now >= prepared.expiresAt) return err({ code: 'DEADLINE_PASSED', deadline: prepared.expiresAt, at: now });
  const gone = prepared.uses.find((id) => findAny(state, id) === null);
  if (gone !== undefined)
    return err({ code: 'CONTRACT_NOT_FOUND', contract: gone, wanted: 'a contract that the transaction uses' });
  return ok({ prepared, hash, commandOn, outdated });
}

function unreadable(fault: Malformed): Rejected<'INVALID_ARGUMENT'> {
  return { code: 'INVALID_ARGUMENT', ...fault };
}
