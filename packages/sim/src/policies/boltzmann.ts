import { holdingsOf, type Holding } from '@coinlab/core';
import { covering, type Policy } from './policy.js';

/** Temperature unless told otherwise. */
const TEMPERATURE = 1;

/** Parts into which the unit interval is drawn: fits every draw, and is fine enough for weights. */
const PARTS = 2 ** 30;

/**
 * Coins drawn without putting back, each with a weight of exp(−|coin − amount| ÷ (temperature × amount)), until the amount is
 * covered. Near temperature 0 the coins nearest to the amount come first, at a high one all are equally likely.
 * @param temperature above 0
 */
export function boltzmann(temperature: number = TEMPERATURE): Policy {
  return (state, owner, demand) => {
    const { amount, draw } = demand;
    const scale = temperature * Number(amount);
    const coins: { readonly coin: Holding; readonly luck: number }[] = [];
    for (const coin of holdingsOf(state, owner, 'oldest')) {
      const distance = Math.abs(Number(coin.amount - amount));
      // The largest of logarithmic weights with Gumbel noise is a draw by weight; all of them sorted, draws without putting back.
      coins.push({ coin, luck: -distance / scale - Math.log(-Math.log((draw(PARTS) + 0.5) / PARTS)) });
    }
    coins.sort((a, b) => b.luck - a.luck || a.coin.id - b.coin.id);
    return covering(
      coins.map(({ coin }) => coin),
      demand,
    );
  };
}
