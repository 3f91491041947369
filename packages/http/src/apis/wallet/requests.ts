import type { LedgerAccess } from '../../gates/submit.js';
import { createHash } from 'node:crypto';
import { Duration, Instant, type ContractId, type PartyId, type TemplateName, type Update } from '@coinlab/core';
import { TEXT_LIMIT } from '@coinlab/core/rules';
import { trackingOf } from '@coinlab/core/views';
import type { TrackedSubject, TrackingRecord } from '@coinlab/core/contracts';
import { Problem } from '../../problem.js';

/** How long a repeated request is answered with the first result. Source: specification of the API §6.3, §6.4. */
export const DEDUPLICATION_WINDOW: Duration = Duration.hours(24);

/** Requests under way, by what makes them one: a second one is told to try again. */
export class InFlight {
  readonly #keys: Set<string> = new Set();

  /** Runs `work` unless the same is under way: 429. */
  async alone<Value>(key: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const joined = JSON.stringify(key);
    if (this.#keys.has(joined)) throw new Problem(429, `the same request is under way: ${key.at(-1) ?? ''}`);
    this.#keys.add(joined);
    try {
      return await work();
    } finally {
      this.#keys.delete(joined);
    }
  }
}

/** Texts that a template would not take: 409, as the network's check of the template. Source: specification of the API §0.5, §5.2. */
export function refuseLongTexts(texts: Readonly<Record<string, string>>): void {
  for (const [field, text] of Object.entries(texts))
    if ([...text].length >= TEXT_LIMIT) throw new Problem(409, `${field}: not fewer than ${TEXT_LIMIT} characters`);
}

/** What a wallet's own tracking id stands for; null when it is free. */
function ownTracking(
  server: LedgerAccess,
  owner: PartyId,
  subject: TrackedSubject,
  trackingId: string,
): TrackingRecord | null {
  const found = trackingOf(server.state, owner, subject, trackingId);
  return found?.owner === owner ? found : null;
}

/** Refuses a tracking id that its wallet has used before: 409. Source: specification of the API §5.2. */
export function refuseUsed(server: LedgerAccess, owner: PartyId, subject: TrackedSubject, trackingId: string): void {
  if (ownTracking(server, owner, subject, trackingId))
    throw new Problem(409, `tracking_id: ${trackingId} has been used already`);
}

/** A client's deduplication id: what it stood for within the window, and the tracking id under which it goes now. */
export interface Deduplicated {
  readonly first: TrackingRecord | null;
  readonly trackingId: string;
}

/**
 * Looks a deduplication id up. Tracking ids stand for ever and have a length, deduplication ids stand for a day and have none:
 * so an id goes by its hash, and by the next number once its day is over.
 */
export function deduplicated(server: LedgerAccess, owner: PartyId, subject: TrackedSubject, id: string): Deduplicated {
  const base = `once-${createHash('sha256').update(id).digest('hex')}`;
  for (let count = 1; ; count++) {
    const trackingId = `${base}-${count}`;
    const first = ownTracking(server, owner, subject, trackingId);
    if (!first) return { first, trackingId };
    if (server.now() < Instant.plus(server.created.timeOf(first.id), DEDUPLICATION_WINDOW))
      return { first, trackingId };
  }
}

/** The id of the contract of a template that an update has made. */
export function createdIn(update: Update, template: TemplateName): ContractId {
  const made = update.created.find((contract) => contract.template === template);
  if (!made) throw new Error(`${update.kind} makes a ${template}`);
  return made.id;
}
