import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript-api';
import { afterAll, describe, expect, it } from 'vitest';
import { printedBy } from './printed.ts';
import { programOf } from './program.ts';
import { read, repositoryFiles, root } from './source.ts';

/**
 * The documents contain no code that is not checked. The text after `ts` selects the check:
 *
 *     ts runnable                        compiles and runs; prints the text block that follows it
 *     ts packages/…/lock.ts              is a verbatim part of that file; a complete example also runs
 */
interface Block {
  page: string;
  line: number;
  language: string;
  mark: string;
  code: string;
}

const pages = repositoryFiles().filter((path) =>
  /^(README|docs\/ARCHITECTURE|docs\/guides\/[^/]+|packages\/[^/]+\/README)\.md$/.test(path),
);
const blocks = pages.flatMap((page) => blocksOf(page, read(page)));
const typescript = blocks.filter(({ language }) => language === 'ts');
const runnable = typescript.filter(({ mark }) => mark === 'runnable');
const quoted = typescript.filter(({ mark }) => mark.endsWith('.ts'));
const examples = repositoryFiles().filter((path) =>
  /^packages\/testing\/examples\/(?!.*\.test\.ts$).*\.ts$/.test(path),
);
const folder = 'test/.tmp/snippets';

describe('a code block in the documents', () => {
  afterAll(() => rmSync(join(root, folder), { recursive: true, force: true }));

  it('is marked as runnable or as a quotation', () => {
    const unmarked = typescript.filter((block) => !runnable.includes(block) && !quoted.includes(block));
    expect(unmarked.map(placeOf)).toEqual([]);
    expect(runnable.length + quoted.length).toBeGreaterThan(0);
  });

  it.each(quoted.map((block) => [placeOf(block), block] as const))('%s is a verbatim part of its file', (_, block) => {
    const text = read(block.mark);
    if (examples.includes(block.mark)) expect(block.code).toBe(text);
    else expect(text.includes(block.code) ? block.code : text).toBe(block.code);
  });

  it('compiles if it is runnable', () => {
    const written = runnable.map((block) => ({ block, path: fileOf(block) }));
    const texts = new Map(written.map(({ block, path }) => [path, block.code]));
    const faults = faultsOf(texts).map(({ path, line, message }) => {
      const block = written.find((entry) => entry.path === path)?.block;
      return `${block?.page}:${(block?.line ?? 0) + line} ${message}`;
    });
    expect(faults).toEqual([]);
  });

  it.each(runnable.map((block) => [placeOf(block), block] as const))(
    '%s prints the text block that follows it',
    async (_, block) => {
      mkdirSync(join(root, folder), { recursive: true });
      const path = fileOf(block);
      writeFileSync(join(root, path), block.code);
      expect(await printedBy(path)).toBe(outputAfter(block));
    },
  );

  it.each(examples.map((path) => [path]))('%s prints the output in the documents', async (path) => {
    const shown = quoted.filter(({ mark }) => mark === path);
    expect(shown.map(({ page }) => page)).not.toEqual([]);
    const printed = await printedBy(path);
    for (const block of shown) expect(printed).toBe(outputAfter(block));
  });
});

describe('the links in the documents', () => {
  it('refer to existing headings', () => {
    const all = repositoryFiles().filter((path) => path.endsWith('.md'));
    expect(all.flatMap((path) => brokenAnchors(path, read(path)))).toEqual([]);
  });
});

describe('the architecture page', () => {
  it('lists every folder of the core', () => {
    const page = read('docs/ARCHITECTURE.md');
    const rooms = new Set(
      repositoryFiles().flatMap((path) => /^packages\/core\/src\/([^/]+)\//.exec(path)?.slice(1) ?? []),
    );
    expect([...rooms].filter((room) => !page.includes(`\`${room}\``))).toEqual([]);
  });
});

describe('the snippets check', () => {
  it('finds blocks with their languages and lines', () => {
    const text = 'Text.\n\n```ts runnable\nf();\n```\n\n```text\nx\n```\n';
    expect(blocksOf('a.md', text)).toEqual([
      { page: 'a.md', line: 3, language: 'ts', mark: 'runnable', code: 'f();\n' },
      { page: 'a.md', line: 7, language: 'text', mark: '', code: 'x\n' },
    ]);
  });

  it('reports code that does not compile, with its line', () => {
    const path = `${folder}/wrong.ts`;
    const text = `import { Amount } from '@coinlab/core';\nconst amount: Amount = 1n;\nconsole.log(amount);\n`;
    expect(faultsOf(new Map([[path, text]])).map(({ line }) => line)).toEqual([2]);
  });

  it('reports a link to a missing heading', () => {
    expect(brokenAnchors('README.md', '# One two\n\n[a](#one-two) [b](#three) [c](LICENSE#x)')).toEqual([
      'README.md links to #three, which is no heading there',
    ]);
  });
});

function blocksOf(page: string, text: string): Block[] {
  const found: Block[] = [];
  let open: Block | null = null;
  text.split('\n').forEach((line, index) => {
    const fence = /^```(.*)$/.exec(line);
    if (open && fence) {
      found.push(open);
      open = null;
    } else if (open) {
      open.code += `${line}\n`;
    } else if (fence) {
      const [language = '', ...marks] = (fence[1] ?? '').trim().split(' ');
      open = { page, line: index + 1, language, mark: marks.join(' '), code: '' };
    }
  });
  return found;
}

function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

function fileOf({ page, line }: Block): string {
  return `${folder}/${page.replaceAll(/[/.]/g, '-').toLowerCase()}-${line}.ts`;
}

/** Returns the block that follows on the page if it is a text block; otherwise an empty text. */
function outputAfter(block: Block): string {
  const next = blocks.find(({ page, line }) => page === block.page && line > block.line);
  return next?.language === 'text' ? next.code : '';
}

/**
 * Returns the compiler errors in files that exist only in memory. They are checked against the sources of the
 * packages.
 */
function faultsOf(texts: ReadonlyMap<string, string>): { path: string; line: number; message: string }[] {
  const program = programOf([...texts.keys()], texts);
  return [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(join(root, path));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ start = 0, messageText }) => ({
      path,
      line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    }));
  });
}

function brokenAnchors(path: string, text: string): string[] {
  const targets = [
    ...withoutBlocks(text)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]*)#([^)\s]+)\)/g),
  ];
  return targets.flatMap(([, target = '', anchor = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const page = target === '' ? path : posix.join(dirname(path), target);
    if (!page.endsWith('.md')) return [];
    const headings = headingsOf(target === '' ? text : read(page));
    return headings.includes(anchor) ? [] : [`${path} links to ${target}#${anchor}, which is no heading there`];
  });
}

function headingsOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
