import type { CoinCommand, CoinLedger } from '@coinlab/testing';
import { EMPTY, next, total, type Instruction, type State } from './ledger.ts';

export function coinLedger(): CoinLedger {
  return {
    name: 'frozen state',
    open() {
      let state: State = EMPTY;
      return {
        submit(command) {
          const after = next(state, instructionOf(command), { signer: command.by, time: command.now });
          if (typeof after === 'string') return { accepted: false, reason: after };
          const promised = Object.keys(after.promises).find((id) => !(id in state.promises));
          state = after;
          return promised === undefined ? { accepted: true } : { accepted: true, id: promised };
        },
        balanceOf(party) {
          const pledged = Object.values(state.promises).filter(({ giver }) => giver === party);
          const locked = total(pledged.map(({ coin }) => coin));
          return { total: total(state.coins.filter(({ holder }) => holder === party)) + locked, locked };
        },
        coinsOf: (party) =>
          state.coins
            .filter(({ holder }) => holder === party)
            .map(({ serial, cents }) => ({ id: String(serial), amount: cents, isLocked: false })),
      };
    },
  };
}

function instructionOf(command: CoinCommand): Instruction {
  switch (command.type) {
    case 'mint':
      return { do: 'issue', holder: command.to, cents: command.amount };
    case 'pay': {
      const terms = { giver: command.from, taker: command.to, cents: command.amount };
      return { do: 'send', ...terms, ...(command.inputs ? { serials: command.inputs.map(Number) } : {}) };
    }
    case 'merge':
      return { do: 'join', giver: command.from, serials: command.inputs.map(Number) };
    case 'offer':
      return { do: 'promise', giver: command.from, taker: command.to, cents: command.amount, until: command.deadline };
    case 'accept':
      return { do: 'take', promise: Number(command.offer) };
    case 'reject':
      return { do: 'decline', promise: Number(command.offer) };
    case 'withdraw':
      return { do: 'recall', promise: Number(command.offer) };
  }
}
