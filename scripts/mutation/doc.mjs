/*
 * The tables of docs/reference/mutation.md, out of the reports of all rooms.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { nameOf, survivorsOf } from './accepted.mjs';
import { countsOf } from './report.mjs';

/** Puts the tables of the reports in place of those under the headings of a page, and the sum of all in its first sentence. */
export async function writeTables(page, reports) {
  const files = reports
    .flatMap((report) => Object.entries(report.files))
    .map(([file, report]) => ({
      name: nameOf(file),
      counts: countsOf(report.mutants),
      left: survivorsOf(file, report),
    }))
    .filter(({ counts }) => counts.mutants > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const left = files.flatMap((file) => file.left);
  const rooms = [...new Set(files.map(({ name }) => roomOf(name)))].sort();
  const rowOf = (label, some) => {
    const mutants = some.reduce((sum, { counts }) => sum + counts.mutants, 0);
    const open = some.flatMap((file) => file.left).filter(({ why }) => why === null).length;
    const survived = some.reduce((sum, file) => sum + file.left.length, 0);
    return [label, mutants, mutants - survived, survived, survived - open, open, percent(mutants - survived, mutants)];
  };
  const total = rowOf('**all**', files);
  const tables = {
    'By room': table(
      ['Room', 'Mutants', 'Found', 'Survived', 'of these accepted', 'of these open', 'Score'],
      [
        ...rooms.map((room) =>
          rowOf(
            code(room),
            files.filter(({ name }) => roomOf(name) === room),
          ),
        ),
        total,
      ],
    ),
    'Accepted survivors': table(
      ['File', 'Lines', 'Mutants', 'Why'],
      grouped(left.filter(({ why }) => why !== null)),
      [0, 1, 3],
    ),
    'Open survivors': table(
      ['File', 'Lines', 'Mutants'],
      grouped(left.filter(({ why }) => why === null)).map((row) => row.slice(0, 3)),
      [0, 1],
    ),
    'By file': table(
      ['File', 'Mutants', 'Found', 'Survived', 'Score'],
      files.map(({ name, counts, left: { length } }) => [
        code(name),
        counts.mutants,
        counts.mutants - length,
        length,
        percent(counts.mutants - length, counts.mutants),
      ]),
    ),
  };
  const sections = readFileSync(page, 'utf8').split(/(?=^## )/m);
  const written = sections.map((section) => {
    const fresh = tables[/^## (.*)/.exec(section)?.[1]];
    return fresh === undefined ? section : section.replace(/(^\|.*\n)+/m, `${fresh}\n`);
  });
  const sum = `**${grouping(total[2])} of ${grouping(total[1])} mutants found, ${total[6]}.**`;
  const text = written.join('').replace(/\*\*[\d,]+ of [\d,]+ mutants found, [\d.]+ %\.\*\*/, sum);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** A folder, or the files beside the folders; the sealed room of the state is one of its own. */
function roomOf(name) {
  if (name === 'contracts/state' || name.startsWith('contracts/state/')) return 'contracts/state';
  return name.includes('/') ? name.split('/')[0] : 'hall';
}

/** Survivors of one file and one reason in a row. */
function grouped(survivors) {
  const rows = new Map();
  for (const { file, at, why } of survivors) {
    const key = `${file} ${why}`;
    const row = rows.get(key) ?? { file, lines: new Set(), count: 0, why };
    row.lines.add(at.line);
    row.count += 1;
    rows.set(key, row);
  }
  return [...rows.values()].map(({ file, lines, count, why }) => [
    code(file),
    [...lines].sort((a, b) => a - b).join(', '),
    count,
    why,
  ]);
}

function table(head, rows, left = [0]) {
  const rule = head.map((_, i) => (left.includes(i) ? '---' : '---:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const code = (text) => `\`${text}\``;
const percent = (part, all) => `${((part / all) * 100).toFixed(1)} %`;
const grouping = (count) => count.toLocaleString('en-US');
