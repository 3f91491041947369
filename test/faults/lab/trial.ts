import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replacedOnce } from '../replaced.ts';
import type { LabFault } from './lab-fault.ts';

const root = join(import.meta.dirname, '../../..');
const COPIED = ['packages', 'test', 'scripts', 'package.json', 'tsconfig.json'];
const NOT_COPIED = new Set(['node_modules', 'dist', '.failures', '.tmp']);

/** The repository's own configuration also builds the page, which these tests do not need. */
const CONFIG = `import { defaultServerConditions } from 'vite';
const conditions = ['source', ...defaultServerConditions];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ['test/**/*.test.ts'], testTimeout: 600000 } };
`;

export interface LabTrial {
  readonly fault: LabFault;
  /** First failing test; null when all passed. */
  readonly found: string | null;
  readonly seconds: number;
}

/** Returns the changed source; throws when its text has changed. */
export function plantedText({ name, file, find, replace }: LabFault): string {
  return replacedOnce(
    readFileSync(join(root, 'packages', file), 'utf8'),
    { find, replace },
    `fault ${name}, packages/${file}`,
  );
}

/** A copy of the repository in which faults are planted, one at a time. */
export class Plot {
  readonly #folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'coinlab-lab-faults-')));

  constructor() {
    for (const name of COPIED)
      cpSync(join(root, name), join(this.#folder, name), {
        recursive: true,
        filter: (path) => !NOT_COPIED.has(path.split(/[\\/]/).at(-1) ?? ''),
      });
    writeFileSync(join(this.#folder, 'vitest.config.ts'), CONFIG);
    const modules = join(this.#folder, 'node_modules');
    mkdirSync(join(modules, '@coinlab'), { recursive: true });
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@coinlab' && name !== 'coinlab' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
    // Our own packages are those of the copy.
    for (const name of readdirSync(join(this.#folder, 'packages')))
      symlinkSync(
        join(this.#folder, 'packages', name),
        name === 'cli' ? join(modules, 'coinlab') : join(modules, '@coinlab', name),
      );
  }

  /** Plants a fault, runs its tests and restores the source. */
  try(fault: LabFault): LabTrial {
    const began = performance.now();
    const file = join(this.#folder, 'packages', fault.file);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, plantedText(fault));
    try {
      return { fault, found: this.#failing(fault.tests), seconds: (performance.now() - began) / 1000 };
    } finally {
      writeFileSync(file, before);
    }
  }

  /** Runs tests on the unchanged copy. */
  sound(tests: readonly string[]): string | null {
    return this.#failing(tests);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #failing(tests: readonly string[]): string | null {
    const words = [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--maxWorkers=1',
      '--bail=1',
      '--reporter=json',
      ...tests.map((test) => `test/${test}`),
    ];
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const start = stdout.indexOf('{"num');
    if (start < 0) return `the tests do not start: ${stderr.slice(0, 200)}`;
    // Written by vitest.
    const report = JSON.parse(stdout.slice(start, stdout.lastIndexOf('}') + 1)) as Report;
    if (report.numTotalTests === 0 && report.testResults.length === 0)
      return `the tests do not start: ${stderr.slice(0, 200)}`;
    for (const { assertionResults, status, message } of report.testResults) {
      const failed = assertionResults.find((one) => one.status === 'failed');
      if (failed) return failed.fullName;
      if (status === 'failed') return message.split('\n')[0] ?? 'a test file fails';
    }
    return null;
  }
}

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
