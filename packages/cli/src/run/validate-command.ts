import { validate, type Check, type Verdict } from '@coinlab/sim';
import { validationData } from '@coinlab/sim/files';
import { ThresholdMissed } from '../exit-code.js';
import { lateProgressOf } from '../progress.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface ValidateFlags {
  readonly quick?: true;
  readonly json?: true;
  readonly quiet?: true;
}

const SHOWN_FIGURES = 3;

const MARKS: Readonly<Record<Verdict, string>> = { reproduced: '✓', failed: '✗', open: '–' };

export function validateCommand({ quick, json, quiet }: ValidateFlags, terminal: Terminal): void {
  const began = performance.now();
  const progress = lateProgressOf('validate', terminal.isInteractive && !quiet);
  const checks: Check[] = [];
  try {
    const found = validate({
      data: validationData(),
      isQuick: quick ?? false,
      onProgress: progress.update,
    });
    for (const check of found) {
      checks.push(check);
      if (json) terminal.out(`${JSON.stringify(check)}\n`);
    }
  } finally {
    progress.end();
  }
  if (!json) terminal.out(validationText(checks));
  if (!quiet) terminal.err(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const [first] = failed;
  if (first)
    throw new ThresholdMissed(
      `${first.subject}: ${first.figure} is ${first.found}, expected ${first.expected} ${first.tolerance}${failed.length > 1 ? `, and ${failed.length - 1} more` : ''}`,
    );
}

function validationText(checks: readonly Check[]): string {
  const parts = [...new Set(checks.map(({ part }) => part))];
  const count = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  const notes = checks
    .filter(({ note }) => note !== '')
    .map(({ subject, figure, note }) => `${subject}, ${figure}: ${note}\n`);
  return [
    ...parts.map((part) =>
      partText(
        part,
        checks.filter((check) => check.part === part),
      ),
    ),
    ...notes,
    `\nnot covered: ${NOT_COVERED.join('; ')}\n`,
    ...parts.map((part) =>
      tallyText(
        part,
        checks.filter((check) => check.part === part),
      ),
    ),
    `${checks.length} figures: ${count('reproduced')} reproduced, ${count('failed')} failed, ${count('open')} open (–)\n`,
  ].join('');
}

function tallyText(part: string, checks: readonly Check[]): string {
  const subjects = new Set(checks.map(({ subject }) => subject)).size;
  return `${part}: ${checks.length} figures of ${subjects} subjects\n`;
}

const NOT_COVERED: readonly string[] = [
  'sweep designs and shards, searches and reports (npm test)',
  'rewards of validators for burned coin and fees, activity markers, later years of the issuance curve (npm test)',
  'fees for locks and of several outputs (random networks in npm test)',
  'whether the model of payments resembles a network of yours',
];

interface Line {
  readonly subject: string;
  readonly check: Check | null;
  readonly figure: string;
}

function partText(part: string, checks: readonly Check[]): string {
  const subjects = [...new Set(checks.map(({ subject }) => subject))];
  const lines = subjects.flatMap((subject) =>
    linesOf(
      subject,
      checks.filter((check) => check.subject === subject),
    ),
  );
  const columns = [
    { title: part, cell: ({ subject }: Line) => subject },
    { title: 'figure', cell: ({ figure }: Line) => figure },
    { title: 'expected', cell: ({ check }: Line) => check?.expected ?? '' },
    { title: 'tolerance', cell: ({ check }: Line) => check?.tolerance ?? 'exact' },
    { title: 'found', cell: ({ check }: Line) => check?.found ?? 'equal' },
    { title: ' ', cell: ({ check }: Line) => MARKS[check?.verdict ?? 'reproduced'] },
  ];
  return `${table(columns, lines)}\n`;
}

function linesOf(subject: string, checks: readonly Check[]): readonly Line[] {
  const isEqual = ({ tolerance, verdict }: Check): boolean => tolerance === 'exact' && verdict === 'reproduced';
  const equal = checks.filter(isEqual);
  const folded = equal.length > SHOWN_FIGURES + 1 ? equal.slice(SHOWN_FIGURES) : [];
  const shown = checks.filter((check) => !folded.includes(check));
  const lines: Line[] = shown.map((check, i) => ({ subject: i === 0 ? subject : '', check, figure: check.figure }));
  if (folded.length > 0) lines.push({ subject: '', check: null, figure: `and ${folded.length} more` });
  return lines;
}
