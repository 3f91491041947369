import { randomBytes } from 'node:crypto';
import { Amount } from '@coinlab/core';
import { Client, Unreachable, type Connection, type Reply } from './deployment.js';

const TRANSFERS = '/v0/wallet/token-standard/transfers';
const HOUR = 3_600_000;

export const UNIT: bigint = Amount.of('0.01');

export function coinText(units: bigint): string {
  const places = (units < 0n ? -units : units).toString().padStart(3, '0');
  return `${units < 0n ? '-' : ''}${places.slice(0, -2)}.${places.slice(-2)}`;
}

export interface Member {
  readonly user: string;
  readonly party: string;
  readonly client: Client;
  readonly hasPreapproval: boolean;
}

export class Wallets {
  readonly #connection: Connection;
  readonly #mark = randomBytes(4).toString('hex');
  readonly #offers: Map<string, Member> = new Map();
  #treasury: Member | null = null;
  #givesPreapprovals: boolean | null = null;
  #count = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  nextId(): string {
    return `conform-${this.#mark}-${(this.#count += 1)}`;
  }

  /** With `preapproved` the first and the third member accept payments without an offer, if possible. */
  async cast({ preapproved }: { readonly preapproved: boolean }): Promise<readonly Member[]> {
    const { users } = this.#connection.deployment;
    const group = this.nextId();
    const names = users ? users.slice(0, 4) : ['alice', 'bob', 'carol', 'dave'].map((name) => `${group}-${name}`);
    const members: Member[] = [];
    for (const [place, name] of names.entries()) {
      const member = await this.#member(name);
      members.push(preapproved && place % 2 === 0 ? await this.#preapproved(member) : member);
    }
    return members;
  }

  async fund(member: Member, units: bigint): Promise<void> {
    const treasury = await this.treasury();
    let made = await this.offer(treasury, member, units, HOUR);
    for (let taps = 0; made.status >= 400 && taps < 3; taps++) {
      await tap(treasury);
      made = await this.offer(treasury, member, units, HOUR);
    }
    const id = offerIdOf(made);
    const paid = id === null ? made : await member.client.post(`${TRANSFERS}/${id}/accept`);
    if (paid.status >= 400) throw new Unreachable(`the treasury cannot fund ${member.user}: ${errorOf(paid)}`);
  }

  /** @param term milliseconds until its deadline */
  async offer(
    from: Member,
    to: Member,
    units: bigint,
    term: number,
    trackingId: string = this.nextId(),
  ): Promise<Reply> {
    const made = await from.client.post(TRANSFERS, {
      receiver_party_id: to.party,
      amount: coinText(units),
      description: 'conform',
      expires_at: Math.round((this.#connection.time.now() + term) * 1000),
      tracking_id: trackingId,
    });
    const id = offerIdOf(made);
    if (id !== null) this.#offers.set(id, from);
    return made;
  }

  /** Open offers would disturb later runs of the same users. */
  async withdrawAll(): Promise<void> {
    const offers = [...this.#offers];
    this.#offers.clear();
    if (this.#connection.deployment.users === null) return;
    for (const [id, from] of offers) await endOffer(from, 'withdraw', id);
  }

  pay(from: Member, to: Member, units: bigint, deduplicationId: string = this.nextId()): Promise<Reply> {
    const body = { receiver_party_id: to.party, amount: coinText(units), deduplication_id: deduplicationId };
    return from.client.post('/v0/wallet/transfer-preapproval/send', body);
  }

  /** The fee of a payment of 1.00, in units of 10⁻¹⁰. */
  async feeOfPayment(): Promise<bigint> {
    const [, member] = await this.cast({ preapproved: false });
    if (!member) throw new Error('a cast has four members');
    const treasury = await this.treasury();
    const { total: before } = await balanceOf(treasury);
    await this.fund(member, 100n);
    const { total: after } = await balanceOf(treasury);
    return before - after - 100n * UNIT;
  }

  async treasury(): Promise<Member> {
    if (this.#treasury) return this.#treasury;
    const name = this.#connection.deployment.users?.[4] ?? `${this.nextId()}-treasury`;
    const treasury = await this.#member(name);
    await tap(treasury);
    await this.#fundOperator();
    return (this.#treasury = treasury);
  }

  async #member(user: string): Promise<Member> {
    const { tokenOf, users } = this.#connection.deployment;
    const token = tokenOf === null ? null : await tokenOf(user);
    const client = new Client(this.#connection, token);
    if (users === null) {
      const registered = await client.post('/v0/register');
      if (registered.status >= 400) throw new Unreachable(`POST /v0/register for ${user}: ${refusalOf(registered)}`);
    }
    const status = await client.get('/v0/wallet/user-status');
    if (status.status >= 400) throw new Unreachable(`GET /v0/wallet/user-status as ${user}: ${refusalOf(status)}`);
    const { party_id, user_wallet_installed } = status.json;
    if (typeof party_id !== 'string' || user_wallet_installed !== true)
      throw new Unreachable(`user ${user} has no wallet: onboard the user, or pass --secret to create users`);
    return { user, party: party_id, client, hasPreapproval: false };
  }

  async #preapproved(member: Member): Promise<Member> {
    if (this.#givesPreapprovals === false) return member;
    const { status } = await member.client.post('/v0/wallet/transfer-preapproval', {}, 2);
    // 409: the wallet has one.
    const hasPreapproval = status === 200 || status === 409;
    this.#givesPreapprovals ??= hasPreapproval;
    return { ...member, hasPreapproval };
  }

  /** An operator without coin can create no preapprovals for the members. */
  async #fundOperator(): Promise<void> {
    const { tokenOf, users } = this.#connection.deployment;
    if (users !== null || tokenOf === null) return;
    const { json } = await new Client(this.#connection, null).get('/v0/validator-user');
    if (typeof json['user_name'] !== 'string') return;
    const client = new Client(this.#connection, await tokenOf(json['user_name']));
    await client.post('/v0/wallet/tap', { amount: '1000.0' });
  }
}

function refusalOf(reply: Reply): string {
  const hint = reply.status === 401 ? '; check the secret and the audience, or the tokens' : '';
  return `${errorOf(reply)}${hint}`;
}

async function tap({ client }: Member): Promise<void> {
  const tapped = await client.post('/v0/wallet/tap', { amount: '1000.0' });
  if (tapped.status >= 400) throw new Unreachable(`POST /v0/wallet/tap mints no coin: ${errorOf(tapped)}`);
}

export function offerIdOf({ json }: Reply): string | null {
  const output: unknown = json['output'];
  if (typeof output !== 'object' || output === null || !('transfer_instruction_cid' in output)) return null;
  return String(output.transfer_instruction_cid);
}

export function endOffer(by: Member, verb: 'accept' | 'reject' | 'withdraw', id: string): Promise<Reply> {
  return by.client.post(`${TRANSFERS}/${encodeURIComponent(id)}/${verb}`);
}

export function errorOf({ status, json }: Reply): string {
  return `${status} ${String(json['error'] ?? '')}`.trim();
}

/** Returns the balance in units of 10⁻¹⁰. */
export async function balanceOf({
  client,
  user,
}: Member): Promise<{ readonly total: bigint; readonly locked: bigint }> {
  const { status, json } = await client.get('/v0/wallet/balance');
  if (status >= 400) throw new Unreachable(`GET /v0/wallet/balance as ${user}: ${errorOf({ status, json })}`);
  const read = (field: string): bigint => decimalOf(json[field], `GET /v0/wallet/balance: ${field}`);
  const locked = read('effective_locked_qty');
  return { total: read('effective_unlocked_qty') + locked + read('total_holding_fees'), locked };
}

export function decimalOf(value: unknown, place: string): bigint {
  const amount = typeof value === 'string' ? Amount.parse(value) : null;
  if (!amount?.ok) throw new Unreachable(`${place}: expected a decimal, found ${JSON.stringify(value)}`);
  return amount.value;
}
