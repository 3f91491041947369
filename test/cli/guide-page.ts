import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { coinlab, root } from './coinlab.ts';

/*
 * Executes a page of the documents in an empty folder:
 *
 *     ```csv bank.csv          writes the block to that file
 *     ```console               runs each line that begins with "$ ", and checks its output
 *
 * Commands are coinlab (or npm start --, with files of the repository), cat, head, cp from the repository, and interrupt, which stops a
 * command. A line "…" in an output matches any lines.
 */

interface Played {
  readonly command: string;
  readonly seconds: number;
}

export interface PlayedPage {
  /** The page with the output that the commands print now. */
  readonly text: string;
  readonly played: readonly Played[];
  /** The folder that the commands ran in. */
  readonly folder: string;
}

const BLOCK = /^```(\w+)(?: ([\w./-]+))?\n([\s\S]*?)^```$/gm;

export async function playPage(page: string): Promise<PlayedPage> {
  const text = readFileSync(join(root, page), 'utf8');
  const before = process.cwd();
  const played: Played[] = [];
  let found = '';
  let end = 0;
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-guide-'));
  process.chdir(folder);
  try {
    for (const block of text.matchAll(BLOCK)) {
      const [whole, language = '', file, code = ''] = block;
      found += text.slice(end, block.index);
      end = block.index + whole.length;
      if (file !== undefined && language !== 'ts') write(file, code);
      found += language === 'console' ? `\`\`\`console\n${await consoleOf(code, played)}\`\`\`` : whole;
    }
  } finally {
    process.chdir(before);
  }
  return { text: found + text.slice(end), played, folder };
}

async function consoleOf(code: string, played: Played[]): Promise<string> {
  let text = '';
  for (const part of code.split(/^(?=\$ )/m)) {
    const lines = part.split('\n');
    const length = lines.findIndex((line) => !line.endsWith('\\')) + 1;
    const command = lines.slice(0, length).join('\n');
    const began = performance.now();
    const printed = await outputOf(command.replace(/^\$ /, '').replaceAll(/\\\n\s*/g, ''));
    played.push({ command, seconds: (performance.now() - began) / 1000 });
    const expected = lines.slice(length).join('\n');
    // A failure has to be in the page: "…" does not hide it.
    const isShown = !/^coinlab: /m.test(printed) || expected.includes('coinlab: ');
    text += `${command}\n${isShown && matches(expected.trimEnd(), printed.trimEnd()) ? expected : printed}`;
  }
  return text;
}

async function outputOf(line: string): Promise<string> {
  const [, command = '', target] = /^(.*?)(?: > (\S+))?$/s.exec(line) ?? [];
  const [program = '', ...args] = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  const printed = await run(program, args);
  if (target === undefined) return printed;
  write(target, printed);
  return '';
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const [first = '', second = ''] = args;
  switch (program) {
    case 'coinlab': {
      const { code, out, err } = await coinlab(...args);
      return code === 0 ? out : `${out}${err}`;
    }
    case 'npm':
      return run(
        'coinlab',
        args.slice(2).map((arg) => (arg.startsWith('packages/') ? join(root, arg) : arg)),
      );
    case 'interrupt':
      return interrupted(args.slice(1));
    case 'cat':
      return readFileSync(first, 'utf8');
    case 'head':
      return `${readFileSync(second, 'utf8').split('\n').slice(0, -Number(first)).join('\n')}\n`;
    case 'cp':
      copyFileSync(join(root, first), second);
      return '';
    default:
      throw new Error(`${program}: expected coinlab, npm start, interrupt, cat, head or cp`);
  }
}

/** Runs coinlab and sends it SIGINT once it has written a part. The test runner listens to the signal too and must not get it. */
async function interrupted(args: readonly string[]): Promise<string> {
  const others = process.listeners('SIGINT');
  const ended = coinlab(...args);
  const timer = setInterval(() => {
    for (const listener of process.listeners('SIGINT')) if (!others.includes(listener)) listener('SIGINT');
  }, 1);
  const { out, err } = await ended.finally(() => clearInterval(timer));
  return `${out}${err}`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Compares an output with the expected one, in which a line "…" matches any lines. */
function matches(expected: string, printed: string): boolean {
  const escaped = expected.split('\n').map((line) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = escaped.map((line) => (line === '…' ? '[\\s\\S]*' : line)).join('\n');
  return new RegExp(`^${pattern}$`).test(printed);
}
