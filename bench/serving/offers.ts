import { Pool } from 'undici';
import type { Serving } from './program.js';

const OFFERS = '/v0/wallet/transfer-offers';

/** A response: its status, and its body as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The answers that clients received. A write without an answer may or may not have happened. */
export interface Told {
  /** Acknowledged offers: the contract id of each, by tracking id. */
  readonly offered: Map<string, string>;
  /** Contract ids of the offers whose acceptance was acknowledged. */
  readonly accepted: Set<string>;
  /** Tracking ids of unanswered offers, with their senders. */
  readonly unanswered: Map<string, number>;
  /** Responses that are neither a success nor an expected refusal. */
  readonly surprises: string[];
}

export function nothingTold(): Told {
  return { offered: new Map(), accepted: new Set(), unanswered: new Map(), surprises: [] };
}

/** The funded users of a development server, who pay each other by offers on persistent connections. */
export class Wallets {
  readonly users: readonly string[];
  readonly #pool: Pool;
  readonly #headers: readonly Readonly<Record<string, string>>[];
  readonly #parties: readonly string[];

  private constructor(
    users: readonly string[],
    pool: Pool,
    headers: readonly Readonly<Record<string, string>>[],
    parties: readonly string[],
  ) {
    this.users = users;
    this.#pool = pool;
    this.#headers = headers;
    this.#parties = parties;
  }

  /** @param connections the maximum number of concurrent requests */
  static async of({ url, tokens }: Pick<Serving, 'url' | 'tokens'>, connections: number): Promise<Wallets> {
    const users = [...tokens.keys()].slice(1);
    const pool = new Pool(url, { connections });
    const headers = users.map((user) => ({
      authorization: `Bearer ${tokens.get(user) ?? ''}`,
      'content-type': 'application/json',
    }));
    const parties: string[] = [];
    for (const each of headers) {
      const { body } = await pool.request({ path: '/v0/wallet/user-status', method: 'GET', headers: each });
      parties.push(((await body.json()) as { party_id: string }).party_id);
    }
    return new Wallets(users, pool, headers, parties);
  }

  async get(user: number, path: string): Promise<Answer> {
    return this.#request(user, 'GET', path);
  }

  /** Offers a small amount to the next user and records the result. */
  async offer(user: number, trackingId: string, told: Told): Promise<string | null> {
    const wish = {
      receiver_party_id: this.#parties[(user + 1) % this.#parties.length],
      amount: '0.01',
      description: 'reliability',
      expires_at: (Date.now() + 3_600_000) * 1000,
      tracking_id: trackingId,
    };
    told.unanswered.set(trackingId, user);
    const { status, body } = await this.#request(user, 'POST', OFFERS, wish);
    if (status === 409 || status === 429) return null;
    if (status !== 200) {
      told.surprises.push(`offer ${trackingId}: ${status} ${JSON.stringify(body)}`);
      return null;
    }
    told.unanswered.delete(trackingId);
    const id = String(body['offer_contract_id']);
    told.offered.set(trackingId, id);
    return id;
  }

  /** Accepts an offer as the next user. */
  async accept(user: number, offer: string, told: Told): Promise<void> {
    const { status, body } = await this.#request((user + 1) % this.users.length, 'POST', `${OFFERS}/${offer}/accept`);
    if (status === 200) told.accepted.add(offer);
    else told.surprises.push(`accept ${offer}: ${status} ${JSON.stringify(body)}`);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #request(user: number, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const answered = await this.#pool.request({
      path,
      method,
      headers: this.#headers[user % this.#headers.length] as Record<string, string>,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answered.statusCode, body: (await answered.body.json()) as Record<string, unknown> };
  }
}
