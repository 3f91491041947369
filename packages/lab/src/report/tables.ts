import { ALL, intervalOf, judge, METRICS, type MetricInfo } from '@coinlab/sim';
import { html, type Html } from './html.js';
import { wide } from './page.js';
import { withInterval } from './numbers.js';
import type { Row } from './rows.js';
import { foundOf, groupsOf, type ReportRun } from './run.js';

interface Column {
  readonly title: string;
  readonly run: ReportRun;
  readonly group: string;
}

export function runsTable(runs: readonly ReportRun[], metrics: readonly MetricInfo[] = METRICS): Html {
  return metricsTable(
    runs.map((run) => ({ title: run.label, run, group: ALL })),
    metrics,
  );
}

export function groupsTable(run: ReportRun, metrics: readonly MetricInfo[] = METRICS): Html {
  const groups = groupsOf(run);
  return metricsTable(
    [ALL, ...(groups.length > 1 ? groups : [])].map((group) => ({ title: group === ALL ? run.of : group, run, group })),
    metrics,
  );
}

function metricsTable(columns: readonly Column[], metrics: readonly MetricInfo[]): Html {
  const shown = metrics.filter(({ name }) => columns.some(({ run, group }) => foundOf(run, name, group).length > 0));
  return wide(
    'Metrics',
    html`<table>
      <thead>
        <tr>
          <th scope="col">metric</th>
          ${columns.map(({ title }) => html`<th scope="col" class="number">${title}</th>`)}
          <th scope="col">unit</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((metric) => row(metric, columns))}
      </tbody>
    </table>`,
  );
}

function row({ name, unit }: MetricInfo, columns: readonly Column[]): Html {
  const cells = columns.map(({ run, group }) => {
    const found = foundOf(run, name, group);
    return html`<td class="number">${found.length === 0 ? '' : withInterval(intervalOf(found))}</td>`;
  });
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells}
    <td>${unit}</td>
  </tr>`;
}

export function thresholdsTable(runs: readonly ReportRun[]): Html | null {
  const rows = runs.flatMap((run) => demandsOf(run).map((found) => thresholdRow(run, found)));
  if (rows.length === 0) return null;
  return wide(
    'Thresholds',
    html`<table>
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">threshold</th>
          <th scope="col" class="number">found</th>
          <th scope="col">outcome</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function demandsOf({ thresholds }: ReportRun): readonly (readonly Row[])[] {
  const demands = new Map<string, Row[]>();
  for (const row of thresholds) {
    const demand = `${row['metric']} ${row['demand']}`;
    demands.set(demand, [...(demands.get(demand) ?? []), row]);
  }
  return [...demands.values()];
}

function thresholdRow(run: ReportRun, rows: readonly Row[]): Html {
  const [metric, demand] = [String(rows[0]?.['metric']), String(rows[0]?.['demand'])];
  const values = rows.flatMap(({ found }) => (found === null ? [] : [Number(found)]));
  const interval = values.length === 0 ? null : intervalOf(values);
  const [outcome] = judge({ [metric]: demand }, new Map(interval && [[metric, interval.mean]]));
  const each = rows.filter(({ holds }) => holds === 'true').length;
  const detail = rows.length === 1 ? '' : `, in ${each} of ${rows.length} replicates`;
  return html`<tr>
    <th scope="row">${run.label}</th>
    <td>${metric} ${demand}</td>
    <td class="number">${interval ? withInterval(interval) : 'no such metric'}</td>
    <td>
      <span class="${outcome?.holds ? 'good' : 'bad'}">${outcome?.holds ? '✓ holds' : '✗ does not hold'}</span>${detail}
    </td>
  </tr>`;
}

export function metricsGlossary(): Html {
  return wide(
    'Glossary of metrics',
    html`<table>
      <thead>
        <tr>
          <th scope="col">metric</th>
          <th scope="col">unit</th>
          <th scope="col">how it is calculated</th>
        </tr>
      </thead>
      <tbody>
        ${METRICS.map(
          ({ name, unit, formula }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${unit}</td>
              <td class="text">${formula}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}
