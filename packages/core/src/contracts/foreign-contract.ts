import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { list, party, text } from '../kernel/shape.js';
import type { TemplateDeclaration } from './template.js';

/** A contract of a template without rules on this ledger: it is created, read and archived. Assumption: A-130. */
export interface ForeignContract extends ContractBase {
  readonly template: 'ForeignContract';
  /** Template id with the name of its package: `#package-name:Module.Name:Entity`. */
  readonly templateId: string;
  /** The fields of the contract as a JSON object. */
  readonly arguments: string;
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
}

export const foreignContractTemplate: TemplateDeclaration<ForeignContract> = {
  fields: { templateId: text, arguments: text, signatories: list(party), observers: list(party) },
  signatories: ({ signatories }) => signatories,
  observers: ({ observers }) => observers,
};
