import type { CoinRules } from '@coinlab/testing';
import { MapToken } from './map-token.ts';

interface Bug {
  readonly name: string;
  readonly make: () => MapToken;
  /** The laws that it can break. */
  readonly laws: readonly string[];
  readonly rules?: CoinRules;
}

const MINTS = 'coin is made by mints alone';
const MOVES = 'an accepted command moves its amount from its sender to its receiver and moves nothing else';
const ONCE = 'a coin is spent once, by its owner and unlocked';
const LOCKS = 'the locked coin of a party covers its open offers, and is none without them';

/** Remembers archived coins and offers. */
class Forgetful extends MapToken {
  override pay(caller: string, from: string, to: string, amount: bigint, inputs?: readonly string[]): void {
    const known = new Map(this.coins);
    super.pay(caller, from, to, amount, inputs);
    for (const id of inputs ?? []) this.coins.set(id, { ...(known.get(id) ?? NONE), owner: 'spent' });
  }

  override merge(caller: string, owner: string, inputs: readonly string[]): void {
    for (const id of inputs) {
      const coin = this.coins.get(id);
      if (coin?.owner === 'spent') this.coins.set(id, { ...coin, owner });
    }
    super.merge(caller, owner, inputs);
  }
}

const NONE = { id: '', owner: '', amount: 0n, lockedBy: null };

class AcceptsTwice extends MapToken {
  readonly #ended: Map<string, { readonly to: string; readonly amount: bigint }> = new Map();

  override accept(caller: string, id: string, now: number): void {
    const offer = this.offers.get(id);
    const ended = this.#ended.get(id);
    if (ended && caller === ended.to) return void this.issue(caller, ended.amount);
    super.accept(caller, id, now);
    if (offer) this.#ended.set(id, offer);
  }
}

class RoundsChangeUp extends MapToken {
  protected override changeOf(worth: bigint, amount: bigint): bigint {
    const change = worth - amount;
    return change > 0n && change % 10n !== 0n ? change + 1n : change;
  }
}

class KeepsLock extends MapToken {
  override withdraw(caller: string, id: string): void {
    const locked = [...this.coins.values()].find(({ lockedBy }) => lockedBy === id);
    super.withdraw(caller, id);
    if (locked) this.coins.set(locked.id, locked);
  }
}

class AcceptsAtDeadline extends MapToken {
  override accept(caller: string, id: string, now: number): void {
    super.accept(caller, id, now === this.offers.get(id)?.deadline ? now - 1 : now);
  }
}

class RefusesLastSecond extends MapToken {
  override accept(caller: string, id: string, now: number): void {
    super.accept(caller, id, now + 1);
  }
}

class AnyoneWithdraws extends MapToken {
  override withdraw(_caller: string, id: string): void {
    super.withdraw(this.offers.get(id)?.from ?? '', id);
  }
}

class ReturnsToReceiver extends MapToken {
  override reject(caller: string, id: string): void {
    const offer = this.offers.get(id);
    super.reject(caller, id);
    if (offer) this.pay(offer.from, offer.from, offer.to, offer.amount);
  }
}

class PaysWithoutFunds extends MapToken {
  override pay(caller: string, from: string, to: string, amount: bigint, inputs?: readonly string[]): void {
    const worth = this.coinsOf(from).reduce((sum, coin) => sum + (coin.lockedBy === null ? coin.amount : 0n), 0n);
    if (caller === from && amount > worth) this.issue(from, amount - worth);
    super.pay(caller, from, to, amount, inputs);
  }
}

class LosesAUnit extends MapToken {
  override merge(caller: string, owner: string, inputs: readonly string[]): void {
    super.merge(caller, owner, inputs);
    const last = [...this.coins.values()].at(-1);
    if (last && inputs.length > 1) this.coins.set(last.id, { ...last, amount: last.amount - 1n });
  }
}

export const mapTokenBugs: readonly Bug[] = [
  { name: 'double spend', make: () => new Forgetful(), laws: [ONCE, MINTS] },
  { name: 'double accept', make: () => new AcceptsTwice(), laws: ['an offer ends once'] },
  { name: 'change rounded up', make: () => new RoundsChangeUp(), laws: [MINTS] },
  { name: 'lock kept after withdrawal', make: () => new KeepsLock(), laws: [LOCKS] },
  {
    name: 'acceptance at the deadline',
    make: () => new AcceptsAtDeadline(),
    laws: ['an offer is accepted before its deadline'],
  },
  {
    name: 'refusal one second before the deadline',
    make: () => new RefusesLastSecond(),
    laws: ['unlocked coin can be paid, and an open offer can be accepted before its deadline'],
  },
  {
    name: 'withdrawal by a party that is not the sender',
    make: () => new AnyoneWithdraws(),
    laws: ['only the owner pays, only the receiver accepts or rejects, only the sender withdraws'],
  },
  { name: 'wrong receiver of a rejected offer', make: () => new ReturnsToReceiver(), laws: [MOVES] },
  {
    name: 'payment without funds',
    make: () => new PaysWithoutFunds(),
    laws: ['a payment or an offer has a positive amount and unlocked funds'],
  },
  { name: 'merge that loses a unit', make: () => new LosesAUnit(), laws: [MINTS] },
  {
    name: 'too many inputs',
    make: () => new MapToken(),
    rules: { maxInputs: 100 },
    laws: ['a command takes no more inputs than the limit'],
  },
];
