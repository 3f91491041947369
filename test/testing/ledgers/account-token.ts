import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';

interface Escrow {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
}

/** A token ledger of accounts: a balance per party, and escrow for offers. It returns the reason of a refusal. */
export class AccountToken {
  readonly balances: Map<string, bigint> = new Map();
  readonly escrows: Map<string, Escrow> = new Map();
  #offers = 0;

  balanceOf(party: string): bigint {
    return this.balances.get(party) ?? 0n;
  }

  credit(party: string, amount: bigint): void {
    this.balances.set(party, this.balanceOf(party) + amount);
  }

  /** @returns the reason of a refusal; null after the amount was subtracted */
  debit(party: string, amount: bigint): string | null {
    if (amount <= 0n || amount > this.balanceOf(party)) return 'no funds';
    this.credit(party, -amount);
    return null;
  }

  hold(escrow: Escrow): string {
    const id = `escrow ${(this.#offers += 1)}`;
    this.escrows.set(id, escrow);
    return id;
  }

  release(id: string, to: string, amount: bigint): void {
    this.escrows.delete(id);
    this.credit(to, amount);
  }
}

/** The adapter of a ledger without coins: it has no `coinsOf`. */
export function accountTokenLedger(make: () => AccountToken = () => new AccountToken()): CoinLedger {
  return {
    name: 'account token',
    async open() {
      const token = make();
      return {
        submit: async (command) => submit(token, command),
        async balanceOf(party) {
          const own = [...token.escrows.values()].filter(({ from }) => from === party);
          const locked = own.reduce((sum, { amount }) => sum + amount, 0n);
          return { total: token.balanceOf(party) + locked, locked };
        },
      };
    },
  };
}

function submit(token: AccountToken, command: CoinCommand): CoinAnswer {
  const refused = (reason: string): CoinAnswer => ({ accepted: false, reason });
  if (command.type === 'mint') {
    token.credit(command.to, command.amount);
    return { accepted: true };
  }
  if (command.type === 'merge') return { skipped: true };
  if (command.type === 'pay' || command.type === 'offer') {
    if (command.by !== command.from) return refused('not the owner');
    const reason = token.debit(command.from, command.amount);
    if (reason !== null) return refused(reason);
    if (command.type === 'offer') return { accepted: true, id: token.hold(command) };
    token.credit(command.to, command.amount);
    return { accepted: true };
  }
  const escrow = token.escrows.get(command.offer);
  if (!escrow) return refused('no such escrow');
  const { from, to, amount, deadline } = escrow;
  if (command.by !== (command.type === 'withdraw' ? from : to)) return refused('not a party of the escrow');
  if (command.type === 'accept' && command.now >= deadline) return refused('too late');
  token.release(command.offer, command.type === 'accept' ? to : from, amount);
  return { accepted: true };
}

/** Each bug with the law that it breaks. */
export const accountTokenBugs: readonly {
  readonly name: string;
  readonly make: () => AccountToken;
  readonly law: string;
}[] = [
  {
    name: 'an escrow that is released again',
    make: () =>
      new (class extends AccountToken {
        override release(_id: string, to: string, amount: bigint): void {
          this.credit(to, amount);
        }
      })(),
    law: 'coin is made by mints alone',
  },
  {
    name: 'an overdraft of one unit',
    make: () =>
      new (class extends AccountToken {
        override debit(party: string, amount: bigint): string | null {
          if (amount <= 0n || amount > this.balanceOf(party) + 1n) return 'no funds';
          this.credit(party, -amount);
          return null;
        }
      })(),
    law: 'a payment or an offer has a positive amount and unlocked funds',
  },
  {
    name: 'a payment of a negative amount',
    make: () =>
      new (class extends AccountToken {
        override debit(party: string, amount: bigint): string | null {
          if (amount > this.balanceOf(party)) return 'no funds';
          this.credit(party, -amount);
          return null;
        }
      })(),
    law: 'a payment or an offer has a positive amount and unlocked funds',
  },
];
