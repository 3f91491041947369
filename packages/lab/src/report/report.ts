import { METRICS, type Manifest, type MetricInfo } from '@coinlab/sim';
import { COMPARED_METRICS } from './comparison-figures.js';
import { bibtex, citation } from './cite.js';
import { chaptersOf, type Chapter } from './figures.js';
import type { Figure } from './figure.js';
import { html, raw, type Html } from './html.js';
import { svgFile } from './look.js';
import { groupsOf, replicatesOf, type ReportRun } from './run.js';
import { STYLE } from './style.js';
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
  const sections: readonly (readonly [heading: string, body: Html])[] = [
    ...(thresholds ? [['Thresholds', thresholds] as const] : []),
    [
      'In short',
      html`<p class="quiet">Means over replicates with their 95 % intervals, of ${runs[0]?.of ?? ''}.</p>
        ${isLarge ? runsTable(runs, KEY_METRICS) : runs.slice(0, 1).map((run) => groupsTable(run, KEY_METRICS))}`,
    ],
    ...chapters.map(
      ({ title, figures }) => [title, html`<div class="figures">${figures.map(figureHtml)}</div>`] as const,
    ),
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
  const anchor = (i: number): string => `s${i + 1}`;
  return `${
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} – coinlab</title>
          <style>
            ${raw(STYLE)}
          </style>
        </head>
        <body>
          <header>
            <h1>${title}</h1>
            ${runs.map((run) => html`<p>${isLarge ? html`<b>${run.label}</b>: ` : ''}${headline(run)}</p>`)}
            <nav aria-label="Parts of this report">
              ${sections.map(([heading], i) => html`<a href="#${anchor(i)}">${heading}</a>`)}
            </nav>
          </header>
          <main>
            ${sections.map(
              ([heading, body], i) =>
                html`<section aria-labelledby="${anchor(i)}">
                  <h2 id="${anchor(i)}">${heading}</h2>
                  ${body}
                </section>`,
            )}
          </main>
        </body>
      </html>`.text
  }\n`;
}

function headline(run: ReportRun): string {
  const replicates = replicatesOf(run);
  const [first] = run.summary;
  return `Seed ${first?.['seed']}, ${replicates} ${replicates === 1 ? 'replicate' : 'replicates'} of ${first?.['rounds']} rounds. ${verdictText(run)}`;
}

function manifestText(manifest: Manifest): string {
  return JSON.stringify({ ...manifest, scenario: undefined }, null, 2);
}

function figureHtml({ title, caption, svg }: Figure): Html {
  return html`<figure>
    <h3>${title}</h3>
    ${raw(svg)}
    <figcaption>${caption}</figcaption>
  </figure>`;
}

function document({ label }: ReportRun, text: string | null, otherwise: string): Html {
  return html`<h3>${label}</h3>
    ${text === null ? html`<p class="quiet">${otherwise}</p>` : html`<pre>${text.trimEnd()}</pre>`}`;
}
