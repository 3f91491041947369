import { isOneOf } from '@coinlab/core/workflows';
import type {
  Contract,
  ContractOf,
  TemplateName,
  Context,
  ContractId,
  PartyId,
  RejectionCode,
  Instant,
} from '@coinlab/core';
import { Overlay, type LedgerView } from './books.js';

/**
 * The ledger reports only the first violation in its own order; the auditor has no order, collects all and accepts any
 * of the codes.
 */
export class Inquiry {
  readonly overlay: Overlay;
  readonly context: Context;
  readonly reasons: Set<RejectionCode> = new Set();

  constructor(under: LedgerView, context: Context) {
    this.overlay = new Overlay(under);
    this.context = context;
  }

  get now(): Instant {
    return this.context.now;
  }

  require(holds: boolean, otherwise: RejectionCode): boolean {
    if (!holds) this.reasons.add(otherwise);
    return holds;
  }

  actsAs(...parties: readonly PartyId[]): void {
    this.require(
      parties.every((party) => this.context.actAs.includes(party)),
      'NOT_AUTHORISED',
    );
  }

  actsAsOneOf(...parties: readonly PartyId[]): void {
    this.require(
      parties.some((party) => this.context.actAs.includes(party)),
      'NOT_AUTHORISED',
    );
  }

  /** Source: specification §3.19. */
  actsAsDsoOrSv(): void {
    const svs = this.overlay.all('DsoRules').flatMap((rules) => rules.svs.map(({ party }) => party));
    this.actsAsOneOf(this.overlay.settings.dso, ...svs);
  }

  named<Name extends TemplateName>(id: ContractId, ...templates: readonly Name[]): ContractOf<Name> | null {
    const found: Contract | undefined = this.overlay.find(id);
    const fits = found !== undefined && isOneOf(templates, found.template);
    // `fits` implies one of the templates.
    return this.require(fits, 'CONTRACT_NOT_FOUND') ? (found as ContractOf<Name>) : null;
  }

  /** Source: specification §2.6. */
  isShort(text: string): void {
    this.require([...text].length < 280, 'INVALID_ARGUMENT');
  }

  startsTracking(subject: 'tap' | 'transfer' | 'traffic', owner: PartyId, trackingId: string): void {
    this.isShort(trackingId);
    const key = `${subject} ${owner} ${trackingId}`;
    this.require(!this.overlay.knowsTracking(key), 'DUPLICATE_TRACKING_ID');
    this.overlay.track(key);
  }
}
