import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { instant, integer, nullable, party, record, round, text, type Shape } from '../kernel/shape.js';
import type { Instant, Round } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** The rounds for which a validator has recorded that it was live. Source: specification §3.10. */
export interface FaucetState {
  readonly firstReceivedFor: Round;
  readonly lastReceivedFor: Round;
  /** Number of rounds between the first and the last recorded one that have no record. */
  readonly couponsMissed: number;
}

/** A validator's data about itself. Source: specification §3.10. */
export interface LicenseMetadata {
  readonly lastUpdatedAt: Instant;
  /** Version of its software; at most 255 characters. */
  readonly version: string;
  /** Contact of its operator; at most 255 characters. */
  readonly contactPoint: string;
}

/** Registers a party as a validator: at most one per party. Each change recreates it. Source: specification §3.10. */
export interface ValidatorLicense extends ContractBase {
  readonly template: 'ValidatorLicense';
  readonly validator: PartyId;
  /** Super validator that onboarded the validator. */
  readonly sponsor: PartyId;
  /** Liveness records of the validator; null until its first record. */
  readonly faucetState: FaucetState | null;
  readonly metadata: LicenseMetadata | null;
  readonly lastActiveAt: Instant | null;
}

const faucetState: Shape<FaucetState> = record<FaucetState>({
  firstReceivedFor: round,
  lastReceivedFor: round,
  couponsMissed: integer,
});
const metadata: Shape<LicenseMetadata> = record<LicenseMetadata>({
  lastUpdatedAt: instant,
  version: text,
  contactPoint: text,
});

export const validatorLicenseTemplate: TemplateDeclaration<ValidatorLicense> = {
  fields: {
    validator: party,
    sponsor: party,
    faucetState: nullable(faucetState),
    metadata: nullable(metadata),
    lastActiveAt: nullable(instant),
  },
  signatories: (_, dso) => [dso],
  observers: ({ validator }) => [validator],
  subject: 'validator',
};
