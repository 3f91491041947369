interface Account {
  available: bigint;
  held: bigint;
}

interface Escrow {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly deadline: number;
}

/** A token with one balance per party, and escrow for offers. Every call returns null, or the reason of its refusal. */
export class AccountToken {
  readonly #accounts: Record<string, Account> = {};
  readonly #escrows: Record<string, Escrow> = {};
  #escrowCount = 0;

  account(party: string): Account {
    return (this.#accounts[party] ??= { available: 0n, held: 0n });
  }

  deposit(party: string, amount: bigint): null {
    this.account(party).available += amount;
    return null;
  }

  transfer(caller: string, from: string, to: string, amount: bigint): string | null {
    if (caller !== from) return 'ERR_NOT_OWNER';
    const payer = this.account(from);
    if (amount <= 0n) return 'ERR_AMOUNT';
    if (amount > payer.available) return 'ERR_BALANCE';
    payer.available -= amount;
    this.account(to).available += amount;
    return null;
  }

  open(caller: string, escrow: Escrow): { readonly id: string } | string {
    if (caller !== escrow.from) return 'ERR_NOT_OWNER';
    const payer = this.account(escrow.from);
    if (escrow.amount <= 0n || escrow.amount > payer.available) return 'ERR_BALANCE';
    payer.available -= escrow.amount;
    payer.held += escrow.amount;
    const id = `escrow ${(this.#escrowCount += 1)}`;
    this.#escrows[id] = { ...escrow };
    return { id };
  }

  claim(caller: string, id: string, time: number): string | null {
    const escrow = this.#escrows[id];
    if (!escrow) return 'ERR_NO_ESCROW';
    if (caller !== escrow.to) return 'ERR_NOT_RECEIVER';
    if (time >= escrow.deadline) return 'ERR_EXPIRED';
    this.account(escrow.from).held -= escrow.amount;
    this.account(escrow.to).available += escrow.amount;
    delete this.#escrows[id];
    return null;
  }

  decline(caller: string, id: string): string | null {
    const escrow = this.#escrows[id];
    if (!escrow) return 'ERR_NO_ESCROW';
    if (caller !== escrow.to) return 'ERR_NOT_RECEIVER';
    return this.#refund(id, escrow);
  }

  cancel(caller: string, id: string): string | null {
    const escrow = this.#escrows[id];
    if (!escrow) return 'ERR_NO_ESCROW';
    if (caller !== escrow.from) return 'ERR_NOT_SENDER';
    return this.#refund(id, escrow);
  }

  #refund(id: string, { from, amount }: Escrow): null {
    const payer = this.account(from);
    payer.held -= amount;
    payer.available += amount;
    delete this.#escrows[id];
    return null;
  }
}
