import { type Update, type UpdateKind } from '@coinlab/core';
import { amuletRulesChoices } from './amulet-rules.js';
import type { Choice, Creation, Exercise, LedgerFacts } from './choice.js';
import { MalformedCommand } from './faults.js';
import { shown } from './daml.js';
import { delegateProxyChoices, delegateProxyCreations } from './delegate-proxies.js';
import { featuredAppChoices } from './featured-apps.js';
import { mergeDelegationChoices, mergeDelegationCreations } from './merge-delegations.js';
import { mintingDelegationChoices, mintingDelegationCreations } from './minting-delegations.js';
import { nearestTo } from '@coinlab/core/workflows';
import { pingChoices, pingCreations } from './ping.js';
import { preapprovalChoices, preapprovalCreations } from './preapprovals.js';
import { setupProposalChoices } from './setup-proposals.js';
import { transferChoices } from './transfers.js';

/** Every choice that the ledger API executes. Documented in docs/reference/choices.md. */
export const CHOICES: readonly Choice[] = [
  ...amuletRulesChoices,
  ...transferChoices,
  ...preapprovalChoices,
  ...setupProposalChoices,
  ...featuredAppChoices,
  ...delegateProxyChoices,
  ...mergeDelegationChoices,
  ...mintingDelegationChoices,
  ...pingChoices,
];

/** The templates that create commands may name. */
export const CREATIONS: readonly Creation[] = [
  ...preapprovalCreations,
  ...delegateProxyCreations,
  ...mergeDelegationCreations,
  ...mintingDelegationCreations,
  ...pingCreations,
];

export function choiceNamed(templateId: unknown, name: unknown, field: string): Choice {
  const declared = CHOICES_BY_NAME.get(qualifiedIn(templateId, `${field}.templateId`));
  if (!declared) throw unknown(templateId, `${field}.templateId`, unique(CHOICES.map(({ on }) => on)));
  const found = declared.find((each) => each.name === name || each.aliases.some((alias) => alias === name));
  if (found) return found;
  throw unknown(
    name,
    `${field}.choice`,
    declared.map((each) => each.name),
  );
}

export function creationOf(templateId: unknown, field: string): Creation {
  const wanted = qualifiedIn(templateId, `${field}.templateId`);
  const found = CREATIONS.find(({ on }) => qualifiedName(on) === wanted);
  if (found) return found;
  throw unknown(
    templateId,
    `${field}.templateId`,
    CREATIONS.map(({ on }) => on),
  );
}

const CHOICES_BY_NAME: ReadonlyMap<string, readonly Choice[]> = new Map(
  unique(CHOICES.map(({ on }) => qualifiedName(on))).map((name) => [
    name,
    CHOICES.filter(({ on }) => qualifiedName(on) === name),
  ]),
);

/** Returns the exercise at the root of an update; null for an update that no choice of the table makes. */
export function exerciseOf(update: Update, facts: LedgerFacts): (Exercise & { readonly choice: Choice }) | null {
  for (const choice of CHOICES_BY_KIND.get(update.kind) ?? []) {
    const exercise = choice.exerciseOf(update, facts);
    if (exercise) return { ...exercise, choice };
  }
  return null;
}

const CHOICES_BY_KIND: ReadonlyMap<UpdateKind, readonly Choice[]> = new Map(
  unique(CHOICES.flatMap(({ kinds }) => kinds)).map((kind) => [
    kind,
    CHOICES.filter(({ kinds }) => kinds.includes(kind)),
  ]),
);

const TEMPLATE_ID = /^(?:#[\w.-]+|[0-9a-f]{64}):([\w.]+:\w+)$/;

/** Ignores the package, because each release of a package has a different id. */
function qualifiedIn(templateId: unknown, field: string): string {
  const [, qualified] = typeof templateId === 'string' ? (TEMPLATE_ID.exec(templateId) ?? []) : [];
  if (qualified !== undefined) return qualified;
  const expected = '#package-name:Module.Name:Entity, or a package id of 64 hex digits before the module';
  throw new MalformedCommand({ field, value: shown(templateId), expected });
}

function qualifiedName(symbolicId: string): string {
  return symbolicId.slice(symbolicId.indexOf(':') + 1);
}

function unknown(name: unknown, field: string, known: readonly string[]): MalformedCommand {
  const nearest = nearestTo(typeof name === 'string' ? name : '', known);
  return new MalformedCommand({ field, value: shown(name), expected: `a supported one; the nearest is ${nearest}` });
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}
