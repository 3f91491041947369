import { InvalidArgumentError, Option } from 'commander';
import { whole } from './flags.js';
import { wantedWidths } from './policy-flags.js';

/*
 * Options that `run`, `compare`, `best` and `sweep` share.
 */

export function precisionOption(): Option {
  return new Option(
    '--precision <metric=width>',
    'run replicates until the half-width of the 95 % interval is at most this value or percentage; repeatable',
  ).argParser(wantedWidths);
}

export function formatOption(): Option {
  return new Option('--format <formats>', 'table formats, separated by commas').default('csv,jsonl,parquet');
}

export function maxReplicatesOption(): Option {
  return new Option('--max-replicates <n>', 'with --precision: maximum number of replicates')
    .argParser((text) => whole(text, 1, 100_000))
    .default(200);
}

export function names(text: string, before: readonly string[] = []): readonly string[] {
  const all = [...before, ...text.split(',').map((name) => name.trim())];
  const twice = all.find((name, i) => all.indexOf(name) < i);
  if (twice !== undefined) throw new InvalidArgumentError(`The list names '${twice}' twice.`);
  return all;
}

export function mergeOption(what: string): Option {
  return new Option(
    '--merge <policy>',
    `${what}: never, a count such as 10, or YAML such as '{ keepLargest: { keep: 5, above: 10 } }'`,
  );
}

export function groupOption(description: string): Option {
  return new Option('--group <names>', description).argParser(names);
}
