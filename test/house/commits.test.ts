import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { root } from './source.ts';

/** Commits up to this one are older than the rules and not checked. */
const LAST_UNCHECKED = '93f1880e';

const LONGEST_TITLE = 72;
/** Imperative first words that look like a participle or a third person. */
const IMPERATIVE = /^(Embed|Seed|Feed|Speed|Shed|Bring|String|Focus|Bias)$/;
/** First words of titles that name a thing instead of a change. */
const NOUN = new Set(
  'A An The What Who Whose Whoever Which Of No None Nothing Nobody It All Each Every One Two'.split(' '),
);

interface Commit {
  readonly hash: string;
  readonly title: string;
  readonly body: string;
}

describe('the new commits', () => {
  it('have an imperative title of at most 72 characters and a body', ({ skip }) => {
    const commits = commitsAfter(LAST_UNCHECKED);
    if (!commits) return skip('the history of git is not available');
    expect(commits.flatMap(faultsOf)).toEqual([]);
  });
});

describe('the commits check', () => {
  const body = 'The sweep took half of the time of a payment.';

  it('accepts a commit with an imperative title and a body', () => {
    expect(faultsOf({ hash: 'a', title: 'Prune spent coins in place', body })).toEqual([]);
    expect(faultsOf({ hash: 'a', title: 'Address three findings', body })).toEqual([]);
  });

  it.each(['A faster sweep', 'What was spent', 'Coins of one id', 'Added a test', 'Adding a test', 'prune coins'])(
    'reports the title "%s"',
    (title) => expect(faultsOf({ hash: 'a', title, body })).toEqual([`a '${title}' is no imperative`]),
  );

  it('reports a commit with a long title or without a body', () => {
    expect(faultsOf({ hash: 'a', title: `Prune ${'coins '.repeat(12)}`, body: '\n' })).toHaveLength(2);
  });
});

/** Returns null if the history is missing, as in an archive or a shallow clone. */
function commitsAfter(first: string): Commit[] | null {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return null;
  } catch {
    return null;
  }
  const records = git('log', '--no-merges', '-z', '--format=%h%n%s%n%b', `${first}..HEAD`).split('\0');
  return records
    .filter((record) => record !== '')
    .map((record) => {
      const [hash = '', title = '', ...body] = record.split('\n');
      return { hash, title, body: body.join('\n') };
    });
}

function faultsOf({ hash, title, body }: Commit): string[] {
  const faults: string[] = [];
  if (!isImperative(title)) faults.push(`${hash} '${title}' is no imperative`);
  if (title.length > LONGEST_TITLE) faults.push(`${hash} '${title}' has ${title.length} characters`);
  if (body.trim() === '') faults.push(`${hash} '${title}' has no body that says why`);
  return faults;
}

function isImperative(title: string): boolean {
  const [, first = ''] = /^([A-Z][a-z-]+) /.exec(title) ?? [];
  if (first === '' || NOUN.has(first)) return false;
  return IMPERATIVE.test(first) || !/(ing|ed|[^su]s)$/.test(first);
}
