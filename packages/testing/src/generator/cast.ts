/**
 * Who plays in random commands, by the part they usually play; each also plays the others' now and then.
 * @module
 */
import { PartyId } from '@coinlab/core';
import { keyHolder, type KeyHolder } from './keys.js';

/** Several parties, at least one. */
type Parties = readonly [PartyId, ...PartyId[]];

function parties(first: string, ...others: readonly string[]): Parties {
  return [PartyId.of(first), ...others.map(PartyId.of)];
}

/** The network's own party. */
export const dso: PartyId = PartyId.of('DSO');
/** Users of wallets: alice, bob, carol and dave. */
export const people: readonly [PartyId, PartyId, PartyId, PartyId] = [
  PartyId.of('alice'),
  PartyId.of('bob'),
  PartyId.of('carol'),
  PartyId.of('dave'),
];
/** A featured provider, who also has preapprovals and delegations to serve. */
export const provider: PartyId = PartyId.of('provider');
/** Somebody with about a hundred coins. */
export const hoarder: PartyId = PartyId.of('hoarder');
/** Somebody whom the ledger does not know. */
export const stranger: PartyId = PartyId.of('stranger');
/** Who found the DSO. */
export const founders: Parties = parties('sv1', 'sv2', 'sv3', 'sv4');
/** Everybody who holds coin in a busy network. */
export const everybody: Parties = [...people, provider, hoarder];
/** A party with a key of its own that a busy network knows. */
export const external: KeyHolder = keyHolder('external');
/** A party with a key of its own that has yet to come. */
export const newcomer: KeyHolder = keyHolder('newcomer');
/** The parties with keys of their own. */
export const keyHolders: readonly [KeyHolder, ...KeyHolder[]] = [external, newcomer];
