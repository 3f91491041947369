import { nearestText, simultaneousLevel } from '@coinlab/sim';
import { differencesOf, isPaired } from '../sweep/differences.js';
import { sensitivitiesOf, sensitivityTable } from '../sweep/sensitivity.js';
import { settingText } from '../sweep/sweep.js';
import { settingsByPoint, type SweepRuns } from '../sweep/tables.js';
import { plottedPoints, weighedPoints } from '../sweep/weighed.js';
import { softwareBibtex, SOFTWARE } from './cite.js';
import { html, type Html } from './html.js';
import { svgFile } from './look.js';
import { shortNumber, withInterval } from './numbers.js';
import { figuresHtml, pageText, wide, type Section } from './page.js';
import { paretoFigures } from './pareto-figures.js';
import type { Report } from './report.js';
import { NotARun } from './run.js';
import { sweepFigures } from './sweep-figures.js';

/**
 * Builds the report of a sweep: points, each metric over two settings, the Pareto front, paired differences and effects. Deterministic.
 * Throws {@link NotARun} for a setting that the sweep does not vary.
 * @param over names of the settings to plot; default: the first two
 */
export async function sweepReportOf(runs: SweepRuns, over: readonly string[] = []): Promise<Report> {
  const { definition, sweep, points, coinlab } = runs.heading;
  const metrics = await sweepFigures(runs, axesOf(runs, over));
  const front = await paretoFigures(plottedPoints(runs), definition.name);
  const effects = effectsHtml(runs);
  const sections: readonly Section[] = [
    ...(weighedPoints(runs).length > 0 ? [['Points', pointsHtml(runs)] as const] : []),
    ['Metrics over settings', figuresHtml(metrics)],
    ...(front.length > 0 ? [['Pareto front', figuresHtml(front)] as const] : []),
    ...(isPaired(runs) ? [['Paired differences', differencesHtml(runs)] as const] : []),
    ...(effects ? [['Effects', effects] as const] : []),
    [
      'To cite',
      html`<p>${SOFTWARE.author} (${SOFTWARE.year}). coinlab ${coinlab}. Sweep ${definition.name}, SHA-256 ${sweep}.</p>
        <pre>${softwareBibtex()}</pre>`,
    ],
  ];
  const line = `${points} points with ${definition.replicates} ${definition.replicates === 1 ? 'replicate' : 'replicates'} each.`;
  return {
    html: pageText({ title: definition.name, lines: [html`<p>${line}</p>`], sections }),
    svgs: new Map([...metrics, ...front].map(({ id, svg }) => [`${id}.svg`, svgFile(svg)])),
  };
}

function axesOf({ heading }: SweepRuns, over: readonly string[]): readonly [number, number | null] {
  const names = heading.definition.parameters.map(({ name }) => name);
  const places = over.map((name) => {
    const place = names.indexOf(name);
    if (place < 0)
      throw new NotARun(
        `got the setting ${JSON.stringify(name)}, expected one of ${names.join(', ')}${nearestText(name, names)}`,
      );
    return place;
  });
  const [first = 0, second = names.findIndex((_, i) => i !== first)] = places;
  return [first, second < 0 ? null : second];
}

function pointsHtml(runs: SweepRuns): Html {
  const { objectives, definition } = runs.heading;
  const weighed = weighedPoints(runs);
  return tableHtml(
    'Points',
    ['point', ...definition.parameters.map(({ name }) => name), ...objectives, 'requested', 'completed', 'verdict'],
    weighed.map(({ point, settings, intervals, requested, completed, isBest, isStarved }) => [
      String(point),
      ...definition.parameters.map((_, i) => cellText(settings[i])),
      ...intervals.map((interval) => (interval ? withInterval(interval) : '')),
      String(requested),
      String(completed),
      isStarved ? 'starved: no verdict' : isBest ? '● not dominated' : '',
    ]),
  );
}

function differencesHtml(runs: SweepRuns): Html {
  const { metrics, points, definition } = runs.heading;
  const level = (100 * simultaneousLevel(points - 1)).toFixed(2);
  return html`<p class="quiet">
      Differences to point 1 (${(settingsByPoint(runs)[0] ?? []).map(cellText).join(', ')}), replicate by replicate. The
      intervals of a metric hold together with 95 %: each has a level of ${level} %.
    </p>
    ${tableHtml(
      'Paired differences',
      ['point', ...definition.parameters.map(({ name }) => name), ...metrics.map(({ name }) => name)],
      differencesOf(runs).map(({ point, settings, intervals }) => [
        String(point),
        ...definition.parameters.map((_, i) => cellText(settings[i])),
        ...intervals.map((interval) => (interval ? withInterval(interval) : '')),
      ]),
    )}`;
}

function effectsHtml(runs: SweepRuns): Html | null {
  const found = sensitivitiesOf(runs);
  if (found.length === 0) return null;
  const { columns, rows } = sensitivityTable(found);
  const titles = columns.map(({ name }) => name);
  return tableHtml(
    'Effects',
    titles,
    rows.map((row) =>
      row.map((cell) => (typeof cell === 'number' ? shortNumber(Number(cell.toPrecision(4))) : String(cell ?? ''))),
    ),
  );
}

function tableHtml(label: string, titles: readonly string[], rows: readonly (readonly string[])[]): Html {
  return wide(
    label,
    html`<table>
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...cells]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

function cellText(setting: unknown): string {
  return setting === undefined || setting === null ? '' : settingText(setting);
}
