import type { CoinAnswer, CoinCommand, CoinLedger } from '@coinlab/testing';
import { Journal, type Decision } from './ledger.ts';

export function coinLedger(): CoinLedger {
  return {
    name: 'event journal',
    open() {
      const journal = new Journal();
      const { booked, reserved } = journal.view;
      return {
        submit: (command) => submit(journal, command),
        balanceOf: (party) => ({
          total: BigInt(booked.get(party) ?? 0),
          locked: BigInt(reserved.get(party) ?? 0),
        }),
      };
    },
  };
}

function submit(journal: Journal, command: CoinCommand): CoinAnswer {
  const { by, now } = command;
  switch (command.type) {
    case 'mint':
      return answerOf(journal.issue(command.to, Number(command.amount)));
    case 'pay':
      return answerOf(journal.move(by, command.from, command.to, Number(command.amount)));
    case 'offer':
      return answerOf(journal.reserve(by, command.from, command.to, Number(command.amount), command.deadline));
    case 'accept':
      return answerOf(journal.capture(by, command.offer, now));
    case 'reject':
      return answerOf(journal.release(by, command.offer, 'credit'));
    case 'withdraw':
      return answerOf(journal.release(by, command.offer, 'debit'));
    case 'merge':
      return { skipped: true };
  }
}

function answerOf(decision: Decision): CoinAnswer {
  if ('problem' in decision) return { accepted: false, reason: decision.problem };
  const [event] = decision.events;
  return event?.kind === 'Reserved' ? { accepted: true, id: event.key } : { accepted: true };
}
