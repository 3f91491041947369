import { contractsByKey } from '@coinlab/core/views';
import { PartyId, type LedgerState } from '@coinlab/core';
import { walletUserKey, type WalletAppInstall } from '@coinlab/core/contracts';
import { Problem } from '../problem.js';

export interface Peer {
  readonly validator: PartyId;
  readonly participantId: string;
}

export interface ValidatorIdentity extends Peer {
  readonly peers: readonly Peer[];
}

export function installOf(state: LedgerState, validator: PartyId, user: string): WalletAppInstall | null {
  for (const install of contractsByKey(state, 'WalletAppInstall', walletUserKey(validator, user))) return install;
  return null;
}

export function hasWalletAt(state: LedgerState, validator: PartyId, party: PartyId): boolean {
  for (const install of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`))
    if (install.validator === validator) return true;
  return false;
}

/**
 * Letters, digits and `-` are kept, `_` is doubled, other characters become `_` and four hex digits, so that different names have
 * different parties.
 * Source: specification of the API §7.1. Assumption: A-79 (`:` and blank are written as digits too).
 */
export function localParty(user: string, participantId: string): PartyId {
  const hint = user.replaceAll(/[^A-Za-z0-9-]/g, (character) =>
    character === '_' ? '__' : `_${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const party = PartyId.parse(`${hint}::${participantId.slice(participantId.lastIndexOf(':') + 1)}`, 'name');
  if (!party.ok) throw new Problem(400, 'name: expected a name with an escaped form of 1 to 185 characters');
  return party.value;
}
