import { holdingsOf, PartyId } from '@coinlab/core';
import { parseScenario, World } from '@coinlab/sim';
import { expect, it } from 'vitest';

// 2⁵³ − 1, 2⁵³ + 1 and 2⁵³ + 3 units: a double holds the first only.
it.each(['900719.9254740991', '900719.9254740993', '900719.9254740995'])('opens wallets with exactly %s', (amount) => {
  const text = `name: rich\nduration: { rounds: 1 }\nparties:\n  - { name: rich, count: 2, opening: { coins: 3, amount: { constant: "${amount}" } } }\n`;
  const scenario = parseScenario(text, 'rich.yaml');
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
  const { state } = new World(scenario.value, { onEntry: () => undefined });
  const units = BigInt(amount.replace('.', ''));
  const coins = [...holdingsOf(state, PartyId.of('rich-1'), 'oldest')];
  expect(coins.map((coin) => coin.amount)).toEqual([units, units, units]);
});
