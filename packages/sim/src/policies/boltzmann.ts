import { holdingsOf, type Holding } from '@coinlab/core';
import { covering, type Policy } from './policy.js';

const TEMPERATURE = 1;

const PARTS = 2 ** 30;

/**
 * Draws coins without replacement, with weights exp(−|coin − amount| ÷ (temperature × amount)), until they cover the amount. Near
 * temperature 0 the coins closest to the amount come first; at a high temperature all are equally likely.
 */
export function boltzmann(temperature: number = TEMPERATURE): Policy {
  return (state, owner, demand) => {
    const { amount, draw } = demand;
    const scale = temperature * Number(amount);
    const coins: { readonly coin: Holding; readonly luck: number }[] = [];
    for (const coin of holdingsOf(state, owner, 'oldest')) {
      const distance = Math.abs(Number(coin.amount - amount));
      // Gumbel trick: sorting logarithmic weights with Gumbel noise draws without replacement in proportion to the weights.
      coins.push({ coin, luck: -distance / scale - Math.log(-Math.log((draw(PARTS) + 0.5) / PARTS)) });
    }
    coins.sort((a, b) => b.luck - a.luck || a.coin.id - b.coin.id);
    return covering(
      coins.map(({ coin }) => coin),
      demand,
    );
  };
}
