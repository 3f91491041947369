import type { CoinCommand, CoinLedger } from '@coinlab/testing';
import { Bank, BankError, type Cheque, type Note } from './ledger.ts';

export function coinLedger(): CoinLedger {
  return {
    name: 'object wallets',
    open() {
      const bank = new Bank();
      return {
        submit(command) {
          try {
            const id = call(bank, command);
            return id === undefined ? { accepted: true } : { accepted: true, id };
          } catch (error) {
            if (error instanceof BankError) return { accepted: false, reason: error.message };
            throw error;
          }
        },
        balanceOf(party) {
          const { notes, backing } = bank.wallet(party);
          const locked = worth([...backing.values()]);
          return { total: worth(notes) + locked, locked };
        },
        coinsOf: (party) =>
          bank.wallet(party).notes.map(({ serial, value }) => ({ id: serial, amount: value, isLocked: false })),
      };
    },
  };
}

function call(bank: Bank, command: CoinCommand): string | undefined {
  const signer = bank.wallet(command.by);
  if (command.type === 'mint') bank.wallet(command.to).put(bank.print(command.amount));
  else if ('from' in command) return spend(bank, command);
  else {
    const cheque: Cheque | undefined = bank.cheques[Number(command.offer)];
    if (!cheque) throw new BankError('no such cheque');
    if (command.type === 'accept') cheque.cash(signer, command.now);
    else if (command.type === 'reject') cheque.refuse(signer);
    else cheque.stop(signer);
  }
  return undefined;
}

function spend(bank: Bank, command: Extract<CoinCommand, { readonly from: string }>): string | undefined {
  if (command.by !== command.from) throw new BankError('not your wallet');
  const wallet = bank.wallet(command.from);
  if (command.type === 'merge') wallet.join(command.inputs);
  else if (command.type === 'pay') wallet.payTo(bank.wallet(command.to), command.amount, command.inputs);
  else return String(bank.register(wallet.write(bank.wallet(command.to), command.amount, command.deadline)));
  return undefined;
}

function worth(notes: readonly Note[]): bigint {
  return notes.reduce((sum, { value }) => sum + value, 0n);
}
