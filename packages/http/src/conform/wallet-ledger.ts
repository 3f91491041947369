import type { CoinAnswer, CoinCommand, CoinLedger, CoinSession } from '@coinlab/testing';
import { balanceOf, endOffer, errorOf, offerIdOf, UNIT, type Member, type Wallets } from './cast.js';
import type { Reply } from './deployment.js';

/** Milliseconds until the deadline of a random offer, so far away that no run reaches it. */
const TERM = 3_600_000;
const SKIPPED = { skipped: true } as const;

export function walletLedger(wallets: Wallets, name: string): CoinLedger {
  return {
    name,
    async open() {
      const session = new WalletSession(wallets, await wallets.cast({ preapproved: true }));
      await session.begin();
      return session;
    },
  };
}

const PARTIES = ['alice', 'bob', 'carol', 'dave'];

class WalletSession implements CoinSession {
  readonly #wallets: Wallets;
  readonly #members: ReadonlyMap<string, Member>;
  /** Coin of each wallet before the run, because existing users may own fractions of a unit. */
  readonly #held: Map<string, bigint> = new Map();

  constructor(wallets: Wallets, members: readonly Member[]) {
    this.#wallets = wallets;
    this.#members = new Map(members.map((member, place) => [PARTIES[place] ?? '', member]));
  }

  async begin(): Promise<void> {
    for (const [party, member] of this.#members) this.#held.set(party, (await balanceOf(member)).total);
  }

  async submit(command: CoinCommand): Promise<CoinAnswer> {
    switch (command.type) {
      case 'mint':
        await this.#wallets.fund(this.#member(command.to), command.amount);
        return { accepted: true };
      case 'pay':
      case 'offer':
        return this.#transfer(command);
      case 'accept':
      case 'reject':
      case 'withdraw': {
        const { type, offer, by } = command;
        return answerOf(await endOffer(this.#member(by), type, offer));
      }
      case 'merge':
        return SKIPPED;
    }
  }

  async #transfer(
    command: Extract<CoinCommand, { readonly type: 'pay' | 'offer' }>,
  ): Promise<CoinAnswer | typeof SKIPPED> {
    const { type, by, amount } = command;
    const [from, to] = [this.#member(command.from), this.#member(command.to)];
    // A transfer to a member with a preapproval needs no acceptance; a transfer to oneself is one, too.
    const isOffer = type === 'offer';
    if (by !== command.from || from === to || to.hasPreapproval === isOffer) return SKIPPED;
    if (!isOffer) return answerOf(await this.#wallets.pay(from, to, amount));
    const made = await this.#wallets.offer(from, to, amount, TERM);
    const id = offerIdOf(made);
    return id === null ? answerOf(made) : { accepted: true, id };
  }

  async balanceOf(party: string): Promise<{ readonly total: bigint; readonly locked: bigint }> {
    const { total, locked } = await balanceOf(this.#member(party));
    const held = this.#held.get(party) ?? 0n;
    return { total: held / UNIT + wholeUnits(total - held), locked: wholeUnits(locked) };
  }

  close(): Promise<void> {
    return this.#wallets.withdrawAll();
  }

  #member(party: string): Member {
    const member = this.#members.get(party);
    if (!member) throw new Error(`no member is called ${party}`);
    return member;
  }
}

/** Rounds up, so that a lost fraction breaks a law. */
function wholeUnits(amount: bigint): bigint {
  return amount / UNIT + (amount % UNIT === 0n ? 0n : 1n);
}

function answerOf(reply: Reply): Extract<CoinAnswer, { readonly accepted: boolean }> {
  return reply.status < 400 ? { accepted: true } : { accepted: false, reason: errorOf(reply) };
}
