/*
 * The tables of docs/reference/mutation.md, out of the reports of rooms; what the page says of rooms without a report stays.
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
    .filter(({ counts }) => counts.mutants > 0);
  const tried = new Set(files.map(({ name }) => roomOf(name)));
  const sections = readFileSync(page, 'utf8').split(/(?=^## )/m);
  /** The rows that a section has of rooms that were not tried. */
  const keptOf = (heading) =>
    rowsOf(sections.find((section) => section.startsWith(`## ${heading}\n`)) ?? '').filter(
      ([name]) => !tried.has(heading === 'By room' ? name : roomOf(name)),
    );
  const left = files.flatMap((file) => file.left);
  const rooms = [...tried].map((room) =>
    rowOf(
      room,
      files.filter(({ name }) => roomOf(name) === room),
    ),
  );
  const byRoom = inOrder([
    ...rooms,
    ...keptOf('By room').map(([room, ...cells]) => [room, ...cells.slice(0, 5).map(Number)]),
  ]);
  const all = byRoom.reduce((sums, [, ...counts]) => sums.map((sum, i) => sum + counts[i]), [0, 0, 0, 0, 0]);
  const score = ([mutants, found]) => `${((found / mutants) * 100).toFixed(1)} %`;
  const tables = {
    'By room': table(
      ['Room', 'Mutants', 'Found', 'Survived', 'of these accepted', 'of these open', 'Score'],
      [...byRoom.map(([room, ...counts]) => [code(room), ...counts, score(counts)]), ['**all**', ...all, score(all)]],
    ),
    'Accepted survivors': table(
      ['File', 'Lines', 'Mutants', 'Why'],
      inOrder([...grouped(left.filter(({ why }) => why !== null)), ...keptOf('Accepted survivors')]).map(coded),
      [0, 1, 3],
    ),
    'Open survivors': table(
      ['File', 'Lines', 'Mutants'],
      inOrder([...grouped(left.filter(({ why }) => why === null)), ...keptOf('Open survivors')]).map((row) =>
        coded(row.slice(0, 3)),
      ),
      [0, 1],
    ),
    'By file': table(
      ['File', 'Mutants', 'Found', 'Survived', 'Score'],
      inOrder([
        ...files.map(({ name, counts: { mutants }, left: { length } }) => {
          const counts = [mutants, mutants - length, length];
          return [name, ...counts, score(counts)];
        }),
        ...keptOf('By file'),
      ]).map(coded),
    ),
  };
  const written = sections.map((section) => {
    const fresh = tables[/^## (.*)/.exec(section)?.[1]];
    return fresh === undefined ? section : section.replace(/(^\|.*\n)+/m, () => `${fresh}\n`);
  });
  const sum = `**${all[1].toLocaleString('en-US')} of ${all[0].toLocaleString('en-US')} mutants found, ${score(all)}.**`;
  const text = written.join('').replace(/\*\*[\d,]+ of [\d,]+ mutants found, [\d.]+ %\.\*\*/, sum);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** A folder, or the files beside the folders; the sealed room of the state is one of its own. */
function roomOf(name) {
  if (name === 'contracts/state' || name.startsWith('contracts/state/')) return 'contracts/state';
  return name.includes('/') ? name.split('/')[0] : 'hall';
}

/** Mutants, found, survived, accepted and open in some files. */
function rowOf(label, files) {
  const mutants = files.reduce((sum, { counts }) => sum + counts.mutants, 0);
  const left = files.flatMap((file) => file.left);
  const open = left.filter(({ why }) => why === null).length;
  return [label, mutants, mutants - left.length, left.length, left.length - open, open];
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
    file,
    [...lines].sort((a, b) => a - b).join(', '),
    count,
    why,
  ]);
}

/** The rows of a table in a page that begin with a name in code, without the marks of code. */
function rowsOf(section) {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([name, ...cells]) => [name.replaceAll('`', ''), ...cells]);
}

const inOrder = (rows) => rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
const code = (text) => `\`${text}\``;
const coded = ([name, ...cells]) => [code(name), ...cells];

function table(head, rows, left = [0]) {
  const rule = head.map((_, i) => (left.includes(i) ? '---' : '---:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
