import { join } from 'node:path';
import { COMPARISON_FILE, writeFiles, type Format } from '@coinlab/lab';
import { COMPARED, type ComparedChoice, type RunResult, type Table } from '@coinlab/sim';
import { formatsOf, writeResults } from '../results-folder.js';
import type { Subject } from '../subject.js';
import { manifestText } from './run-command.js';

export { COMPARISON_FILE, formatsOf };

interface PlayedSubject {
  readonly name: string;
  readonly subject: Subject;
  readonly results: readonly RunResult[];
}

export function writeComparison(
  choices: readonly PlayedSubject[],
  compared: readonly ComparedChoice[],
  { out, formats, file }: { readonly out: string; readonly formats: readonly Format[]; readonly file: string },
): void {
  const index = choices.map(({ name }, i) => ({ name, folder: `${i + 1}-${slug(name)}` }));
  choices.forEach(({ subject, results }, i) => {
    const folder = join(out, index[i]?.folder ?? '');
    writeResults(results, { folder, formats, file, manifest: manifestText(folder, subject, results) });
  });
  const others = new Map([[COMPARISON_FILE, `${JSON.stringify({ choices: index }, null, 2)}\n`]]);
  writeFiles(out, new Map([['comparison', comparisonTable(compared)]]), { formats, others });
}

function comparisonTable(compared: readonly ComparedChoice[]): Table {
  return {
    columns: [
      { name: 'choice', kind: 'text' },
      { name: 'metric', kind: 'text' },
      ...(['mean', 'low', 'high', 'difference', 'differenceLow', 'differenceHigh'] as const).map((name) => ({
        name,
        kind: 'ratio' as const,
      })),
    ],
    rows: compared.flatMap(({ choice, means, differences }) =>
      COMPARED.map((metric) => {
        const [own, difference] = [means[metric], differences?.[metric]];
        return [
          choice,
          metric,
          own.mean,
          own.low,
          own.high,
          difference?.mean ?? null,
          difference?.low ?? null,
          difference?.high ?? null,
        ];
      }),
    ),
  };
}

function slug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, 60);
}
