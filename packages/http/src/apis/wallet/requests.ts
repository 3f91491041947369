import type { LedgerAccess } from '../../gates/submit.js';
import { createHash } from 'node:crypto';
import { Duration, Instant, type ContractId, type PartyId, type TemplateName, type Update } from '@coinlab/core';
import { TEXT_LIMIT } from '@coinlab/core/rules';
import { trackingOf } from '@coinlab/core/views';
import type { TrackedSubject, TrackingRecord } from '@coinlab/core/contracts';
import { Problem } from '../../problem.js';

/** Source: specification of the API §6.3, §6.4. */
export const DEDUPLICATION_WINDOW: Duration = Duration.hours(24);

export class InFlight {
  readonly #keys: Set<string> = new Set();

  async alone<Value>(key: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const joined = JSON.stringify(key);
    if (this.#keys.has(joined))
      throw new Problem(429, `the same request is in progress: ${key.at(-1) ?? ''}; retry when it has ended`);
    this.#keys.add(joined);
    try {
      return await work();
    } finally {
      this.#keys.delete(joined);
    }
  }
}

export function refuseLongTexts(texts: Readonly<Record<string, string>>): void {
  for (const [field, text] of Object.entries(texts))
    if ([...text].length >= TEXT_LIMIT)
      throw new Problem(409, `${field}: expected fewer than ${TEXT_LIMIT} characters`);
}

function ownTracking(
  server: LedgerAccess,
  owner: PartyId,
  subject: TrackedSubject,
  trackingId: string,
): TrackingRecord | null {
  const found = trackingOf(server.state, owner, subject, trackingId);
  return found?.owner === owner ? found : null;
}

export function refuseUsed(server: LedgerAccess, owner: PartyId, subject: TrackedSubject, trackingId: string): void {
  if (ownTracking(server, owner, subject, trackingId))
    throw new Problem(409, `tracking_id: ${trackingId} has been used already`);
}

export interface Deduplicated {
  readonly first: TrackingRecord | null;
  readonly trackingId: string;
}

/**
 * A deduplication id may have any length and is valid for 24 hours. A tracking id has at most 280 characters and does not expire.
 * Therefore the tracking id is a hash of the deduplication id with a counter, which increases after 24 hours.
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

export function createdIn(update: Update, template: TemplateName): ContractId {
  const made = update.created.find((contract) => contract.template === template);
  if (!made) throw new Error(`${update.kind} makes a ${template}`);
  return made.id;
}
