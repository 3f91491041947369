import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { cancel, coinbase, consolidate, newChain, propose, settle, transact, unspent } from './ledger.ts';
import type { Chain, Result } from './ledger.ts';

export function coinLedger(): CoinLedger {
  return {
    name: 'utxo list',
    open() {
      const chain = newChain();
      return {
        submit: (command) => answerOf(call(chain, command)),
        balanceOf(party) {
          let [total, locked] = [0, 0];
          for (const { value, deal } of unspent(chain, party)) {
            total += value;
            if (deal !== null) locked += value;
          }
          return { total: BigInt(total), locked: BigInt(locked) };
        },
        coinsOf: (party) =>
          unspent(chain, party).map(({ ref, value, deal }) => ({
            id: ref,
            amount: BigInt(value),
            isLocked: deal !== null,
          })),
      };
    },
  };
}

function call(chain: Chain, command: CoinCommand): Result {
  const { by, now } = command;
  switch (command.type) {
    case 'mint':
      return coinbase(chain, command.to, Number(command.amount));
    case 'pay': {
      const inputs = command.inputs ? [...command.inputs] : null;
      return transact(chain, by, command.from, command.to, Number(command.amount), inputs);
    }
    case 'merge':
      return consolidate(chain, by, command.from, [...command.inputs]);
    case 'offer':
      return propose(chain, by, command.from, command.to, Number(command.amount), command.deadline);
    case 'accept':
      return settle(chain, by, Number(command.offer), now);
    case 'reject':
      return cancel(chain, by, Number(command.offer), 'payee');
    case 'withdraw':
      return cancel(chain, by, Number(command.offer), 'payer');
  }
}

function answerOf(result: Result): CoinAnswer {
  if (!result.ok) return { accepted: false, reason: result.error };
  return result.deal === undefined ? { accepted: true } : { accepted: true, id: String(result.deal) };
}
