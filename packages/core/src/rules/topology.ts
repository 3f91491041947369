import { bytesToUtf8, utf8ToBytes } from '@noble/hashes/utils.js';
import { Base64, Hex, joined, purposeHash, u32be } from '../kernel/bytes.js';
import { PartyId } from '../kernel/ids.js';
import { parseJsonObject } from '../kernel/json.js';
import { malformed, type Malformed } from '../kernel/malformed.js';
import { ok, type Result } from '../kernel/result.js';
import { externalPartyOf, fingerprintOf } from './signatures.js';

const TRANSACTION_PURPOSE = 11;
const COMBINED_PURPOSE = 55;
const MULTIHASH_BYTES = 34;

/** One topology transaction and the hash that the party's key must sign. */
export interface TopologyTransaction {
  readonly transaction: string;
  /** Multihash of 34 bytes in hex; the bytes are signed. */
  readonly hash: string;
}

/** The topology transactions that make an external party known to the network, ready to be signed. Source: specification §9.1. */
export interface Topology {
  readonly party: PartyId;
  /** Namespace delegation of the key; hosting by the participant; signing key of the party. */
  readonly transactions: readonly TopologyTransaction[];
  /** Combined hash of the transactions, in hex; one signature covers all. */
  readonly multiHash: string;
}

/** The party and its participant. */
export interface TopologyRequest {
  readonly hint: string;
  /** Raw Ed25519 key of 32 bytes, in hex. */
  readonly publicKey: string;
  /** Id of the participant that will host the party with confirmation rights. */
  readonly participant: string;
}

/** Returns the three topology transactions of an external party. Changes nothing. Source: specification §9.1. */
export function generateTopology({ hint, publicKey, participant }: TopologyRequest): Result<Topology, Malformed> {
  const fingerprint = fingerprintOf(publicKey);
  if (!fingerprint.ok) return fingerprint;
  const party = externalPartyOf(hint, publicKey);
  if (!party.ok) return party;
  if (participant === '') return malformed('participant', participant, 'the id of a participant');
  const key = publicKey.toLowerCase();
  const transactions = [
    { mapping: 'NamespaceDelegation', namespace: fingerprint.value, key, isRoot: true },
    { mapping: 'PartyToParticipant', party: party.value, participant, permission: 'confirmation', threshold: 1 },
    { mapping: 'PartyToKeyMapping', party: party.value, key, threshold: 1 },
  ].map((content) => {
    const bytes = utf8ToBytes(JSON.stringify(content));
    return { transaction: Base64.format(bytes), hash: purposeHash(TRANSACTION_PURPOSE, bytes) };
  });
  return ok({ party: party.value, transactions, multiHash: combinedHash(transactions.map(({ hash }) => hash)) });
}

/**
 * Returns one hash for several, independent of their order: their number, then the sorted hashes, each prefixed by
 * its length.
 * Source: specification §9.1.
 */
export function combinedHash(hashes: readonly string[]): string {
  const pieces = [...hashes].sort().flatMap((hash) => {
    const bytes = Hex.parse(hash, MULTIHASH_BYTES);
    return bytes.ok ? [u32be(MULTIHASH_BYTES), bytes.value] : [];
  });
  return purposeHash(COMBINED_PURPOSE, u32be(pieces.length / 2), joined(...pieces));
}

/**
 * Returns the topology of a set of transactions if they are exactly those generated for its party, this key and the
 * named participant.
 */
export function readTopology(
  transactions: readonly string[],
  publicKey: string,
): Result<Topology & Pick<TopologyRequest, 'participant'>, Malformed> {
  const hosting = transactions.map(contentOf).find((content) => content?.['mapping'] === 'PartyToParticipant');
  const party = PartyId.parse(hosting?.['party'], 'transactions');
  const participant = hosting?.['participant'];
  const expected = 'the three transactions generated for this key, the party-to-participant mapping among them';
  if (!party.ok || typeof participant !== 'string')
    return malformed('transactions', `${transactions.length} transactions`, expected);
  const generated = generateTopology({ hint: PartyId.hint(party.value), publicKey, participant });
  if (!generated.ok) return generated;
  const wanted = generated.value.transactions.map(({ transaction }) => transaction);
  const agree = wanted.length === transactions.length && wanted.every((text) => transactions.includes(text));
  return agree
    ? ok({ ...generated.value, participant })
    : malformed('transactions', `${transactions.length} transactions`, expected);
}

function contentOf(transaction: string): ReturnType<typeof parseJsonObject> {
  const bytes = Base64.parse(transaction);
  return bytes.ok ? parseJsonObject(bytesToUtf8(bytes.value)) : null;
}
