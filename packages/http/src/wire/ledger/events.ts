import { z } from '@hono/zod-openapi';
import type { LedgerState, PartyId } from '@coinlab/core';
import type { LedgerView } from '../../history/ledger-view.js';
import { partiesOf } from '../active-contract.js';
import { contractIdText } from '../contract-id.js';
import { createdEventBlob } from '../created-event-blob.js';
import type { EventFormat, Shown } from './event-format.js';
import { interfaceIdOf, viewOf, type NetworkInterface } from './interface-views.js';
import { createArgumentOf } from './values.js';
import { placeOf, templateIdOf, type NetworkContract } from '../templates.js';
import { interfaceOfChoice, nodeCreating, type ExerciseNode } from '../transaction-tree.js';
import { cidText, partyText, rfc3339, timeText } from '../values.js';

const interfaceView = z
  .object({
    interfaceId: z.string(),
    viewStatus: z.object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) }),
    viewValue: z.unknown(),
    implementationPackageId: z.string(),
  })
  .openapi('JsInterfaceView');

/** Source: specification of the API, annex D. */
export const ledgerCreatedSchema = z
  .object({
    offset: z.int(),
    nodeId: z.int(),
    contractId: cidText,
    templateId: z.string(),
    contractKey: z.null(),
    createArgument: z.record(z.string(), z.unknown()),
    createdEventBlob: z.string(),
    interfaceViews: z.array(interfaceView),
    witnessParties: z.array(partyText),
    signatories: z.array(partyText),
    observers: z.array(partyText),
    createdAt: timeText,
    packageName: z.string(),
    representativePackageId: z.string(),
    acsDelta: z.boolean(),
  })
  .openapi('LedgerCreatedEvent');

/** Source: specification of the API, annex D. */
export const ledgerArchivedSchema = z
  .object({
    offset: z.int(),
    nodeId: z.int(),
    contractId: cidText,
    templateId: z.string(),
    witnessParties: z.array(partyText),
    packageName: z.string(),
    implementedInterfaces: z.array(z.string()),
  })
  .openapi('LedgerArchivedEvent');

/** Source: specification of the API, annex D. */
export const ledgerExercisedSchema = z
  .object({
    offset: z.int(),
    nodeId: z.int(),
    contractId: cidText,
    templateId: z.string(),
    interfaceId: z.string().nullable(),
    choice: z.string(),
    choiceArgument: z.unknown(),
    actingParties: z.array(partyText),
    consuming: z.boolean(),
    witnessParties: z.array(partyText),
    lastDescendantNodeId: z.int(),
    exerciseResult: z.unknown(),
    packageName: z.string(),
    implementedInterfaces: z.array(z.string()),
    acsDelta: z.boolean(),
  })
  .openapi('LedgerExercisedEvent');

export type LedgerCreated = z.output<typeof ledgerCreatedSchema>;
export type LedgerExercised = z.output<typeof ledgerExercisedSchema>;
export type LedgerArchived = z.output<typeof ledgerArchivedSchema>;

export interface SeenContract {
  readonly contract: NetworkContract;
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
  readonly witnesses: readonly PartyId[];
  readonly shown: Shown;
}

/** @param viewers the parties that see the event. Default: the stakeholders of the contract */
export function seenBy(
  { ofParty, ofAny }: EventFormat,
  contract: NetworkContract,
  state: LedgerState,
  viewers?: Iterable<PartyId>,
): SeenContract | null {
  const { qualifiedName } = placeOf(contract);
  const { signatories, observers } = partiesOf(contract, state);
  const witnesses: PartyId[] = [];
  const parts: Shown[] = [];
  for (const party of viewers ?? new Set([...signatories, ...observers])) {
    const own = ofParty.get(party)?.get(qualifiedName);
    const any = ofAny?.get(qualifiedName);
    if (!own && !any) continue;
    witnesses.push(party);
    for (const shown of [own, any]) if (shown && !parts.includes(shown)) parts.push(shown);
  }
  return witnesses.length === 0 ? null : { contract, signatories, observers, witnesses, shown: joined(parts) };
}

function joined(parts: readonly Shown[]): Shown {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const all = (pick: (shown: Shown) => readonly NetworkInterface[]): readonly NetworkInterface[] => [
    ...new Set(parts.flatMap(pick)),
  ];
  return {
    hasBlob: parts.some(({ hasBlob }) => hasBlob),
    interfaces: all(({ interfaces }) => interfaces),
    views: all(({ views }) => views),
  };
}

export function ledgerCreatedOf(
  seen: SeenContract,
  state: LedgerState,
  ledger: LedgerView,
  node?: Pick<LedgerCreated, 'nodeId' | 'acsDelta'>,
): LedgerCreated {
  const { contract, signatories, observers, witnesses, shown } = seen;
  const { created } = ledger;
  const templateId = templateIdOf(contract);
  const packageId = templateId.slice(0, templateId.indexOf(':'));
  return {
    offset: created.offsetOf(contract.id),
    nodeId: node?.nodeId ?? nodeCreating(contract.id, ledger),
    contractId: contractIdText(contract, ledger),
    templateId,
    contractKey: null,
    createArgument: createArgumentOf(contract, state),
    createdEventBlob: shown.hasBlob ? createdEventBlob(contract, ledger) : '',
    interfaceViews: shown.views.map((one) => ({
      interfaceId: interfaceIdOf(one),
      viewStatus: { code: 0, message: '', details: [] },
      viewValue: viewOf(contract, one, state),
      implementationPackageId: packageId,
    })),
    witnessParties: [...witnesses],
    signatories: [...signatories],
    observers: [...observers],
    createdAt: rfc3339(created.timeOf(contract.id)),
    packageName: placeOf(contract).packageName,
    representativePackageId: packageId,
    acsDelta: node?.acsDelta ?? true,
  };
}

export function ledgerExercisedOf(
  { contract, witnesses, shown }: SeenContract,
  node: ExerciseNode,
  { offset, acsDelta }: Pick<LedgerExercised, 'offset' | 'acsDelta'>,
  ledger: LedgerView,
): LedgerExercised {
  const { nodeId, choice, argument, acting, isConsuming, lastDescendant, result } = node;
  return {
    offset,
    nodeId,
    contractId: contractIdText(contract, ledger),
    templateId: templateIdOf(contract),
    interfaceId: interfaceOfChoice(node),
    choice,
    choiceArgument: argument,
    actingParties: [...acting],
    consuming: isConsuming,
    witnessParties: [...witnesses],
    lastDescendantNodeId: lastDescendant,
    exerciseResult: result,
    packageName: placeOf(contract).packageName,
    implementedInterfaces: isConsuming ? shown.interfaces.map(interfaceIdOf) : [],
    acsDelta,
  };
}

export function ledgerArchivedOf(
  { contract, witnesses, shown }: SeenContract,
  { offset, nodeId }: Pick<LedgerArchived, 'offset' | 'nodeId'>,
  ledger: LedgerView,
): LedgerArchived {
  return {
    offset,
    nodeId,
    contractId: contractIdText(contract, ledger),
    templateId: templateIdOf(contract),
    witnessParties: [...witnesses],
    packageName: placeOf(contract).packageName,
    implementedInterfaces: shown.interfaces.map(interfaceIdOf),
  };
}
