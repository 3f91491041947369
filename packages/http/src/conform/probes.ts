import {
  balanceOf,
  coinText,
  decimalOf,
  endOffer,
  errorOf,
  offerIdOf,
  UNIT,
  type Member,
  type Wallets,
} from './cast.js';
import type { Client, Connection, Reply } from './deployment.js';

export type ProbeOutcome = { readonly story: readonly string[] } | { readonly skipped: string } | null;

export const INSTRUMENTS: string = '/registry/metadata/v1/instruments';

const HOUR = 3_600_000;
const FUNDS = 100_000n;

const TERM = 1_500;
const MARGIN = 700;

export class Probes {
  readonly #wallets: Wallets;
  readonly #connection: Connection;

  constructor(wallets: Wallets, connection: Connection) {
    this.#wallets = wallets;
    this.#connection = connection;
  }

  async deadline(): Promise<ProbeOutcome> {
    const { now, wait } = this.#connection.time;
    const [sender, receiver] = await this.#funded();
    const past = offerIdOf(await this.#wallets.offer(sender, receiver, 10n, -60_000));
    if (past !== null) {
      await endOffer(sender, 'withdraw', past);
      return {
        skipped: 'the time of the ledger is not that of this machine: an offer with a deadline a minute ago was made',
      };
    }
    const early = await this.#offered(sender, receiver, 10n, HOUR);
    const taken = await endOffer(receiver, 'accept', early);
    if (taken.status >= 400)
      return { story: [`accept ${early} an hour before its deadline → ${errorOf(taken)}`, 'it must be accepted'] };
    const deadline = now() + TERM;
    const late = await this.#offered(sender, receiver, 10n, TERM);
    await wait(deadline + MARGIN - now());
    const answer = await endOffer(receiver, 'accept', late);
    if (answer.status >= 400) return null;
    const story = [
      `offer of 0.10 with a deadline in ${TERM} ms`,
      `accept ${late} after ${TERM + MARGIN} ms → accepted`,
    ];
    return { story: [...story, 'it must be refused after the deadline'] };
  }

  async balance(): Promise<ProbeOutcome> {
    const [sender, receiver] = await this.#funded();
    const before = await differingBalance(sender);
    if (before !== null) return { story: [before] };
    await this.#offered(sender, receiver, 30n, HOUR);
    for (const member of [sender, receiver]) {
      const told = await differingBalance(member);
      if (told !== null) return { story: ['offer of 0.30', told] };
    }
    return null;
  }

  async tracking(): Promise<ProbeOutcome> {
    const [sender, receiver] = await this.#funded();
    const id = this.#wallets.nextId();
    const { locked: before } = await balanceOf(sender);
    const first = await this.#wallets.offer(sender, receiver, 20n, HOUR, id);
    const second = await this.#wallets.offer(sender, receiver, 20n, HOUR, id);
    const locked = (await balanceOf(sender)).locked - before;
    if (locked <= 20n * UNIT) return null;
    const told = [first, second].map(
      (reply) => `offer of 0.20 with the tracking id ${id} → ${offerIdOf(reply) ?? errorOf(reply)}`,
    );
    return { story: [...told, `the wallet locks ${tenths(locked)} more, but one offer locks 0.20`] };
  }

  async ends(): Promise<ProbeOutcome> {
    const [sender, receiver] = await this.#funded();
    const before = await this.#totals(sender, receiver);
    const id = await this.#offered(sender, receiver, 40n, HOUR);
    const verbs = ['accept', 'accept', 'reject', 'withdraw'] as const;
    const replies = await Promise.all(verbs.map((verb) => endOffer(verb === 'withdraw' ? sender : receiver, verb, id)));
    const after = await this.#totals(sender, receiver);
    const told = replies.map(
      (reply, place) => `${verbs[place]} ${id} → ${reply.status < 400 ? 'accepted' : errorOf(reply)}`,
    );
    const hasMoved = replies.slice(0, 2).some(({ status }) => status < 400);
    const returned = replies.slice(2).some(({ status }) => status < 400);
    const moved = 40n * UNIT;
    const paid = before[0] - after[0] === moved && after[1] - before[1] === moved;
    const kept = before[0] === after[0] && before[1] === after[1];
    if ((hasMoved && !returned && paid) || (!hasMoved && kept)) return null;
    return { story: [...told, `sender ${tenths(after[0] - before[0])}, receiver ${tenths(after[1] - before[1])}`] };
  }

  async funds(): Promise<ProbeOutcome> {
    const [sender, receiver] = await this.#funded();
    const { total, locked: before } = await balanceOf(sender);
    const amount = ((total - before) * 6n) / 10n / UNIT;
    const replies = await Promise.all([1, 2, 3].map(() => this.#wallets.offer(sender, receiver, amount, HOUR)));
    const ids = replies.map(offerIdOf).filter((id) => id !== null);
    const { total: left, locked: now } = await balanceOf(sender);
    const locked = now - before;
    if (ids.length <= 1 && left === total && locked === BigInt(ids.length) * amount * UNIT) return null;
    const told = replies.map((reply) => `offer of ${coinText(amount)} → ${offerIdOf(reply) ?? errorOf(reply)}`);
    return {
      story: [
        `funds ${tenths(total)}`,
        ...told,
        `then the wallet has ${tenths(left)} and locks ${tenths(locked)} more`,
      ],
    };
  }

  async ids(): Promise<ProbeOutcome> {
    const [sender, receiver] = await this.#funded();
    const id = this.#wallets.nextId();
    const { locked: before } = await balanceOf(sender);
    const replies = await Promise.all([1, 2, 3].map(() => this.#wallets.offer(sender, receiver, 10n, HOUR, id)));
    const locked = (await balanceOf(sender)).locked - before;
    const made = new Set(replies.map(offerIdOf).filter((made) => made !== null));
    if (made.size <= 1 && locked <= 10n * UNIT) return null;
    const told = replies.map(
      (reply) => `offer of 0.10 with the tracking id ${id} → ${offerIdOf(reply) ?? errorOf(reply)}`,
    );
    return { story: [...told, `the wallet locks ${tenths(locked)} more, but one offer locks 0.10`] };
  }

  async #funded(): Promise<readonly [sender: Member, receiver: Member]> {
    const [, sender, , receiver] = await this.#wallets.cast({ preapproved: false });
    if (!sender || !receiver) throw new Error('a cast has four members');
    await this.#wallets.fund(sender, FUNDS);
    return [sender, receiver];
  }

  async #offered(from: Member, to: Member, amount: bigint, term: number): Promise<string> {
    const made = await this.#wallets.offer(from, to, amount, term);
    const id = offerIdOf(made);
    if (id === null) throw new Error(`an offer of ${coinText(amount)} by ${from.user} must be made: ${errorOf(made)}`);
    return id;
  }

  async #totals(first: Member, second: Member): Promise<readonly [bigint, bigint]> {
    return [(await balanceOf(first)).total, (await balanceOf(second)).total];
  }
}

export async function checkInstruments(client: Client): Promise<ProbeOutcome> {
  const base = INSTRUMENTS;
  const listed = await client.get(base);
  if (listed.status === 404) return { skipped: `GET ${base} is not served here: name the URL of a registry` };
  const instruments: unknown = listed.json['instruments'];
  if (listed.status >= 400 || !Array.isArray(instruments)) return { story: [`GET ${base} → ${errorOf(listed)}`] };
  for (const listedOne of instruments) {
    const id: unknown =
      typeof listedOne === 'object' && listedOne !== null && 'id' in listedOne ? listedOne.id : undefined;
    const path = `${base}/${encodeURIComponent(String(id))}`;
    const one: Reply = await client.get(path);
    if (one.status >= 400 || one.json['id'] !== id) return { story: [`GET ${path} → ${errorOf(one)}`] };
  }
  const unknown = await client.get(`${base}/no-such-instrument`);
  return unknown.status === 404
    ? null
    : { story: [`GET ${base}/no-such-instrument → ${unknown.status}`, 'it must be 404'] };
}

async function differingBalance({ client, user }: Member): Promise<string | null> {
  const balance = await client.get('/v0/wallet/balance');
  const coins = await client.get('/v0/wallet/amulets');
  // A round that opened between the two requests changes the effective amounts.
  const positions = [coins.json['amulets'], coins.json['locked_amulets']].flat();
  if (positions.some((one) => roundOf(one) !== balance.json['round'])) return null;
  for (const [field, list] of [
    ['effective_unlocked_qty', 'amulets'],
    ['effective_locked_qty', 'locked_amulets'],
  ] as const) {
    const told = decimalOf(balance.json[field], field);
    const listed: unknown = coins.json[list];
    const amounts = Array.isArray(listed) ? listed.map(effectiveAmount) : [];
    const sum = amounts.reduce((total, amount) => total + amount, 0n);
    if (told !== sum) return `${user}: ${field} is ${tenths(told)}, but its ${list} sum to ${tenths(sum)}`;
  }
  return null;
}

function roundOf(position: unknown): unknown {
  return typeof position === 'object' && position !== null && 'round' in position ? position.round : undefined;
}

function effectiveAmount(position: unknown): bigint {
  const amount =
    typeof position === 'object' && position !== null && 'effective_amount' in position
      ? position.effective_amount
      : null;
  return decimalOf(amount, 'GET /v0/wallet/amulets: effective_amount');
}

function tenths(amount: bigint): string {
  return coinText(amount / UNIT);
}
