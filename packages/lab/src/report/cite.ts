import { createHash } from 'node:crypto';
import { VERSION } from '@coinlab/sim';
import { replicatesOf, type ReportRun } from './run.js';

export const SOFTWARE = { author: 'The coinlab authors', year: 2026, title: 'coinlab', version: VERSION } as const;

/** Returns a citation of the program as BibTeX. */
export function softwareBibtex(): string {
  return entry(`coinlab-${SOFTWARE.version}`, 'software', [
    ['author', `{${SOFTWARE.author}}`],
    ['title', '{coinlab}: an event-sourced ledger simulation engine'],
    ['year', String(SOFTWARE.year)],
    ['version', SOFTWARE.version],
  ]);
}

/**
 * Returns a citation of a run in one sentence: the program, its version, and the scenario, seed and hash that identify the
 * run.
 */
export function citation(run: ReportRun): string {
  return `${SOFTWARE.author} (${SOFTWARE.year}). coinlab${versionOf(run)}. ${facts(run)}.`;
}

/** Returns a citation of a run as BibTeX. The year is that of the version, so that the text of a run never changes. */
export function bibtex(run: ReportRun): string {
  const { version } = run.manifest ?? {};
  return entry(`coinlab-${hashOf(run).slice(0, 8)}`, 'misc', [
    ['author', `{${SOFTWARE.author}}`],
    ['title', `{${run.summary[0]?.['scenario']}}: a coinlab simulation`],
    ['year', String(SOFTWARE.year)],
    ...(version === undefined ? [] : [['version', version] as const]),
    ['howpublished', `Simulated with coinlab${versionOf(run)}`],
    ['note', facts(run)],
  ]);
}

function entry(key: string, type: string, fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return [`@${type}{${key},`, ...fields.map(([name, value]) => `  ${name.padEnd(width)} = {${value}},`), '}'].join(
    '\n',
  );
}

function facts(run: ReportRun): string {
  const [first] = run.summary;
  const replicates = replicatesOf(run);
  return `Scenario ${first?.['scenario']}, seed ${first?.['seed']}, ${replicates} ${replicates === 1 ? 'replicate' : 'replicates'} of ${first?.['rounds']} rounds, SHA-256 ${hashOf(run)}`;
}

function hashOf({ manifest, scenario, summary }: ReportRun): string {
  if (manifest?.scenarioHash !== undefined) return manifest.scenarioHash;
  return createHash('sha256')
    .update(scenario ?? JSON.stringify(summary))
    .digest('hex');
}

function versionOf({ manifest }: ReportRun): string {
  return manifest?.version === undefined ? '' : ` ${manifest.version}`;
}
