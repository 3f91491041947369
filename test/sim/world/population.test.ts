import { PartyId } from '@coinlab/core';
import { parseScenario, Population } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('the parties of a population', () => {
  const counts = { payers: 12, 'payers-1': 3, a: 1, 'a-b-c': 11 };
  const groups = Object.entries(counts).map(([name, count]) => `  - { name: ${name}, count: ${count} }`);
  const scenario = parseScenario(`name: some\nduration: { rounds: 1 }\nparties:\n${groups.join('\n')}\n`, 'some.yaml');
  const population = new Population(scenario.ok ? scenario.value.groups : []);

  it('are found by their id, with the number of their place', () => {
    expect(population.size).toBe(27);
    for (const [number, party] of population.parties.entries()) {
      expect(population.numberOf(party)).toBe(number);
      // Another text with the same letters.
      expect(population.numberOf(PartyId.of(PartyId.hint(party)))).toBe(number);
    }
  });

  it.each([
    'payers-12',
    'payers-012',
    'payers-1.0',
    'payers-1e0',
    'payers-',
    'payers',
    '-1',
    '-',
    'payers-0x1',
    'payers-1-3',
  ])('do not include %s', (hint) => {
    expect(population.numberOf(PartyId.of(hint))).toBe(-1);
  });

  it('do not include a party with a hint of theirs and another fingerprint', () => {
    const [one, other] = [PartyId.of('payers-0'), PartyId.of('payers-3')];
    // Cast: a text of this form is a party.
    const mixed = `payers-0${other.slice(other.indexOf('::'))}` as PartyId;
    expect(population.numberOf(one)).toBe(0);
    expect(population.numberOf(mixed)).toBe(-1);
    // Cast: plain JavaScript may pass any text.
    expect(population.numberOf('payers-0' as PartyId)).toBe(-1);
  });
});
