/**
 * The parties of random commands, by their usual role. Each party takes other roles occasionally.
 * @module
 */
import { PartyId } from '@coinlab/core';
import { keyHolder, type KeyHolder } from './keys.js';

type Parties = readonly [PartyId, ...PartyId[]];

function parties(first: string, ...others: readonly string[]): Parties {
  return [PartyId.of(first), ...others.map(PartyId.of)];
}

export const dso: PartyId = PartyId.of('DSO');
export const people: readonly [PartyId, PartyId, PartyId, PartyId] = [
  PartyId.of('alice'),
  PartyId.of('bob'),
  PartyId.of('carol'),
  PartyId.of('dave'),
];
export const provider: PartyId = PartyId.of('provider');
/** A party with about a hundred coins. */
export const hoarder: PartyId = PartyId.of('hoarder');
/** A party that is not allocated on the ledger. */
export const stranger: PartyId = PartyId.of('stranger');
export const founders: Parties = parties('sv1', 'sv2', 'sv3', 'sv4');
export const everybody: Parties = [...people, provider, hoarder];
export const external: KeyHolder = keyHolder('external');
/** An external party whose key is not yet registered in a busy network. */
export const newcomer: KeyHolder = keyHolder('newcomer');
export const keyHolders: readonly [KeyHolder, ...KeyHolder[]] = [external, newcomer];
