import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { AccountToken } from './ledger.ts';

/** The adapter of a ledger without coins: it has no `coinsOf`. */
export function coinLedger(): CoinLedger {
  return {
    name: 'account token',
    open() {
      const token = new AccountToken();
      return {
        submit: (command) => submit(token, command),
        balanceOf(party) {
          const { available, held } = token.account(party);
          return { total: available + held, locked: held };
        },
      };
    },
  };
}

function submit(token: AccountToken, command: CoinCommand): CoinAnswer {
  const { by, now } = command;
  switch (command.type) {
    case 'mint':
      return answerOf(token.deposit(command.to, command.amount));
    case 'pay':
      return answerOf(token.transfer(by, command.from, command.to, command.amount));
    case 'merge':
      return { skipped: true };
    case 'offer': {
      const opened = token.open(by, command);
      return typeof opened === 'string' ? answerOf(opened) : { accepted: true, id: opened.id };
    }
    case 'accept':
      return answerOf(token.claim(by, command.offer, now));
    case 'reject':
      return answerOf(token.decline(by, command.offer));
    case 'withdraw':
      return answerOf(token.cancel(by, command.offer));
  }
}

function answerOf(reason: string | null): CoinAnswer {
  return reason === null ? { accepted: true } : { accepted: false, reason };
}
