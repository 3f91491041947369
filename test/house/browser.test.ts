import { createContext, runInContext } from 'node:vm';
import { runScenario, scenarioOf } from '@coinlab/sim';
import { build, type BuildResult } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './source.ts';

/** A day of payments between two parties. It suffices to write a log and to hash the log and the state. */
const SCENARIO = {
  name: 'two-parties',
  duration: { days: 1 },
  parties: [{ name: 'payer', count: 2, temperament: 'payer' }],
};

describe('the main entry of sim', () => {
  it('bundles for a browser and produces the same log and state as in Node', async () => {
    const bundle = await bundled(`
      import { runScenario, scenarioOf } from '@coinlab/sim';
      const scenario = scenarioOf(${JSON.stringify(SCENARIO)});
      const { log, stateHash } = runScenario(scenario.value);
      globalThis.found = { log, stateHash };
    `);
    // Globals of a browser that V8 lacks. `process` and `Buffer` are left out on purpose.
    const page: { found?: unknown } = createContext({ TextEncoder, TextDecoder });
    runInContext(bundle, page);
    const scenario = scenarioOf(SCENARIO);
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
    const { log, stateHash } = runScenario(scenario.value);
    expect(log.updates).toBeGreaterThan(10);
    expect(page.found).toEqual({ log, stateHash });
  });
});

describe('the browser check', () => {
  it.each(['node:fs', 'crypto', '@coinlab/sim/files'])('refuses an import of the module %s', async (specifier) => {
    await expect(bundled(`import * as found from '${specifier}'; globalThis.found = found;`)).rejects.toThrow(
      'Could not resolve',
    );
  });
});

async function bundled(contents: string): Promise<string> {
  const result: BuildResult<{ write: false }> = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    conditions: ['source'],
    logLevel: 'silent',
  });
  return result.outputFiles.map(({ text }) => text).join('');
}
