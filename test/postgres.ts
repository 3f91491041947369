import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { skipsWithout } from './required.ts';

const run = promisify(execFile);

const DEBIAN = '/usr/lib/postgresql';
const PLACES = [
  process.env['POSTGRES_BIN'],
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []),
  '/opt/homebrew/bin',
  '/usr/local/bin',
  '/usr/bin',
];
const bin = PLACES.find((place) => place !== undefined && place !== '' && existsSync(join(place, 'initdb')));

/** Without PostgreSQL its tests are skipped, unless COINLAB_REQUIRE=postgres. */
export const hasNoPostgres = skipsWithout(
  'postgres',
  bin !== undefined,
  'install PostgreSQL (Debian: apt-get install postgresql), or set POSTGRES_BIN to the folder of initdb',
);

/** A PostgreSQL cluster of its own in a temporary folder, reachable by a socket in that folder only. */
export interface Cluster {
  readonly folder: string;
  freshDatabase(): Promise<string>;
  start(): Promise<void>;
  /** Stops the cluster. `immediate` is a crash: the next start replays the write-ahead log. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Runs a client program such as `pg_dump` or `psql` and returns its output. */
  client(program: string, ...args: readonly string[]): Promise<string>;
  /** Stops the cluster and removes its folder. The end of this process does so, too. */
  remove(): Promise<void>;
}

let shared: Promise<Cluster> | null = null;

/** The cluster of this process, for tests that only need databases of their own. */
export function sharedCluster(): Promise<Cluster> {
  return (shared ??= startCluster());
}

/**
 * Creates and starts a cluster with `fsync` on.
 * @param parent folder for that of the cluster. Not TMPDIR: a socket path has at most 107 bytes, and TMPDIR belongs to the tests' user
 */
export async function startCluster(parent: string = join(sep, 'tmp')): Promise<Cluster> {
  const folder = mkdtempSync(join(parent, 'coinlab-pg-'));
  const owner = unprivileged();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const program = (name: string, ...args: readonly string[]): Promise<{ stdout: string }> =>
    run(join(bin ?? '', name), args, { ...owner, cwd: folder, maxBuffer: 2 ** 28 });
  guard(folder, owner);
  await program('initdb', '-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '-N');
  const settings = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=on`;
  const cluster: Cluster = {
    folder,
    async start() {
      await program('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', join(folder, 'log'), '-o', settings);
    },
    async stop(mode) {
      await program('pg_ctl', 'stop', '-w', '-s', '-D', data, '-m', mode);
    },
    async freshDatabase() {
      const name = `d${(databases += 1)}`;
      const client = new pg.Client(addressOf(folder, 'postgres'));
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return addressOf(folder, name);
    },
    client: async (name, ...args) => (await program(name, ...args)).stdout,
    async remove() {
      if (existsSync(join(data, 'postmaster.pid'))) await cluster.stop('immediate');
      await run('rm', ['-rf', folder]);
    },
  };
  await cluster.start();
  return cluster;
}

const USER = 'coinlab';
let databases = 0;

function addressOf(folder: string, database: string): string {
  return `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(folder)}`;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: its programs then run as another user. */
function unprivileged(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  // Any user without rights will do when the Debian package's is missing.
  const [, , uid = 65_534, gid = 65_534] = users.find((line) => line.startsWith('postgres:'))?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Starts a shell that waits for the end of this process, however it ends, and then stops the cluster and removes its folder. */
function guard(folder: string, owner: Owner | null): void {
  const script = `cat > /dev/null; [ -f data/postmaster.pid ] && kill -QUIT $(head -n 1 data/postmaster.pid) && sleep 1; cd /; rm -rf '${folder}'`;
  const shell = spawn('sh', ['-c', script], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  // A pipe is a socket, which would keep the event loop running.
  if (shell.stdin && 'unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
}
