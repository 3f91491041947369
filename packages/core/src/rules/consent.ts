import type { Contract, ContractOf, TemplateName } from '../contracts/contract.js';
import { allOf, findAny, settingsOf, type LedgerState } from '../contracts/state.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { dsoRulesOf, superValidatorOf } from './super-majority.js';

export interface Consented<Detail> {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly update: { readonly archived: readonly ContractId[]; readonly detail: Detail };
}

/** Checked by the laws of authority. Source: specification §3 (authority rule and the controllers of each choice). */
export interface Consent<Detail> {
  /** All parties of at least one group must act. */
  controllers(step: Consented<Detail>): readonly Group[];
  /**
   * Choices are exercised on these contracts, which gives the update the authority of their signatories. Null: the
   * contract is missing.
   */
  exercised?(step: Consented<Detail>): readonly (Contract | null)[];
  readonly throughRules?: true;
}

/** Undefined: a party that was not found, which never acts. */
export type Group = readonly (PartyId | undefined)[];

export function by<Detail>(parties: (detail: Detail) => Group): Consent<Detail> {
  return { controllers: ({ update }) => [parties(update.detail)] };
}

export function byRules<Detail>(parties: (detail: Detail) => Group): Consent<Detail> {
  return throughRules(by(parties));
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

export function onArchived<Name extends TemplateName, Detail>(
  template: Name | readonly Name[],
  controllers: (contract: ContractOf<Name>, step: Consented<Detail>) => readonly Group[],
): Consent<Detail> {
  return {
    controllers(step) {
      const [contract] = ofTemplate(archivedIn(step), template);
      return contract ? controllers(contract, step) : [];
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
