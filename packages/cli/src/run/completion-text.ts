import { causeOf, LEAST_COMPLETED, shareOf, TOLERATED_REFUSALS, type Completion, type Failures } from '@coinlab/sim';
import { InvalidArgumentError, Option } from 'commander';
import { grouped } from '../table.js';

export function isStarved(completion: Completion, least: number): boolean {
  return shareOf(completion) < least;
}

export function starvedText(completion: Completion, failures: Failures, least: number): string {
  const { group, requested, completed } = completion;
  return `starved: ${group} completed ${grouped(completed)} of ${grouped(requested)} requested payments (${percent(shareOf(completion))}, expected at least ${percent(least)}): ${causeOf(failures)}`;
}

export function refusedText({ refused }: Failures, requested: number): string {
  if (refused.length === 0) return '';
  const codes = refused.map(([code, times]) => `${code} ${grouped(times)}`).join(', ');
  const share = refused.reduce((sum, [, times]) => sum + times, 0) / Math.max(1, requested);
  const warning =
    share > TOLERATED_REFUSALS
      ? `warning: refused commands are ${percent(share)} of the requested payments, more than ${percent(TOLERATED_REFUSALS)}\n`
      : '';
  return `refused commands: ${codes}\n${warning}`;
}

export function minCompletedOption(): Option {
  return new Option(
    '--min-completed <percent>',
    'share of requested payments that must be completed; below it there is no verdict',
  )
    .argParser(percentage)
    .default(LEAST_COMPLETED, percent(LEAST_COMPLETED));
}

function percentage(text: string): number {
  const [, number, unit] = /^(\d{1,3}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  // A sweep file has shares: 0.95 there is 95% here.
  if (number !== undefined && unit === '' && Number(number) > 0 && Number(number) <= 1)
    throw new InvalidArgumentError(
      `Expected a percentage; send ${percent(Number(number)).replace(' ', '')} or ${number}%.`,
    );
  if (number === undefined || Number(number) > 100)
    throw new InvalidArgumentError('Expected a percentage from 0 to 100, such as 95%.');
  return Number(number) / 100;
}

export function percent(share: number): string {
  const text = (share * 100).toFixed(1);
  return `${text.endsWith('.0') ? text.slice(0, -2) : text} %`;
}
