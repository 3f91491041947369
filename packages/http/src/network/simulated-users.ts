import { allOf, contractsByKey } from '@coinlab/core/views';
import { contractsOf, PartyId, settingsOf, type LedgerState } from '@coinlab/core';
import { dsoRulesOf } from '@coinlab/core/rules';

/** A user of this server's wallets, with the party of the wallet. */
export interface HostedUser {
  readonly user: string;
  readonly party: PartyId;
}

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

function installedUser(state: LedgerState, validator: PartyId, party: PartyId): string | null {
  for (const install of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`))
    if (install.validator === validator) return install.endUserName;
  return null;
}
