import { Round, type Amount, type Holding } from '@coinlab/core';
import { amountOf } from '../../format/amounts.js';
import type { LedgerContract } from '../../store/log-copy.js';

export function isCoin(contract: LedgerContract): boolean {
  return contract.template === 'Holding';
}

export function amountIn(contract: LedgerContract): Amount {
  return amountOf(String(contract['amount']));
}

export function termsIn(contract: LedgerContract): Pick<Holding, 'amount' | 'createdAt' | 'ratePerRound'> {
  return {
    amount: amountIn(contract),
    createdAt: Round.of(Number(contract['createdAt'])),
    ratePerRound: amountOf(String(contract['ratePerRound'])),
  };
}
