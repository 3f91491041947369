import { METRICS, type Manifest, type MetricInfo } from '@coinlab/sim';
import { COMPARED_METRICS } from './comparison-figures.js';
import { bibtex, citation } from './cite.js';
import { chaptersOf, type Chapter } from './figures.js';
import { html, type Html } from './html.js';
import { svgFile } from './look.js';
import { figuresHtml, pageText, type Section } from './page.js';
import { groupsOf, replicatesOf, type ReportRun } from './run.js';
import { groupsTable, metricsGlossary, runsTable, thresholdsTable } from './tables.js';
import { verdictText } from './verdict.js';

/** A report page and its figures as SVG files by name. */
export interface Report {
  readonly html: string;
  readonly svgs: ReadonlyMap<string, string>;
}

/** Builds the report of runs. Deterministic; the page loads no resources and runs no scripts. */
export async function reportOf(runs: readonly ReportRun[]): Promise<Report> {
  const chapters = await chaptersOf(runs);
  const figures = chapters.flatMap(({ figures }) => figures);
  return {
    html: page(runs, chapters),
    svgs: new Map(figures.map(({ id, svg }) => [`${id}.svg`, svgFile(svg)])),
  };
}

const KEY_METRICS: readonly MetricInfo[] = METRICS.filter(({ name }) => COMPARED_METRICS.includes(name));

function page(runs: readonly ReportRun[], chapters: readonly Chapter[]): string {
  const title = runs.map(({ label }) => label).join(', ');
  const thresholds = thresholdsTable(runs);
  const isLarge = runs.length > 1;
  const sections: readonly Section[] = [
    ...(thresholds ? [['Thresholds', thresholds] as const] : []),
    [
      'In short',
      html`<p class="quiet">Means over replicates with their 95 % intervals, of ${runs[0]?.of ?? ''}.</p>
        ${isLarge ? runsTable(runs, KEY_METRICS) : runs.slice(0, 1).map((run) => groupsTable(run, KEY_METRICS))}`,
    ],
    ...chapters.map(({ title, figures }) => [title, figuresHtml(figures)] as const),
    [
      'All figures',
      html`${isLarge ? runsTable(runs) : ''}
      ${runs
        .filter((run) => !isLarge || groupsOf(run).length > 1)
        .map(
          (run) =>
            html`<h3>${run.label}</h3>
              ${groupsTable(run)}`,
        )}`,
    ],
    ['Scenario', html`${runs.map((run) => document(run, run.scenario, 'The scenario’s file is missing.'))}`],
    [
      'Manifest',
      html`${runs.map((run) => document(run, run.manifest && manifestText(run.manifest), 'There is no manifest.'))}`,
    ],
    [
      'To cite',
      html`${runs.map(
        (run) =>
          html`<p>${citation(run)}</p>
            <pre>${bibtex(run)}</pre>`,
      )}`,
    ],
    ['Metrics', metricsGlossary()],
  ];
  return pageText({
    title,
    lines: runs.map((run) => html`<p>${isLarge ? html`<b>${run.label}</b>: ` : ''}${headline(run)}</p>`),
    sections,
  });
}

function headline(run: ReportRun): string {
  const replicates = replicatesOf(run);
  const [first] = run.summary;
  return `Seed ${first?.['seed']}, ${replicates} ${replicates === 1 ? 'replicate' : 'replicates'} of ${first?.['rounds']} rounds. ${verdictText(run)}`;
}

function manifestText(manifest: Manifest): string {
  return JSON.stringify({ ...manifest, scenario: undefined }, null, 2);
}

function document({ label }: ReportRun, text: string | null, otherwise: string): Html {
  return html`<h3>${label}</h3>
    ${text === null ? html`<p class="quiet">${otherwise}</p>` : html`<pre>${text.trimEnd()}</pre>`}`;
}
