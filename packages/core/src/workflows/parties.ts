import { Effects } from '../contracts/effects.js';
import type { KnownParty } from '../contracts/party.js';
import { firstAbout, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { optional, party, text } from '../kernel/shape.js';
import { by } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { refuseUnlessActing } from '../rules/refusals.js';

/** Parties. A party becomes known when it is allocated; a second allocation is refused. Source: specification §9.5. */
type PartyCommand = AllocateParty;

/** Makes a party known. Acts as the party itself. */
interface AllocateParty {
  readonly type: 'AllocateParty';
  readonly party: PartyId;
  /** Name of the party for people, a free text. */
  readonly displayName?: string;
}

interface PartyDetails {
  readonly PartyAllocated: ValueDetail & { readonly party: PartyId };
}

const outcomes = {
  AllocateParty: { becomes: ['PartyAllocated'], refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS'] },
} as const;

export const parties: Workflow<PartyCommand, PartyDetails, typeof outcomes> = {
  commands: { AllocateParty: shapeOf<AllocateParty>({ party, displayName: optional(text) }) },
  outcomes,
  source: '§9.5',
  updates: { PartyAllocated: unrecorded(detailShape<PartyDetails['PartyAllocated']>({ party }), by('party'), null) },
  decide,
};

function decide(command: PartyCommand, state: LedgerState, context: Context): Decision<PartyDetails> {
  const unauthorised = refuseUnlessActing(context, command.party);
  if (unauthorised) return err(unauthorised);
  const known = firstAbout(state, 'KnownParty', command.party);
  if (known) return err({ code: 'ALREADY_EXISTS', what: `party ${command.party}`, contract: known.id });
  const effects = new Effects(state);
  const { party: self, displayName = '' } = command;
  effects.add<KnownParty>({ id: effects.nextId, template: 'KnownParty', party: self, displayName });
  const { minted, burned } = effects;
  return ok(effects.outcomeOf('PartyAllocated', { minted, burned, party: self }));
}
