import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { program, root, serve } from './coinlab.ts';

describe('the published bundle', () => {
  it('answers requests to routes that load their modules on demand', async () => {
    const { url, end } = await serve('--dev');
    try {
      const metrics = await fetch(`${url}/metrics`);
      expect(await metrics.text()).toContain('coinlab_ledger_offset');
      for (const path of ['/metrics', '/docs', '/openapi.json', '/dev/events'])
        expect([path, (await headOf(url + path)).status]).toEqual([path, 200]);
    } finally {
      expect(await end('SIGTERM')).toBe(0);
    }
  });
});

describe('the code that the published bundle loads', () => {
  const hasServer = (file: string): boolean => readFileSync(file, 'utf8').includes('/readyz');
  const hasSimulation = (file: string): boolean =>
    readFileSync(file, 'utf8').includes('exact-or-largest-plus-smallest');

  it.each([
    ['run', '--help'],
    ['log', '--help'],
    ['--version', ''],
  ])('does not have the server for %s %s', (...args) => {
    expect(loadedBy(...args.filter((word) => word !== '')).filter(hasServer)).toEqual([]);
  });

  it('does not have the simulation for serve, and has the server', () => {
    const files = loadedBy('serve', '--help');
    expect(files.filter(hasSimulation)).toEqual([]);
    expect(files.some(hasServer)).toBe(true);
  });

  it('is all in the folder of the program, with one copy of the core', () => {
    const files = loadedBy('run', '--help');
    expect(files.filter((file) => !file.startsWith(dirname(program())))).toEqual([]);
    expect(files.filter(hasSimulation).length).toBeGreaterThan(0);
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('a spent coin was active'))).toHaveLength(1);
  });
});

describe('the files next to the published bundle', () => {
  it('have the licences of the libraries in it, with their copyright', () => {
    const licences = readFileSync(join(dirname(program()), 'LICENSES.txt'), 'utf8');
    for (const [name, author] of [
      ['hono', 'Yusuke Wada'],
      ['zod', 'Colin McDonnell'],
      ['@observablehq/plot', 'Observable'],
    ])
      expect(licences).toMatch(
        new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, (MIT|ISC)\\n[^©]*?Copyright [^\\n]*${author}`, 'm'),
      );
    expect(licences).not.toMatch(/^(esbuild|vitest|@coinlab)/m);
  });

  it('are found: the data of the simulation and the program of a worker', () => {
    const folder = mkdtempSync(join(root, 'test/.tmp/bundle-'));
    try {
      const file = join(folder, 'sweep.json');
      writeFileSync(file, JSON.stringify(SWEEP));
      const runs = [
        ['sweep', file, '--out', join(folder, 'results'), '--workers', '2'],
        ['report', join(folder, 'results'), '--out', join(folder, 'report.html')],
        ['overview'],
      ].map((args) => spawnSync(process.execPath, [program(), ...args], { cwd: folder, encoding: 'utf8' }));
      expect(runs.map(({ status, stderr }) => [status, stderr.match(/^coinlab: .*/m)])).toEqual(
        runs.map(() => [0, null]),
      );
      expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<svg');
      expect(runs[2]?.stdout).toContain('15,595');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const SWEEP = {
  name: 'small',
  scenario: {
    name: 'town',
    duration: { rounds: 12 },
    parties: [{ name: 'payers', count: 5, payments: { arrivals: { poisson: { perDay: 10 } } } }],
  },
  parameters: [{ name: 'threshold', path: 'parties.payers.wallet.merge.threshold', values: [2, 5] }],
  design: { grid: true },
  replicates: 2,
};

/** Returns the files that a command line loads, by Node's record of the code that it ran. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(root, 'test/.tmp/loaded-'));
  try {
    const { status } = spawnSync(process.execPath, [program(), ...args], { env: { NODE_V8_COVERAGE: folder } });
    expect(status).toBe(0);
    const [name = ''] = readdirSync(folder);
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a response without reading its body, which may be endless. */
async function headOf(url: string): Promise<Response> {
  const ended = new AbortController();
  const answer = await fetch(url, { signal: ended.signal });
  ended.abort();
  return answer;
}
