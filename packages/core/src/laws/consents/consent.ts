import type { Contract, TemplateName } from '../../contracts/contract.js';
import { allOf, settingsOf } from '../../contracts/state.js';
import type { PartyId } from '../../kernel/ids.js';
import type { UpdateKind } from '../../log/update.js';
import type { Step } from '../law.js';
import { archivedOf, type StepOf } from '../touched.js';

/** By whose authority a kind of update happens. Source: specification §3 (authority rule and the controllers of each choice). */
export interface Consent<Kind extends UpdateKind> {
  /** The controllers: of these groups one acts as a whole. */
  controllers(step: StepOf<Kind>): readonly Group[];
  /** The contracts whose choice is exercised: their signatories lend their authority to what follows. A null is a missing one. */
  exercised?(step: StepOf<Kind>): readonly (Contract | null)[];
  /** The choice is one of a rules contract, which the DSO signs. */
  readonly throughRules?: true;
}

/** Consents by kind of update. */
export type Consents = { readonly [Kind in UpdateKind]?: Consent<Kind> };

/** Parties that act together; an undefined one is a party that could not be found, which never acts. */
export type Group = readonly (PartyId | undefined)[];

/** A choice of the DSO's rules by the DSO itself. */
export const byDso: { controllers(step: Step): readonly Group[]; readonly throughRules: true } = {
  controllers: (step) => [[dsoOf(step)]],
  throughRules: true,
};

/** A routine of the DSO: by the DSO itself or by any one of its super validators. */
export const byDsoOrSv: { controllers(step: Step): readonly Group[]; readonly throughRules: true } = {
  controllers: dsoOrSv,
  throughRules: true,
};

/** The DSO, or any one of those that were its super validators before the step. */
export function dsoOrSv(step: Step): readonly Group[] {
  const svs = [...allOf(step.before, 'DsoRules')].flatMap((rules) => rules.svs);
  return [[dsoOf(step)], ...svs.map(({ party }) => [party])];
}

/** The DSO of a step's ledger. */
export function dsoOf({ after }: Step): PartyId {
  return settingsOf(after).dso;
}

/** The archived contracts of a template; a missing one counts as a null, so that a choice of nothing is seen. */
export function archived(step: Step, template: TemplateName): readonly (Contract | null)[] {
  const found: readonly Contract[] = archivedOf(step, template);
  return found.length > 0 ? found : [null];
}
