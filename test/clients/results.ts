import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS, STORIES } from './stories.ts';

/*
 * The results of published clients, recorded by `npm run sdk-examples -- FOLDER --record`, and their section in the guide.
 */

export interface Results {
  /** Day of the run, `2026-06-01`. */
  readonly date: string;
  /** Commit of the checkout that has the examples. */
  readonly examplesAt: string;
  /** Whether each example passed, by its file. */
  readonly examples: Readonly<Record<string, boolean>>;
  /** Whether each story passed, by its name. */
  readonly stories: Readonly<Record<string, boolean>>;
}

const FILE = join(import.meta.dirname, 'results.json');
const PAGE = join(import.meta.dirname, '../../docs/guides/test-your-wallet.md');
const BEGIN = '<!-- results: npm run sdk-examples -- FOLDER --record -->';
const END = '<!-- end of results -->';

export function readResults(): Results {
  // Cast: record() writes this shape.
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results;
}

export function record(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, page.replace(sectionOf(page), section(results)));
}

export function recordedSection(): string {
  return sectionOf(readFileSync(PAGE, 'utf8'));
}

function sectionOf(page: string): string {
  return page.slice(page.indexOf(BEGIN), page.indexOf(END) + END.length);
}

/** The section of the guide as the results say. */
export function section({ date, examplesAt, examples, stories }: Results): string {
  const rows = Object.entries(CLIENTS).map(([client, name]) => {
    const own = STORIES.filter((story) => story.client === client);
    const passed = own.filter((story) => stories[story.name]);
    return `| ${name} | ${passed.length} of ${own.length} user stories |`;
  });
  const passedExamples = Object.entries(examples).filter(([, passed]) => passed);
  const failed = Object.entries(examples).filter(([, passed]) => !passed);
  const lines = [
    BEGIN,
    '',
    `Recorded on ${date}:`,
    '',
    '| Client | Runs |',
    '| --- | --- |',
    ...rows,
    `| documentation examples of wallet-sdk 1.4.0, at ${examplesAt.slice(0, 8)} | ${passedExamples.length} of ${Object.keys(examples).length} |`,
    '',
    '[stories.ts](../../test/clients/stories.ts) names the stories; [results.json](../../test/clients/results.json) has each result.',
    ...(failed.length === 0 ? [] : [`Examples that fail: ${failed.map(([file]) => `\`${file}\``).join(', ')}.`]),
    '',
    END,
  ];
  return tidied(lines).join('\n');
}

/** Aligns the table as the formatter of the repository does. */
function tidied(lines: readonly string[]): readonly string[] {
  const cells = (line: string): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const table = lines.filter((line) => line.startsWith('|')).map(cells);
  const widths = [0, 1].map((column) =>
    Math.max(...table.map((row) => (row[column]?.startsWith('---') ? 3 : (row[column]?.length ?? 0)))),
  );
  return lines.map((line) => {
    if (!line.startsWith('|')) return line;
    const padded = cells(line).map((cell, i) =>
      cell === '---' ? '-'.repeat(widths[i] ?? 3) : cell.padEnd(widths[i] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  });
}
