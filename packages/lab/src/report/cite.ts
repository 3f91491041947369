import { createHash } from 'node:crypto';
import { replicatesOf, type ReportRun } from './run.js';

export function citation(run: ReportRun): string {
  return `coinlab${versionOf(run)}. ${facts(run)}.`;
}

/** Returns a BibTeX entry without a year, so that reports are reproducible. */
export function bibtex(run: ReportRun): string {
  return [
    `@misc{coinlab-${hashOf(run).slice(0, 8)},`,
    `  title        = {{${run.summary[0]?.['scenario']}}: a coinlab simulation},`,
    `  howpublished = {Simulated with coinlab${versionOf(run)}},`,
    `  note         = {${facts(run)}}`,
    '}',
  ].join('\n');
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
