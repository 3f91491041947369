import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import { EXIT, run } from 'coinlab';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { program } from './coinlab.ts';

const folder = mkdtempSync(join(os.tmpdir(), 'coinlab-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A scenario of many parties without coins and payments. */
function crowd(count: number, rounds = 1): string {
  const file = join(folder, `crowd-${count}-${rounds}.yaml`);
  writeFileSync(
    file,
    `name: crowd\nduration: { rounds: ${rounds} }\nparties:\n  - { name: people, count: ${count} }\n`,
  );
  return file;
}

describe('the heap of a run', () => {
  const GIBI = 2 ** 30;
  const restart = vi.fn(async () => EXIT.threshold);

  // The tests run in a process with such a flag.
  const { execArgv } = process;
  beforeEach(() => void (process.execArgv = []));
  afterEach(() => {
    process.execArgv = execArgv;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    restart.mockClear();
  });

  function haveLimit(bytes: number): void {
    vi.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: bytes });
  }

  /** Stops the run at its first message. */
  const err = (text: string): never => {
    throw new Error(text);
  };

  it.each([
    [200_000, 4 * GIBI, '--max-semi-space-size=128'],
    [10_000_000, 4 * GIBI, '--max-old-space-size=14336 --max-semi-space-size=128'],
    [10_000_000, 16 * GIBI, '--max-semi-space-size=128'],
  ])('of %d parties that Node limits to %d bytes has flags in a process of its own', async (count, limit, flags) => {
    haveLimit(limit);
    const out = vi.fn();
    const code = await run(['run', crowd(count)], { out, err, isInteractive: false, restart });
    expect([code, restart.mock.calls]).toEqual([EXIT.threshold, [[flags.split(' ')]]]);
    expect(out).not.toHaveBeenCalled();
  });

  it('stays that of the process for few parties', async () => {
    expect(await run(['run', crowd(2)], { out: () => {}, err, isInteractive: false, restart })).toBe(EXIT.ok);
    expect(restart).not.toHaveBeenCalled();
  });

  it.each(['--max-old-space-size=100', '--no-warnings --max-semi-space-size=1'])(
    'is the one that the user set by %s, and a warning says that it is too small',
    async (options) => {
      vi.stubEnv('NODE_OPTIONS', options);
      haveLimit(GIBI);
      await expect(run(['run', crowd(1_000_000)], { out: err, err, isInteractive: false, restart })).rejects.toThrow(
        'coinlab: 1,000,000 parties need about 0.9 GiB of heap, Node allows 1.0 GiB; ' +
          'set NODE_OPTIONS="--max-old-space-size=2048 --max-semi-space-size=128"\n',
      );
      expect(restart).not.toHaveBeenCalled();
    },
  );

  it.skipIf(process.platform === 'win32')('stays that of the process for a scenario that is not a file', async () => {
    haveLimit(100_000);
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    // It is read twice: for the scenario, and for the places of its faults.
    spawn('sh', ['-c', 'cat "$1" > "$2"; sleep 1; cat "$1" > "$2"', 'sh', crowd(200_000), pipe]);
    await expect(run(['run', pipe], { out: err, err, isInteractive: false, restart })).rejects.toThrow(
      'set NODE_OPTIONS',
    );
    expect(restart).not.toHaveBeenCalled();
  });

  it('is compared with the memory of the machine', async () => {
    vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=16000');
    vi.spyOn(os, 'totalmem').mockReturnValue(8 * GIBI);
    await expect(run(['run', crowd(10_000_000)], { out: err, err, isInteractive: false })).rejects.toThrow(
      'coinlab: 10,000,000 parties need about 9.3 GiB of heap, this machine has 8.0 GiB of memory\n',
    );
  });
});

describe.skipIf(process.platform === 'win32')('a run in a process of its own', { timeout: 20_000 }, () => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const begun = new Set<number>();

  afterEach(() => {
    for (const pid of begun) if (runs(pid)) process.kill(pid, 'SIGKILL');
    begun.clear();
  });

  /** Starts a long run. Returns its process and the one that it started. */
  async function started(): Promise<{ readonly run: ChildProcess; readonly inner: number }> {
    const child = spawn(process.execPath, [program(), 'run', crowd(200_000, 100_000)], { env });
    for (;;) {
      const found = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout.split('\n');
      const own = found.map((line) => line.trim().split(/ +/)).find(([, parent]) => parent === String(child.pid));
      if (own?.includes('--max-semi-space-size=128')) {
        begun.add(Number(own[0]));
        return { run: child, inner: Number(own[0]) };
      }
      expect(child.exitCode).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  function runs(pid: number): boolean {
    return spawnSync('ps', ['-p', String(pid)]).status === 0;
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s on and ends by it', async (signal) => {
    const { run, inner } = await started();
    run.kill(signal);
    expect(await once(run, 'exit')).toEqual([null, signal]);
    expect(runs(inner)).toBe(false);
  });

  it('says which other signal ended it', async () => {
    const { run, inner } = await started();
    let text = '';
    run.stderr?.on('data', (chunk) => (text += String(chunk)));
    process.kill(inner, 'SIGKILL');
    expect(await once(run, 'close')).toEqual([EXIT.failed, null]);
    expect(text).toBe('coinlab: SIGKILL ended the run; the system does so if it lacks memory\n');
  });

  it('has the output and the exit code of that process', () => {
    const policy = join(folder, 'policy.mjs');
    // The module of a policy runs in both processes.
    writeFileSync(
      policy,
      `if (process.execArgv.length > 0) {
        process.stdout.write(process.execArgv.join(' '));
        process.stderr.write('told');
        process.exit(${EXIT.threshold});
      }
      export default { selection: { none: () => [] } };\n`,
    );
    const args = [program(), 'run', crowd(200_000), '--policy', `${policy}#none`];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 15_000 });
    expect([status, stdout, stderr]).toEqual([EXIT.threshold, '--max-semi-space-size=128', 'told']);
  });
});
