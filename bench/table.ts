import type { Figure } from './figure.js';

export function table(figures: readonly Figure[]): string {
  const rows = [
    ['goal', 'what', 'ours', 'reference', 'ratio', 'to reach'],
    ...figures.map((f) => [f.goal, f.what, f.ours, f.reference, f.ratio.toFixed(2), f.target]),
  ];
  const widths = (rows[0] as string[]).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] as string).length)),
  );
  return `${rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
