import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { program, root } from '../cli/coinlab.ts';
import type { Cluster } from '../postgres.ts';
import { Observer } from './audit.ts';
import type { Round } from './servers.ts';
import { SilentProxy } from './silent-proxy.ts';

/** Faults of a worker, or of the database under all. */
export const WORKER_FAULTS = ['kill', 'freeze', 'silence', 'crash'] as const;
export type WorkerFault = (typeof WORKER_FAULTS)[number];

const PARTS = 8;
const LEASE_SECONDS = 1;
const LONGEST_MILLIS = 120_000;

const SWEEP = {
  name: 'queued',
  replicates: 4,
  metrics: ['utxosPerParty.mean', 'merges'],
  parameters: [{ name: 'threshold', path: 'parties.*.wallet.merge.threshold', values: [2, 10] }],
  design: { grid: true },
  scenario: {
    name: 'town',
    seed: 1,
    duration: { rounds: 300 },
    parties: [
      { name: 'payers', count: 10, payments: { arrivals: { poisson: { perDay: 40 } } } },
      { name: 'shops', temperament: 'merchant', count: 2 },
    ],
  },
};

interface Worker {
  readonly process: ChildProcess;
  readonly proxy: SilentProxy;
}

interface Ended {
  readonly code: number | null;
  readonly told: string;
}

/** Two workers of a queue, and sweeps whose files must equal those of one worker without a queue. */
export class Crew {
  readonly #cluster: Cluster;
  readonly #address: string;
  readonly #observer: Observer;
  readonly #folder: string;
  readonly #chance: () => number;
  #workers: Worker[] = [];
  #expected: Readonly<Record<string, string>> = {};

  private constructor(cluster: Cluster, address: string, chance: () => number) {
    this.#cluster = cluster;
    this.#address = address;
    this.#chance = chance;
    this.#observer = new Observer(address);
    this.#folder = mkdtempSync(join(tmpdir(), 'coinlab-crew-'));
    writeFileSync(join(this.#folder, 'sweep.json'), JSON.stringify(SWEEP));
  }

  static async start(cluster: Cluster, chance: () => number = Math.random): Promise<Crew> {
    const crew = new Crew(cluster, await cluster.freshDatabase(), chance);
    const { code, told } = await crew.#sweep('expected', '--workers', '1');
    if (code !== 0) throw new Error(told);
    crew.#expected = crew.#bytesIn('expected');
    await crew.#startWorker();
    // The first worker creates the tables.
    await crew.#until(`select 1 where to_regclass('coinlab.sweep_result') is not null`);
    await crew.#observer.audit('results');
    await crew.#startWorker();
    return crew;
  }

  async close(): Promise<void> {
    for (const { process: worker, proxy } of this.#workers) {
      worker.kill('SIGKILL');
      proxy.close();
    }
    await this.#observer.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async round(fault: WorkerFault): Promise<Round> {
    await this.#observer.query(
      'truncate coinlab.sweep, coinlab.sweep_part, coinlab.sweep_result, audit_result, audit_fault',
    );
    const sweeping = this.#sweep('out', '--queue', this.#address, '--parts', String(PARTS));
    const held = await this.#until(
      `select part, split_part(holder, ':', 2)::integer as pid from coinlab.sweep_part where holder is not null and not is_done`,
    );
    await pause(this.#chance() * 300);
    const began = performance.now();
    const pid = Number(held['pid']);
    const worker = this.#workers.find((one) => one.process.pid === pid);
    if (!worker) throw new Error(`part ${String(held['part'])} is held by the unknown process ${pid}`);
    if (fault === 'kill') {
      worker.process.kill('SIGKILL');
      worker.proxy.close();
      this.#workers = this.#workers.filter((one) => one !== worker);
      await this.#startWorker();
    } else if (fault === 'freeze' || fault === 'silence') {
      if (fault === 'freeze') worker.process.kill('SIGSTOP');
      else worker.proxy.silence();
      // Its player, another process, computes on: it writes its late result when it continues.
      await this.#until(
        `select 1 from coinlab.sweep_part having count(*) filter (where split_part(holder, ':', 2) = '${pid}') = 0`,
      );
      await pause(this.#chance() * 500);
      if (fault === 'freeze') worker.process.kill('SIGCONT');
      else worker.proxy.speak();
    } else {
      await this.#cluster.stop('immediate');
      await pause(this.#chance() * 500);
      await this.#cluster.start();
    }
    const { code, told } = await sweeping;
    const outageMillis = performance.now() - began;
    const faults = [...(await this.#observer.faults())];
    if (code !== 0) faults.push(`the sweep ended with ${code}: ${told}`);
    if (JSON.stringify(this.#bytesIn('out')) !== JSON.stringify(this.#expected))
      faults.push('the joined files differ from those of one worker');
    const [row] = await this.#observer.query(
      `select (select count(*) from audit_result) as attempts, (select count(*) from coinlab.sweep_result) as results,
         (select count(*) from coinlab.sweep_part where is_done and fault is null) as done`,
    );
    const [attempts, results, done] = [row?.['attempts'], row?.['results'], row?.['done']].map(Number);
    if (results !== PARTS || done !== PARTS) faults.push(`${results} results and ${done} parts, expected ${PARTS}`);
    return { outageMillis, acknowledged: PARTS, refused: (attempts ?? 0) - PARTS, faults };
  }

  async #startWorker(): Promise<void> {
    const proxy = await SilentProxy.start(join(this.#cluster.folder, '.s.PGSQL.5432'));
    const worker = spawn(
      process.execPath,
      [
        program(),
        'work',
        proxy.addressOf(this.#address),
        '--workers',
        '1',
        '--lease',
        String(LEASE_SECONDS),
        '--quiet',
      ],
      { cwd: root, stdio: 'ignore' },
    );
    this.#workers.push({ process: worker, proxy });
  }

  /** Runs the sweep with its files in a folder of the given name. */
  #sweep(out: string, ...flags: readonly string[]): Promise<Ended> {
    rmSync(join(this.#folder, out), { recursive: true, force: true });
    mkdirSync(join(this.#folder, out));
    const file = join(this.#folder, 'sweep.json');
    const child = spawn(
      process.execPath,
      [program(), 'sweep', file, '--out', join(this.#folder, out), '--quiet', ...flags],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let told = '';
    child.stderr.on('data', (data: Buffer) => (told += data.toString()));
    return new Promise((resolve) => child.once('exit', (code) => resolve({ code, told })));
  }

  #bytesIn(out: string): Readonly<Record<string, string>> {
    const folder = join(this.#folder, out);
    const names = readdirSync(folder).filter((name) => name !== 'parts');
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
  }

  async #until(text: string): Promise<Readonly<Record<string, unknown>>> {
    for (const end = performance.now() + LONGEST_MILLIS; performance.now() < end; await pause(10)) {
      const [row] = await this.#observer.query(text).catch(() => []);
      if (row) return row;
    }
    throw new Error(`no rows within ${LONGEST_MILLIS / 1_000} s: ${text}`);
  }
}
