import type { ConformReport, RuleResult } from '@coinlab/http/testing';

const MARKS: Readonly<Record<RuleResult['status'], string>> = { held: '✓', violated: '✗', skipped: '-' };

export function conformText(url: string, { seed, serves, rules }: ConformReport): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  const count = (status: RuleResult['status']): number => rules.filter((rule) => rule.status === status).length;
  return [
    `${url} serves ${serves.length === 0 ? 'neither the wallet nor the registry routes' : serves.join(' and ')}; seed ${seed}`,
    ...rules.flatMap((rule) => ruleLines(rule, width)),
    `${count('held')} held, ${count('violated')} violated, ${count('skipped')} skipped`,
    '',
  ].join('\n');
}

/** Contract ids have more than a hundred digits; the JSON report has them in full. */
function withShortIds(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{6}([0-9a-f]{40,})([0-9a-f]{6})\b/g, (id) => `${id.slice(0, 6)}…${id.slice(-6)}`);
}

function ruleLines({ id, rule, source, status, checks, reason, story }: RuleResult, width: number): readonly string[] {
  const detail = status === 'skipped' ? `skipped: ${reason}` : `${checks} ${checks === 1 ? 'check' : 'checks'}`;
  const line = `${MARKS[status]} ${id.padEnd(width)}  ${rule} (${detail})`;
  return status === 'violated'
    ? [line, `    source: ${source}`, ...(story ?? []).map((step) => `    ${withShortIds(step)}`)]
    : [line];
}
