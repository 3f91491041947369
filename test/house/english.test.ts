import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, repositoryFiles, root } from './source.ts';

/** Phrases that hide the subject of a sentence. */
const PHRASES = ['beside', 'whoever', 'so many', 'nobody', 'of which', 'stands'] as const;
const LONGEST_LINE = 160;

/** Everything that is counted: the phrases, docstrings that open with a riddle, and long lines of Markdown. */
const COUNTED = [...PHRASES, 'riddle', 'long line'] as const;
type Counted = (typeof COUNTED)[number];
type Counts = Record<Counted, number>;

/** The most uses in each area, in the order of `COUNTED`. Lower a limit when you remove uses; never raise one. */
const LIMITS: Readonly<Record<string, readonly number[]>> = {
  packages: [5, 0, 0, 2, 0, 0, 0, 0],
  docs: [4, 0, 0, 0, 0, 2, 0, 0],
  'README.md': [0, 0, 0, 0, 0, 0, 0, 0],
  'CHANGELOG.md': [0, 0, 0, 0, 0, 0, 0, 0],
  test: [4, 1, 2, 31, 3, 4, 0, 0],
  bench: [0, 0, 0, 0, 0, 0, 0, 0],
  scripts: [0, 0, 0, 0, 0, 0, 0, 0],
};

/** Sentences that were rewritten, in lower case. */
const REPLACED = [
  'how often, each with other chance',
  'nothing but the result',
  'it goes wrong from now on, instead of what did before',
  'to be reverted to, as often as wanted',
  'that it is still there is for its wallet to say',
  'the trie with a value that stands for ever',
  'for those who ask something else whether a key is theirs',
  'what is found plain here does what the rules say',
  'under which all that is not looked at comes to nothing',
  'as many as come, none outlives the next',
  'whoever waits for the server comes first',
  'of no more than what rounds to nothing',
  'what a transaction has archived for no input of it',
  'what is decided is given to the log in groups',
  'zero is known to be zero',
];

/** Kinds of files with texts for people; the rest is data. */
const WRITTEN = new Set(['.ts', '.js', '.mjs', '.md', '.yaml', '.html', '.css']);
const LARGEST = 1_000_000;
/** This file is skipped, because it lists the phrases. */
const OWN = 'test/house/english.test.ts';

const files = repositoryFiles()
  .filter((path) => path !== OWN && WRITTEN.has(extname(path)) && statSync(join(root, path)).size < LARGEST)
  .map((path) => ({ path, text: read(path) }));

describe('texts', () => {
  it.each(Object.entries(LIMITS))('in the area %s stay within its limits of unclear phrases', (area, limits) => {
    const texts = files.filter(({ path }) => path === area || path.startsWith(`${area}/`));
    expect(texts).not.toEqual([]);
    const counts = countsOf(texts);
    const over = COUNTED.filter((name, index) => counts[name] > (limits[index] ?? 0));
    expect(
      over.map((name) => `${name}: ${counts[name]} uses, at most ${limits[COUNTED.indexOf(name)]} allowed`),
    ).toEqual([]);
  });

  it('do not contain a sentence that was rewritten before', () => {
    const found = files.flatMap(({ path, text }) => {
      const flat = flatten(text).toLowerCase();
      return REPLACED.filter((sentence) => flat.includes(sentence)).map((sentence) => `${path}: ${sentence}`);
    });
    expect(found).toEqual([]);
  });
});

describe('the check of texts', () => {
  it('counts phrases across lines and in any case', () => {
    const text = '// Nobody asks\n/**\n * so\n * many, of\n * which one stands beside. Whoever asks.\n */';
    expect(countsOf([{ path: 'a.ts', text }])).toEqual({
      ...none(),
      ...Object.fromEntries(PHRASES.map((p) => [p, 1])),
    });
    expect(countsOf([{ path: 'a.ts', text: 'besides, understands, standstill' }])).toEqual(none());
  });

  it('counts docstrings that open with a riddle', () => {
    const text = '/** What comes. */\n/**\n * Whose coin.\n */\n/** Of which one. */\n/** Whatever. */';
    expect(countsOf([{ path: 'a.ts', text }]).riddle).toBe(3);
  });

  it('counts long lines of Markdown outside of tables, code and links', () => {
    const long = 'word '.repeat(40);
    const text = `${long}\n| ${long} |\n\`\`\`text\n${long}\n\`\`\`\n[a](${'x'.repeat(200)})\n- ${long}`;
    expect(countsOf([{ path: 'a.md', text }])['long line']).toBe(2);
  });
});

function none(): Counts {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
}

function countsOf(texts: readonly { readonly path: string; readonly text: string }[]): Counts {
  const counts = none();
  for (const { path, text } of texts) {
    const flat = flatten(text);
    for (const phrase of PHRASES) counts[phrase] += flat.match(new RegExp(`\\b${phrase}\\b`, 'gi'))?.length ?? 0;
    counts.riddle += text.match(/\/\*\*[\s*]+(What|Whose|Of which)\b/g)?.length ?? 0;
    if (path.endsWith('.md')) counts['long line'] += longLines(text);
  }
  return counts;
}

/** Returns a text as one line, without the marks of comments and quotes at the starts of its lines. */
function flatten(text: string): string {
  return text.replaceAll(/\s*\n[\s*/>]*/g, ' ');
}

/** Returns the number of prose lines that are too long. Targets of links and code do not count. */
function longLines(text: string): number {
  const prose = text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '').replaceAll(/\]\([^)]*\)|`[^`\n]*`/g, ']');
  return prose.split('\n').filter((line) => line.length > LONGEST_LINE && !/^\s*\|/.test(line)).length;
}
