import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { MapToken, Refusal } from './ledger.ts';

/** Opens a ledger for each run, and translates commands into its calls. */
export function coinLedger(): CoinLedger {
  return {
    name: 'map token',
    open() {
      const token = new MapToken();
      return {
        submit: (command) => answered(() => submit(token, command)),
        balanceOf(party) {
          const coins = token.coinsOf(party);
          const worth = (some: typeof coins): bigint => some.reduce((sum, { amount }) => sum + amount, 0n);
          return { total: worth(coins), locked: worth(coins.filter(({ lockedBy }) => lockedBy !== null)) };
        },
        coinsOf: (party) =>
          token.coinsOf(party).map(({ id, amount, lockedBy }) => ({ id, amount, isLocked: lockedBy !== null })),
      };
    },
  };
}

/** @returns the id of the created offer */
function submit(token: MapToken, command: CoinCommand): string | void {
  const { by, now } = command;
  switch (command.type) {
    case 'mint':
      return token.issue(command.to, command.amount);
    case 'pay':
      return token.pay(by, command.from, command.to, command.amount, command.inputs);
    case 'merge':
      return token.merge(by, command.from, command.inputs);
    case 'offer':
      return token.offer(by, command);
    case 'accept':
      return token.accept(by, command.offer, now);
    case 'reject':
      return token.reject(by, command.offer);
    case 'withdraw':
      return token.withdraw(by, command.offer);
  }
}

/** This ledger refuses by throwing; any other error is a failure of the ledger. */
function answered(call: () => string | void): CoinAnswer {
  try {
    const id = call();
    return id === undefined ? { accepted: true } : { accepted: true, id };
  } catch (error) {
    if (error instanceof Refusal) return { accepted: false, reason: error.message };
    throw error;
  }
}
