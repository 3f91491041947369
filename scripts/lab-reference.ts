/* Generates the pages of the simulation lab: scenario files, temperaments, presets and metrics. */
import { METRICS, scenarioJsonSchema, TEMPERAMENT_HABITS } from '@coinlab/sim';
import { PRESET_NAMES, PRESETS } from '@coinlab/core/rules';
import { stringify } from 'yaml';
import type { Page } from './server-reference.ts';
import { fieldsList, rowOf, tableOf, type Schema } from './schema-table.ts';

export function labPages(gap: (fault: string) => void): { readonly [name: string]: Page } {
  return { 'scenario.md': scenarioPage(gap), 'metrics.md': metricsPage() };
}

const AMOUNT = 'A random amount of coin.';
const DELAY = 'A random span of ledger time.';
const EXPLAINED: ReadonlySet<string> = new Set([AMOUNT, DELAY]);

function toldBy(gap: (fault: string) => void): (path: string) => void {
  return (path) => gap(`packages/sim/src/scenario: ${path} does not say what it is for`);
}

function partOf(schema: Schema, description: string): Schema {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  for (const part of parts) {
    if (part.description === description) return part.properties ? { properties: part.properties } : part;
    const inside = partOf(part, description);
    if (inside.properties) return inside;
  }
  return {};
}

function scenarioPage(gap: (fault: string) => void): Page {
  const scenario = scenarioJsonSchema() as Schema;
  const presets = PRESET_NAMES.map((name) => {
    const { profile, amuletPrice, trafficPrice, validatorFaucetCap, featuredAppRewardCap, sources } = PRESETS[name];
    return rowOf([
      `\`${name}\``,
      `\`${profile}\``,
      linked(amuletPrice, sources.amuletPrice),
      linked(trafficPrice, sources.trafficPrice),
      linked(validatorFaucetCap, sources.validatorFaucetCap),
      linked(featuredAppRewardCap, sources.featuredAppRewardCap),
    ]);
  });
  const temperaments = Object.entries(TEMPERAMENT_HABITS).map(
    ([name, habits]) => `### ${name}\n\n\`\`\`yaml\n${stringify(habits).trimEnd()}\n\`\`\``,
  );
  return {
    title: 'Scenario files',
    intro: `The YAML or JSON files of \`coinlab run FILE\`. Unknown names are refused. A path with a dot is an object in an object, and \`[]\` means each entry of a list.
Decimals are quoted texts; durations are texts such as \`"10m"\`. Of alternative fields, give exactly one.
\`coinlab schema scenario\` prints the JSON Schema.`,
    body: [
      fieldsList(scenario, toldBy(gap), EXPLAINED),
      `## Amounts\n\n${AMOUNT} Give exactly one kind.`,
      fieldsList(partOf(scenario, AMOUNT), () => undefined),
      `## Delays\n\n${DELAY} Give exactly one kind.`,
      fieldsList(partOf(scenario, DELAY), () => undefined),
      '## Presets\n\nPrices and caps of the network at a date: USD per coin, USD per megabyte of extra traffic, USD per validator and round, coin per unit of a featured coupon. Each figure links to its source. `genesis` has the figures of example networks. No preset has a first round: no source gives the round of a date, so issuance starts at age zero.',
      tableOf(
        ['Preset', 'Profile', 'amuletPrice', 'trafficPrice', 'validatorFaucetCap', 'featuredAppRewardCap'],
        presets,
      ),
      '## Temperaments\n\nThe default habits of a group, by temperament. They are assumptions; a group can override each.',
      ...temperaments,
    ].join('\n\n'),
  };
}

function metricsPage(): Page {
  return {
    title: 'Metrics',
    intro: `The metrics of a run, computed from the updates of its log. "Pooled" metrics take each party at each sampled round as one observation.
Flows count from the end of the warm-up. A row is a payment or receipt that a party requested, with the merges that follow it; \`coinlab replay\` counts the same rows.
Each metric also exists per group, as \`<group>/<name>\`, unless it is marked "network only". Thresholds, tables and plots use these names.`,
    body: tableOf(
      ['Metric', 'Unit', 'Formula'],
      METRICS.map(({ name, unit, formula }) => rowOf([`\`${name}\``, unit, formula])),
    ),
  };
}

function linked(value: string, from: string): string {
  return `[${value}](${from})`;
}
