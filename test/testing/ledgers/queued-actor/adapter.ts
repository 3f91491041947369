import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { Teller, type Message } from './ledger.ts';

export function coinLedger(): CoinLedger {
  return {
    name: 'queued actor',
    open() {
      const teller = new Teller();
      return {
        async submit(command): Promise<CoinAnswer> {
          if (command.type === 'merge') return { skipped: true };
          const answer = await teller.ask(messageOf(command));
          if (!answer.startsWith('ok')) return { accepted: false, reason: answer };
          return command.type === 'offer' ? { accepted: true, id: answer.slice(3) } : { accepted: true };
        },
        async balanceOf(party) {
          const shown = await teller.ask({ verb: 'show', user: party, at: 0, args: [party] });
          const [free = '', kept = ''] = shown.split(' ');
          return { total: BigInt(free) + BigInt(kept), locked: BigInt(kept) };
        },
        close: () => teller.close(),
      };
    },
  };
}

const VERBS = { mint: 'issue', pay: 'send', offer: 'keep', accept: 'fetch', reject: 'decline', withdraw: 'undo' };

function messageOf(command: Exclude<CoinCommand, { readonly type: 'merge' }>): Message {
  const message = { verb: VERBS[command.type], user: command.by, at: command.now };
  if (command.type === 'mint') return { ...message, args: [command.to, String(command.amount)] };
  if (command.type === 'pay') return { ...message, args: [command.from, command.to, String(command.amount)] };
  if (command.type !== 'offer') return { ...message, args: [command.offer] };
  const { from, to, amount, deadline } = command;
  return { ...message, args: [from, to, String(amount), String(deadline)] };
}
