import { dsoRulesOf } from '@coinlab/core/rules';
import { isKnownParty, type PartyId, settingsOf } from '@coinlab/core';
import type { WalletAppInstall } from '@coinlab/core/contracts';
import { installOf, localParty, type ValidatorIdentity } from '../host/hosted-parties.js';
import type { LedgerView } from '../history/ledger-view.js';
import type { Submitter } from '../gates/submit.js';
import { participantHosting } from './hosting.js';
import { Problem } from '../problem.js';
import { problemOf } from '../gates/status.js';

export interface Onboarding {
  readonly user: string;
  readonly party?: PartyId;
  readonly createsParty: boolean;
}

/** Repeated calls return the same party. Source: specification of the API §7.1. */
export async function onboard(
  server: Submitter & ValidatorIdentity & Pick<LedgerView, 'state'>,
  { user, party, createsParty }: Onboarding,
): Promise<PartyId> {
  const { host, validator, participantId } = server;
  const existing = installOf(server.state, validator, user);
  if (existing) return sameParty(existing, party);
  const endUser = party ?? localParty(user, participantId);
  refuseForeign(server, endUser);
  const isKnown = isKnownParty(server.state, endUser);
  if (!isKnown && party && !createsParty)
    throw new Problem(400, `party_id: unknown party ${party}; set createPartyIfMissing to allocate it`);
  // Submit both before awaiting: the log appends them in one group.
  const allocated = isKnown
    ? null
    : host.submit({ type: 'AllocateParty', party: endUser, displayName: user }, [endUser]);
  const onboarded = host.submit({ type: 'OnboardUser', validator, endUserName: user, endUser }, [validator, endUser]);
  const [, answer] = await Promise.all([allocated, onboarded]);
  if (answer.ok) return endUser;
  // A concurrent request has onboarded the same name.
  const won = installOf(server.state, validator, user);
  if (won) return sameParty(won, party);
  throw problemOf(answer.error);
}

function sameParty({ endUser, endUserName }: WalletAppInstall, party: PartyId | undefined): PartyId {
  if (party !== undefined && party !== endUser)
    throw new Problem(409, `user ${endUserName} is onboarded already, with party ${endUser}`);
  return endUser;
}

/** Foreign parties are hosted elsewhere, so the validator cannot act for them. */
function refuseForeign(server: ValidatorIdentity & Pick<LedgerView, 'state'>, party: PartyId): void {
  const { state, validator, participantId, peers } = server;
  const svs = dsoRulesOf(state)?.svs ?? [];
  const isOfPeer = peers.length > 1 && ![null, participantId].includes(participantHosting(party, server));
  if (isOfPeer || party === settingsOf(state).dso || svs.some((sv) => sv.party === party && party !== validator))
    throw new Problem(400, `party_id: ${party} is not hosted by this participant`);
}
