import type { Contract, ContractOf, TemplateName } from '../contracts/contract.js';
import { allOf, findAny, settingsOf, type LedgerState } from '../contracts/state.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { dsoRulesOf, superValidatorOf } from './governance/super-majority.js';

export interface Consented<Detail> {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly update: { readonly archived: readonly ContractId[]; readonly detail: Detail };
}

/** Checked by the laws of authority. Source: specification §3 (authority rule and the controllers of each choice). */
export interface Consent<Detail> {
  /** All parties of at least one group must act. */
  controllers(step: Consented<Detail>): readonly Group[];
  /** Choices are exercised on these contracts, which gives the update the authority of their signatories. Null: the contract is missing. */
  exercised?(step: Consented<Detail>): readonly (Contract | null)[];
  readonly throughRules?: true;
}

/** Undefined: a party that was not found, which never acts. */
export type Group = readonly (PartyId | undefined)[];

type PartyField<C> = { readonly [Field in keyof C]: C[Field] extends PartyId ? Field : never }[keyof C];

/** All parties in these fields of the detail act together. */
export function by<Field extends string>(...fields: readonly Field[]): Consent<Readonly<Record<Field, PartyId>>> {
  return { controllers: ({ update }) => [fields.map((field) => update.detail[field])] };
}

export function byRules<Field extends string>(...fields: readonly Field[]): Consent<Readonly<Record<Field, PartyId>>> {
  return throughRules(by(...fields));
}

export function throughRules<Detail>(consent: Consent<Detail>): Consent<Detail> {
  return { ...consent, throughRules: true };
}

export const byDso: Consent<unknown> = { controllers: (step) => [[dsoOf(step)]], throughRules: true };

export const byDsoOrSv: Consent<unknown> = { controllers: dsoOrSv, throughRules: true };

export const bySv: Consent<{ readonly sv: PartyId }> = {
  controllers: ({ before, update }) => {
    const rules = dsoRulesOf(before);
    return [[(rules && superValidatorOf(rules, update.detail.sv)?.party) ?? undefined]];
  },
  throughRules: true,
};

/** @param controllers groups of controllers, or the field of the contract that names the only one */
export function onArchived<Name extends TemplateName, Detail>(
  template: Name | readonly Name[],
  controllers:
    PartyField<ContractOf<Name>> | ((contract: ContractOf<Name>, step: Consented<Detail>) => readonly Group[]),
): Consent<Detail> {
  return {
    controllers(step) {
      const [contract] = ofTemplate(archivedIn(step), template);
      if (!contract) return [];
      // Cast: the field of a generic contract is a party.
      return typeof controllers === 'function' ? controllers(contract, step) : [[contract[controllers] as PartyId]];
    },
    exercised: (step) => [ofTemplate(archivedIn(step), template)[0] ?? null],
  };
}

export function routineOn(template: TemplateName): Consent<unknown> {
  return { ...onArchived(template, () => []), controllers: dsoOrSv };
}

export function byDsoOn(template: TemplateName): Consent<unknown> {
  return { ...onArchived(template, () => []), controllers: (step) => [[dsoOf(step)]] };
}

export function dsoOrSv(step: Consented<unknown>): readonly Group[] {
  const svs = [...allOf(step.before, 'DsoRules')].flatMap((rules) => rules.svs);
  return [[dsoOf(step)], ...svs.map(({ party }) => [party])];
}

export function dsoOf({ after }: Consented<unknown>): PartyId {
  return settingsOf(after).dso;
}

// The laws look up the contracts of a step several times.
const seen: WeakMap<Consented<unknown>, readonly Contract[]> = new WeakMap();

export function archivedIn(step: Consented<unknown>): readonly Contract[] {
  let contracts = seen.get(step);
  if (!contracts) {
    contracts = step.update.archived.flatMap((id) => findAny(step.before, id) ?? []);
    seen.set(step, contracts);
  }
  return contracts;
}

export function archivedOf<Name extends TemplateName>(
  step: Consented<unknown>,
  template: Name,
): readonly ContractOf<Name>[] {
  return ofTemplate(archivedIn(step), template);
}

export function ofTemplate<Name extends TemplateName>(
  contracts: readonly Contract[],
  template: Name | readonly Name[],
): readonly ContractOf<Name>[] {
  const names: readonly TemplateName[] = typeof template === 'string' ? [template] : template;
  return contracts.filter((contract): contract is ContractOf<Name> => names.includes(contract.template));
}
