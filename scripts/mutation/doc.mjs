/*
 * Writes the table of docs/reference/mutation.md from the reports of areas. Areas without a report keep their row.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { nameOf, survivorsOf } from './accepted.mjs';
import { countsOf } from './report.mjs';

const HEADING = '## By area';

/** Replaces the table, and the total in the first sentence, of a page. */
export async function writeTables(page, reports) {
  const files = reports
    .flatMap((report) => Object.entries(report.files))
    .map(([file, report]) => ({
      area: areaOf(nameOf(file)),
      mutants: countsOf(report.mutants).mutants,
      left: survivorsOf(file, report),
    }))
    .filter(({ mutants }) => mutants > 0);
  const text = readFileSync(page, 'utf8');
  const [before, section] = text.split(`${HEADING}\n`);
  const rows = new Map(rowsOf(section));
  for (const area of new Set(files.map((file) => file.area)))
    rows.set(area, countsIn(files.filter((file) => file.area === area)));
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = sorted.reduce((sums, [, counts]) => sums.map((sum, i) => sum + counts[i]), [0, 0, 0, 0, 0]);
  const table = [
    '| Area | Mutants | Found | Survived | of these accepted | of these open | Score |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...sorted.map(([area, counts]) => rowOf(`\`${area}\``, counts)),
    rowOf('**all**', all),
  ].join('\n');
  const sum = `**${all[1].toLocaleString('en-US')} of ${all[0].toLocaleString('en-US')} mutants found, ${score(all)}.**`;
  const written =
    before.replace(/\*\*[\d,]+ of [\d,]+ mutants found, [\d.]+ %\.\*\*/, sum) +
    `${HEADING}\n${section.replace(/(^\|.*\n)+/m, () => `${table}\n`)}`;
  writeFileSync(page, await format(written, { ...(await resolveConfig(page)), filepath: page }));
}

/** A folder of the core, or `root` for files at its root; the state's folder is a separate area. */
function areaOf(name) {
  if (name === 'contracts/state' || name.startsWith('contracts/state/')) return 'contracts/state';
  return name.includes('/') ? name.split('/')[0] : 'root';
}

function countsIn(files) {
  const mutants = files.reduce((sum, file) => sum + file.mutants, 0);
  const left = files.flatMap((file) => file.left);
  const open = left.filter(({ why }) => why === null).length;
  return [mutants, mutants - left.length, left.length, left.length - open, open];
}

function rowsOf(section) {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1))
    .map(([area, ...cells]) => [area.replaceAll('`', '').trim(), cells.slice(0, 5).map(Number)]);
}

const score = ([mutants, found]) => `${((found / mutants) * 100).toFixed(1)} %`;
const rowOf = (label, counts) => `| ${[label, ...counts, score(counts)].join(' | ')} |`;
