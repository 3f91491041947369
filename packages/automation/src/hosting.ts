import { contractsOf, type LedgerState, type PartyId } from '@coinlab/core';
import { contractsAbout, firstByKey } from '@coinlab/core/views';

/**
 * @param memberId the validator's participant, for example `PAR::participant::1220…`; null: it hosts no external party
 */
export function isHosted(state: LedgerState, party: PartyId, validator: PartyId, memberId: string | null): boolean {
  if (party === validator || firstByKey(state, 'ValidatorRight', `right:${party}:${validator}`)) return true;
  for (const install of contractsAbout(state, 'WalletAppInstall', party)) {
    if (install.validator === validator) return true;
  }
  for (const { participant } of contractsOf(state, 'ExternalPartyKey', party))
    if (participant === memberId) return true;
  return false;
}
