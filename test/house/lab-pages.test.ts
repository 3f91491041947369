import { METRICS, parseScenario, runScenario, scenarioJsonSchema, SELECTION_NAMES } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { read } from './source.ts';

const policies = read('docs/reference/policies.md');
const metrics = read('docs/reference/metrics.md');

/** The parts of a JSON Schema that the test reads. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Returns the allowed values of a field of a wallet, from the schema of scenarios. */
function choices(field: string): readonly string[] {
  const group = (scenarioJsonSchema() as Schema).properties?.['parties']?.items;
  const schema = group?.properties?.['wallet']?.properties?.[field];
  return Object.keys(schema?.items?.properties ?? schema?.properties ?? {});
}

describe('the reference of policies', () => {
  it('describes the effect and the cost of every selection policy, and lists no other', () => {
    const sections = policies.split(/^### /m).slice(1);
    expect(sections.map((section) => section.slice(0, section.indexOf('\n'))).toSorted()).toEqual(
      [...SELECTION_NAMES].toSorted(),
    );
    const free = sections.filter((section) => !/\bcosts?\b/i.test(section));
    expect(free.map((section) => section.slice(0, section.indexOf('\n')))).toEqual([]);
  });

  it('has one row for each merge policy and each wallet fault, and no other rows', () => {
    const rows = (heading: string): readonly string[] => {
      const section = policies.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
      return [...section.matchAll(/^\| `([a-zA-Z]+):/gm)].map((match) => match[1] ?? '');
    };
    expect(rows('Merging')).toEqual(choices('merge'));
    expect(rows('Faults')).toEqual(choices('faults'));
  });
});

describe('the reference of metrics', () => {
  it('gives the unit and the formula of every metric of a run', () => {
    const scenario = parseScenario(
      'name: tiny\nduration: { rounds: 1 }\nparties: [{ name: payers, count: 2 }]',
      'tiny',
    );
    if (!scenario.ok) return expect.unreachable();
    const measured = [...runScenario(scenario.value).summary.keys()].filter((name) => !name.includes('/'));
    expect(measured.toSorted()).toEqual(METRICS.map(({ name }) => name).toSorted());
    const rows = new Map(
      metrics
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .map(([, name = '', unit = '', formula = '']) => [name.replaceAll('`', ''), [unit, formula]]),
    );
    for (const { name, unit, formula } of METRICS)
      expect([name, ...(rows.get(name) ?? [])]).toEqual([name, unit, formula]);
  });
});
