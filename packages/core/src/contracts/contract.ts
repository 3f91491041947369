import { keysOf } from '@coinlab/collections';
import type { PartyId } from '../kernel/ids.js';
import { record, tagged, contractId, type Shape } from '../kernel/shape.js';
import type { Template, TemplateDeclaration } from './template.js';
import * as templates from './templates.js';

type ContractIn<Listed> = Listed extends TemplateDeclaration<infer C> ? C : never;

/** The union of all contracts and records, told apart by `template`. */
export type Contract = ContractIn<(typeof templates)[keyof typeof templates]>;

/** The name of a kind of contract. */
export type TemplateName = Contract['template'];

/** The contracts of one template. */
export type ContractOf<Name extends TemplateName> = Extract<Contract, { readonly template: Name }>;

/** The fields of a contract to be created. */
export type NewContract<Name extends TemplateName> = Name extends TemplateName
  ? Omit<ContractOf<Name>, 'id' | 'template'>
  : never;

/** The names of all templates, in alphabetical order. */
export const TEMPLATE_NAMES: readonly TemplateName[] = keysOf(templates).sort();

type Templates = { readonly [Name in TemplateName]: Template<ContractOf<Name>> };

/** All templates by name. Casts: the compiler cannot relate a name to its template. */
export const TEMPLATES: Templates = Object.fromEntries(
  Object.entries(templates).map(([name, declared], number) => [
    name,
    templateFrom(declared as TemplateDeclaration<Contract>, number),
  ]),
) as object as Templates;

/** The templates have the same fields in the same order, for the reason of `uniform`. */
function templateFrom(declared: TemplateDeclaration<Contract>, number: number): object {
  const { fields, frequent, signatories, observers = () => [], dueAt = () => null } = declared;
  const { subject, keys, hasKeysOf, ownKeys, isFinal, isRecord } = declared;
  return {
    number,
    fields,
    frequent,
    signatories,
    observers,
    dueAt,
    subject,
    keys,
    hasKeysOf,
    ownKeys,
    isFinal,
    isRecord,
  };
}

/** A whole contract: template, id, then its fields. */
export const contractShape: Shape<Contract> = tagged<Contract>(
  'template',
  Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [
      name,
      record<{ id: Contract['id'] }>({ id: contractId, ...TEMPLATES[name].fields }, TEMPLATES[name].frequent),
    ]),
  ),
);

/** Returns the template of a contract. */
export function templateOf(contract: Contract): Template<Contract> {
  return TEMPLATES[contract.template];
}

/** Returns the party in the template's `subject`; undefined if it declares none. */
export function subjectOf(contract: Contract): PartyId | undefined {
  const { subject } = templateOf(contract);
  // Cast: the declaration names a field with a party.
  return subject && (contract as unknown as Readonly<Record<string, PartyId>>)[subject];
}

/** Returns signatories and observers, each once. */
export function stakeholdersOf(contract: Contract, dso: PartyId): readonly PartyId[] {
  const template = templateOf(contract);
  return [...new Set([...template.signatories(contract, dso), ...template.observers(contract, dso)])];
}
