import { bytesToUtf8, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { Base64, Hex, purposeHash, u32be } from '../../kernel/bytes.js';
import { PartyId } from '../../kernel/ids.js';
import { parseJsonObject } from '../../kernel/json.js';
import { malformed, type Malformed } from '../../kernel/malformed.js';
import { ok, type Result } from '../../kernel/result.js';
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
  /** The three transactions: namespace delegation of the key, hosting by the participant, and signing key of the party. */
  readonly transactions: readonly TopologyTransaction[];
  /** Combined hash of the transactions, in hex; one signature covers all. */
  readonly multiHash: string;
}

/** The party and its participant. */
export interface TopologyRequest {
  readonly hint: string;
  /** Raw Ed25519 key of 32 bytes, in hex. */
  readonly publicKey: string;
  /** Id of the participant that will host the party. */
  readonly participant: string;
  /** Whether that participant only observes; default: it confirms. */
  readonly observesOnly?: boolean;
  /** Further participants that host the party; default: none. */
  readonly others?: readonly FurtherHost[];
  /** Number of participants that must confirm a transaction of the party; default: 1. */
  readonly threshold?: number;
}

/** A further participant of a party, with the right to confirm its transactions or only to observe them. */
export interface FurtherHost {
  readonly participant: string;
  readonly permission: HostPermission;
}

const PERMISSIONS = ['confirmation', 'observation'] as const;

/** The permission with which a participant hosts an external party. */
export type HostPermission = (typeof PERMISSIONS)[number];

/** Returns the three topology transactions of an external party. Changes nothing. Source: specification §9.1. */
export function generateTopology(request: TopologyRequest): Result<Topology, Malformed> {
  const { hint, publicKey, participant, observesOnly = false, others = [], threshold = 1 } = request;
  const fingerprint = fingerprintOf(publicKey);
  if (!fingerprint.ok) return fingerprint;
  const party = externalPartyOf(hint, publicKey);
  if (!party.ok) return party;
  if (participant === '') return malformed('participant', participant, 'the id of a participant');
  const confirming = others.filter(({ permission }) => permission === 'confirmation').length + (observesOnly ? 0 : 1);
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > confirming)
    return malformed('threshold', threshold, `1 to ${confirming}, the number of confirming participants`);
  const key = publicKey.toLowerCase();
  const transactions = [
    { mapping: 'NamespaceDelegation', namespace: fingerprint.value, key, isRoot: true },
    {
      mapping: 'PartyToParticipant',
      party: party.value,
      participant,
      permission: observesOnly ? 'observation' : 'confirmation',
      threshold,
      ...(others.length === 0 ? {} : { others }),
    },
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
  return purposeHash(COMBINED_PURPOSE, u32be(pieces.length / 2), concatBytes(...pieces));
}

/** Refuses transactions that differ from those generated for the named party, `publicKey` and these participants. */
export function readTopology(
  transactions: readonly string[],
  publicKey: string,
): Result<Topology & { readonly participants: readonly string[] }, Malformed> {
  const hosting = mappingIn(transactions, 'PartyToParticipant');
  const party = PartyId.parse(hosting?.['party'], 'transactions');
  const participant = hosting?.['participant'];
  const expected = 'the three transactions generated for this key, the party-to-participant mapping among them';
  if (!party.ok || typeof participant !== 'string')
    return malformed('transactions', `${transactions.length} transactions`, expected);
  const others = hostsIn(hosting?.['others']);
  const generated = generateTopology({
    hint: PartyId.hint(party.value),
    publicKey,
    participant,
    observesOnly: hosting?.['permission'] === 'observation',
    others,
    threshold: Number(hosting?.['threshold']),
  });
  if (!generated.ok) return generated;
  const wanted = generated.value.transactions.map(({ transaction }) => transaction);
  const agree = wanted.length === transactions.length && wanted.every((text) => transactions.includes(text));
  return agree
    ? ok({ ...generated.value, participants: [participant, ...others.map((one) => one.participant)] })
    : malformed('transactions', `${transactions.length} transactions`, expected);
}

/** Returns the key in the namespace delegation of a topology, in hex, or null without one. */
export function topologyKeyOf(transactions: readonly string[]): string | null {
  const key = mappingIn(transactions, 'NamespaceDelegation')?.['key'];
  return typeof key === 'string' ? key : null;
}

function mappingIn(transactions: readonly string[], mapping: string): ReturnType<typeof parseJsonObject> {
  return transactions.map(contentOf).find((content) => content?.['mapping'] === mapping) ?? null;
}

function hostsIn(others: unknown): readonly FurtherHost[] {
  if (!Array.isArray(others)) return [];
  return others.flatMap((one: unknown): FurtherHost[] => {
    if (typeof one !== 'object' || one === null || !('participant' in one) || !('permission' in one)) return [];
    const permission = PERMISSIONS.find((known) => known === one.permission);
    return typeof one.participant === 'string' && permission ? [{ participant: one.participant, permission }] : [];
  });
}

function contentOf(transaction: string): ReturnType<typeof parseJsonObject> {
  const bytes = Base64.parse(transaction);
  return bytes.ok ? parseJsonObject(bytesToUtf8(bytes.value)) : null;
}
