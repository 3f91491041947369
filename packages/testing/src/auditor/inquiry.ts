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
import { Page, type Shelf } from './books.js';

/**
 * What the auditor finds out about one command: on its page what the command would do, and every condition that it breaks. The
 * ledger answers with the first of them in its order; the auditor knows no order and accepts any.
 */
export class Inquiry {
  readonly page: Page;
  readonly context: Context;
  readonly reasons: Set<RejectionCode> = new Set();

  constructor(under: Shelf, context: Context) {
    this.page = new Page(under);
    this.context = context;
  }

  get now(): Instant {
    return this.context.now;
  }

  /** Notes a condition that the command breaks unless it holds. */
  require(holds: boolean, otherwise: RejectionCode): boolean {
    if (!holds) this.reasons.add(otherwise);
    return holds;
  }

  /** All of the parties must act. */
  actsAs(...parties: readonly PartyId[]): void {
    this.require(
      parties.every((party) => this.context.actAs.includes(party)),
      'NOT_AUTHORISED',
    );
  }

  /** One of the parties must act. */
  actsAsOneOf(...parties: readonly PartyId[]): void {
    this.require(
      parties.some((party) => this.context.actAs.includes(party)),
      'NOT_AUTHORISED',
    );
  }

  /** The DSO must act, or one of its super validators. Source: specification §3.19. */
  isRoutine(): void {
    const svs = this.page.all('DsoRules').flatMap((rules) => rules.svs.map(({ party }) => party));
    this.actsAsOneOf(this.page.settings.dso, ...svs);
  }

  /** The contract that a command names, when it is of a kind that it may be. */
  named<Name extends TemplateName>(id: ContractId, ...templates: readonly Name[]): ContractOf<Name> | null {
    const found: Contract | undefined = this.page.find(id);
    const fits = found !== undefined && isOneOf(templates, found.template);
    // `fits` says that it is of one of the templates.
    return this.require(fits, 'CONTRACT_NOT_FOUND') ? (found as ContractOf<Name>) : null;
  }

  /** Whether a text is short enough. Source: specification §2.6. */
  isShort(text: string): void {
    this.require([...text].length < 280, 'INVALID_ARGUMENT');
  }

  /** A tracking id that is new. Source: specification §7.4. */
  startsTracking(subject: 'tap' | 'transfer' | 'traffic', owner: PartyId, trackingId: string): void {
    this.isShort(trackingId);
    const key = `${subject} ${owner} ${trackingId}`;
    this.require(!this.page.knowsTracking(key), 'DUPLICATE_TRACKING_ID');
    this.page.track(key);
  }
}
