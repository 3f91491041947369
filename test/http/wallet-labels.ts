import { Amount } from '@coinlab/core';

/*
 * The labels that a wallet gives to transactions with exercises, by the rules of the wallet SDK 1.4.0.
 */

export interface Holding {
  readonly owner: string;
  readonly amount: string;
}

interface Node {
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: string;
  readonly witnessParties: readonly string[];
  readonly acsDelta: boolean;
}

export interface CreatedNode extends Node {
  readonly interfaceViews: readonly { readonly interfaceId: string; readonly viewValue: Holding }[];
}

export interface ExercisedNode extends Node {
  readonly choice: string;
  readonly consuming: boolean;
  readonly lastDescendantNodeId: number;
  readonly implementedInterfaces: readonly string[];
  readonly choiceArgument: { readonly transfer?: Meta; readonly extraArgs?: Meta } & Meta;
  readonly exerciseResult: { readonly output?: { readonly tag: string } } & Meta;
}

interface Meta {
  readonly meta?: { readonly values: Readonly<Record<string, string>> };
}

export type EffectEvent = { readonly CreatedEvent: CreatedNode } | { readonly ExercisedEvent: ExercisedNode };

export interface Labelled {
  readonly type: string;
  readonly change: bigint;
}

const HOLDING = ':Splice.Api.Token.HoldingV1:Holding';
const TX_KIND = 'splice.lfdecentralizedtrust.org/tx-kind';
const LABELS: Readonly<Record<string, string>> = {
  burn: 'Burn',
  mint: 'Mint',
  unlock: 'Unlock',
  'expire-dust': 'ExpireDust',
};

/**
 * Labels the events of a transaction.
 * @param createdAs returns an archived coin as it was created
 */
export function labelsOf(
  events: readonly EffectEvent[],
  party: string,
  createdAs: (contractId: string) => Holding | null,
): readonly Labelled[] {
  const labels: Labelled[] = [];
  let continueAfter = -1;
  for (const event of events) {
    const node = nodeOf(event);
    if (node.nodeId <= continueAfter) continue;
    if ('CreatedEvent' in event) {
      const made = coinIn(event.CreatedEvent);
      if (made?.owner === party) labels.push({ type: 'Create', change: unitsOf(made) });
      continue;
    }
    const { ExercisedEvent: exercised } = event;
    const type = typeOf(exercised);
    if (type === null) {
      const gone = exercised.choice === 'Archive' ? createdAs(exercised.contractId) : null;
      if (gone?.owner === party) labels.push({ type: 'Archive', change: 0n });
      continue;
    }
    continueAfter = exercised.lastDescendantNodeId;
    const within = events.filter((each) => isWithin(nodeOf(each).nodeId, exercised));
    const own = within.map((each) => changeOf(each, createdAs)).filter(({ owner }) => owner === party);
    if (own.length === 0) continue;
    const others = within.some(
      (each) => 'CreatedEvent' in each && (coinIn(each.CreatedEvent)?.owner ?? party) !== party,
    );
    labels.push({ type: nameOf(type, others, own), change: own.reduce((sum, { change }) => sum + change, 0n) });
  }
  return labels;
}

export function nodeOf(event: EffectEvent): Node {
  return 'CreatedEvent' in event ? event.CreatedEvent : event.ExercisedEvent;
}

function isWithin(nodeId: number, { nodeId: first, lastDescendantNodeId: last }: ExercisedNode): boolean {
  return nodeId >= first && nodeId <= last;
}

/** The kind of a transaction; null for a choice that says nothing about it. */
function typeOf({ choice, choiceArgument, exerciseResult }: ExercisedNode): string | null {
  if (choice === 'TransferFactory_Transfer' || choice === 'TransferInstruction_Accept') return 'transfer';
  if (choice.startsWith('TransferInstruction_')) return 'merge-split';
  const metas = [choiceArgument.transfer, choiceArgument.extraArgs, choiceArgument, exerciseResult];
  return metas.map((each) => each?.meta?.values[TX_KIND]).findLast((kind) => kind !== undefined) ?? null;
}

function nameOf(kind: string, paysOthers: boolean, own: readonly { readonly change: bigint }[]): string {
  if (kind !== 'transfer') return LABELS[kind] ?? 'MergeSplit';
  if (own.every(({ change }) => change > 0n)) return 'TransferIn';
  return paysOthers ? 'TransferOut' : 'MergeSplit';
}

function changeOf(
  event: EffectEvent,
  createdAs: (contractId: string) => Holding | null,
): { owner: string; change: bigint } {
  if ('CreatedEvent' in event) {
    const made = coinIn(event.CreatedEvent);
    return { owner: made?.owner ?? '', change: made ? unitsOf(made) : 0n };
  }
  const { consuming, implementedInterfaces, contractId } = event.ExercisedEvent;
  const isCoin = consuming && implementedInterfaces.some((id) => id.endsWith(HOLDING));
  const gone = isCoin ? createdAs(contractId) : null;
  return { owner: gone?.owner ?? '', change: gone ? -unitsOf(gone) : 0n };
}

export function coinIn({ interfaceViews }: CreatedNode): Holding | null {
  return interfaceViews.find(({ interfaceId }) => interfaceId.endsWith(HOLDING))?.viewValue ?? null;
}

function unitsOf({ amount }: Holding): bigint {
  return Amount.of(amount);
}
