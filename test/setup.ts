import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { path, runs, seed } from './chance.ts';
import './required.ts';

// Each test file has a temporary folder of its own, also for the processes that it starts.
const { TMPDIR } = process.env;
const temporary = mkdtempSync(join(tmpdir(), 'coinlab-test-'));
process.env['TMPDIR'] = temporary;
afterAll(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  rmSync(temporary, { recursive: true, force: true });
});

fc.configureGlobal({
  seed,
  ...(path === undefined ? {} : { path }),
  numRuns: runs(100),
  // Otherwise lists have at most ten items more than their minimum, whatever their maximum is.
  defaultSizeToMaxWhenMaxSpecified: true,
  reporter: (details) => {
    const message = fc.defaultReportMessage(details);
    if (message === undefined) return;
    throw new Error(`${message}\n\n${replay(details)}`, { cause: details.errorInstance });
  },
});

/** The shell command that shows this failure again, alone and shrunk. */
function replay(details: fc.RunDetails<unknown>): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const where = details.counterexamplePath === null ? '' : ` COINLAB_PATH=${details.counterexamplePath}`;
  const file = relative(process.cwd(), testPath);
  // Vitest reads the name as a pattern, the shell as quoted text: a point stands for whatever either would take amiss.
  const name = currentTestName.replaceAll(' > ', ' ').replaceAll(/[^\w ,:;@#%&=<>-]/g, '.');
  return `Replay  COINLAB_SEED=${details.seed}${where} npx vitest run ${file} -t '${name}'`;
}
