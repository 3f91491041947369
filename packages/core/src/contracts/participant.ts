import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { integer, list, mapOf, party, text } from '../kernel/shape.js';
import type { TemplateDeclaration } from './template.js';

/** Free texts of a participant about a party. A record, not a contract of the network; each change replaces it. Assumption: A-118. */
export interface PartyAnnotations extends ContractBase {
  readonly template: 'PartyAnnotations';
  /** Party of the participant's operator. */
  readonly operator: PartyId;
  readonly participant: string;
  readonly party: PartyId;
  /** Free texts by name. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Version of the annotations: the number of their changes so far. */
  readonly resourceVersion: number;
}

/** A package archive that was uploaded to a participant. Its code is never executed. A record. Assumption: A-119. */
export interface UploadedDar extends ContractBase {
  readonly template: 'UploadedDar';
  /** Party of the participant's operator. */
  readonly operator: PartyId;
  readonly participant: string;
  /** SHA-256 of the archive, in hex. */
  readonly hash: string;
  /** Ids of its packages, each once. */
  readonly packages: readonly string[];
}

/** Returns the lookup key of a participant's annotations of a party. */
export function partyAnnotationsKey(participant: string, of: PartyId): string {
  return `annotations:${participant}:${of}`;
}

/** Returns the lookup key of all archives of a participant. */
export function uploadedDarsKey(participant: string): string {
  return `dars:${participant}`;
}

/** Returns the lookup key of an archive at a participant by its hash. */
export function uploadedDarKey(participant: string, hash: string): string {
  return `dar:${participant}:${hash}`;
}

/** Returns the lookup key of the archives of a participant that contain a package. */
export function uploadedPackageKey(participant: string, packageId: string): string {
  return `package:${participant}:${packageId}`;
}

export const partyAnnotationsTemplate: TemplateDeclaration<PartyAnnotations> = {
  fields: { operator: party, participant: text, party, annotations: mapOf(text), resourceVersion: integer },
  signatories: ({ operator }) => [operator],
  keys: ({ participant, party: of }) => [partyAnnotationsKey(participant, of)],
  isRecord: true,
};

export const uploadedDarTemplate: TemplateDeclaration<UploadedDar> = {
  fields: { operator: party, participant: text, hash: text, packages: list(text) },
  signatories: ({ operator }) => [operator],
  keys: ({ participant, hash, packages }) => [
    uploadedDarsKey(participant),
    uploadedDarKey(participant, hash),
    ...packages.map((id) => uploadedPackageKey(participant, id)),
  ],
  isRecord: true,
};
