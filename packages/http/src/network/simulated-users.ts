import { allOf, contractsByKey } from '@coinlab/core/views';
import { contractsOf, PartyId, settingsOf, type LedgerState } from '@coinlab/core';
import { dsoRulesOf } from '@coinlab/core/rules';

/** A user of this server's wallets, and whose wallet it is. */
export interface HostedUser {
  readonly user: string;
  readonly party: PartyId;
}

/**
 * A user for every party of a log that was written elsewhere, in the order in which the parties came: named by the hint of its party, or by
 * the whole party id where the hint is taken. Left out are the network's own parties and those that sign for themselves.
 */
export function usersOfParties(state: LedgerState, validator: PartyId, operator: string): readonly HostedUser[] {
  const { dso } = settingsOf(state);
  const svs = new Set((dsoRulesOf(state)?.svs ?? []).map(({ party }) => party));
  const taken = new Set([operator]);
  const users: HostedUser[] = [];
  for (const { party } of allOf(state, 'KnownParty')) {
    if (party === dso || party === validator || svs.has(party) || isExternal(state, party)) continue;
    const hint = PartyId.hint(party);
    const user = installedUser(state, validator, party) ?? (taken.has(hint) ? party : hint);
    taken.add(user);
    users.push({ user, party });
  }
  return users;
}

function isExternal(state: LedgerState, party: PartyId): boolean {
  return !contractsOf(state, 'ExternalPartyKey', party)[Symbol.iterator]().next().done;
}

/** The user that this validator knows the party by already. */
function installedUser(state: LedgerState, validator: PartyId, party: PartyId): string | null {
  for (const install of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`))
    if (install.validator === validator) return install.endUserName;
  return null;
}
