import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serve, type Serving } from '../cli/coinlab.ts';
import type { Cluster } from '../postgres.ts';
import { Observer } from './audit.ts';
import { SilentProxy } from './silent-proxy.ts';
import {
  compareWithLog,
  noAnswers,
  offer,
  partiesOf,
  readiness,
  stateOf,
  type Answers,
  type Target,
} from './wallets.ts';

export const LEASE_SECONDS = 1;
const CLIENTS = 8;
/** Time after which a client asks another server. */
const PATIENCE_MILLIS = 1_500;
/** Writes to a frozen server, which it reads when it continues. */
const ZOMBIE_WRITES = 5;
const LOADED = 30;
const RECOVERED = 10;
const LONGEST_OUTAGE_MILLIS = 120_000;

/** Faults of a server, or of the database under it. */
export const SERVER_FAULTS = ['kill', 'freeze', 'crash', 'terminate', 'silence'] as const;
export type ServerFault = (typeof SERVER_FAULTS)[number];

interface Server extends Target {
  readonly name: string;
  readonly proxy: SilentProxy;
  readonly serving: Serving;
}

export interface Round {
  /** Time from the fault to the first acknowledged command after it. */
  readonly outageMillis: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly faults: readonly string[];
}

/** Two servers of one log, under load from clients that repeat unanswered commands. */
export class Pair {
  readonly #cluster: Cluster;
  readonly #address: string;
  readonly #log: string;
  readonly #observer: Observer;
  readonly #chance: () => number;
  readonly #answers: Answers = noAnswers();
  #servers: readonly Server[] = [];
  #parties: readonly string[] = [];
  #writer = 0;
  #count = 0;
  #generation = 0;

  private constructor(cluster: Cluster, address: string, log: string, chance: () => number) {
    this.#cluster = cluster;
    this.#address = address;
    this.#log = log;
    this.#chance = chance;
    this.#observer = new Observer(address);
  }

  static async start(cluster: Cluster, chance: () => number = Math.random): Promise<Pair> {
    const pair = new Pair(cluster, await cluster.freshDatabase(), 'pair', chance);
    pair.#servers = [await pair.#startServer()];
    await pair.#observer.audit('log');
    pair.#servers = [...pair.#servers, await pair.#startServer()];
    pair.#parties = await partiesOf(pair.#servers[0] as Server);
    return pair;
  }

  async close(): Promise<void> {
    for (const { serving, proxy } of this.#servers) {
      if (serving.process.exitCode === null && serving.process.signalCode === null) await serving.end('SIGKILL');
      proxy.close();
    }
    await this.#observer.close();
  }

  async #startServer(): Promise<Server> {
    const name = `server-${(this.#generation += 1)}`;
    const proxy = await SilentProxy.start(join(this.#cluster.folder, '.s.PGSQL.5432'));
    const address = proxy.addressOf(`${this.#address}&log=${this.#log}&application_name=${name}`);
    const serving = await serve('--dev', '--store', address, '--lease', String(LEASE_SECONDS));
    const tokens = Array.from(serving.printed.matchAll(/^ {2}\S+ +(\S+\.\S+\.\S+)$/gm), ([, token = '']) => token);
    // The first one is the operator's.
    const headers = tokens.slice(1).map((token) => ({ authorization: `Bearer ${token}` }));
    return { name, proxy, serving, url: serving.url, headers };
  }

  async round(fault: ServerFault): Promise<Round> {
    const { faults, offered } = this.#answers;
    const before = offered.size;
    const ended = new AbortController();
    const load = [
      ...Array.from({ length: CLIENTS }, (_, user) => this.#client(user, ended.signal)),
      this.#watch(ended.signal),
    ];
    await this.#until(() => offered.size >= before + LOADED);
    await pause(this.#chance() * 200);
    const zombies: { readonly id: string; readonly token: number }[] = [];
    let refused = 0;
    const began = performance.now();
    const heal = await this.#breakWith(fault, zombies);
    const broken = offered.size;
    await this.#until(() => offered.size > broken);
    const outageMillis = performance.now() - began;
    refused += await heal();
    const healed = offered.size;
    await this.#until(() => offered.size >= healed + RECOVERED);
    ended.abort();
    await Promise.all(load);
    await this.#repeatUnanswered();
    const offsets = await compareWithLog(`${this.#address}&log=${this.#log}`, this.#answers);
    for (const { id, token } of zombies) {
      const [row] = await this.#observer.query('select token from audit_record where log = $1 and position = $2', [
        this.#log,
        offsets.get(id) ?? 0,
      ]);
      if (row && Number(row['token']) <= token) faults.push(`the log has ${id}, which a former writer wrote`);
    }
    faults.push(...(await this.#observer.faults()));
    return { outageMillis, acknowledged: offered.size - before, refused, faults: faults.splice(0) };
  }

  /** Returns a function that ends the fault, if it does not end by itself, and returns the number of refused writes. */
  async #breakWith(
    fault: ServerFault,
    zombies: { readonly id: string; readonly token: number }[],
  ): Promise<() => Promise<number>> {
    const at = await this.#writerNow();
    const writer = this.#servers[at] as Server;
    const token = await this.#token();
    const healed = async (): Promise<number> => 0;
    switch (fault) {
      case 'kill':
        await writer.serving.end('SIGKILL');
        return async () => {
          writer.proxy.close();
          const replacement = await this.#startServer();
          this.#servers = this.#servers.with(at, replacement);
          return 0;
        };
      case 'freeze': {
        writer.serving.process.kill('SIGSTOP');
        return async () => {
          await this.#until(async () => (await this.#token()) > token);
          const writes = Array.from({ length: ZOMBIE_WRITES }, (_, user) => {
            const id = this.#nextId('zombie');
            zombies.push({ id, token });
            return offer(writer, this.#offer(user, id), this.#answers);
          });
          await pause(50);
          writer.serving.process.kill('SIGCONT');
          return (await Promise.all(writes)).filter((isAnswered) => !isAnswered).length;
        };
      }
      case 'silence':
        writer.proxy.silence();
        return async () => {
          await this.#until(async () => (await this.#token()) > token);
          writer.proxy.speak();
          return 0;
        };
      case 'crash':
        await this.#cluster.stop('immediate');
        await this.#until(async () => (await this.#ready()).every((status) => status === 503));
        await pause(this.#chance() * 500);
        await this.#cluster.start();
        return healed;
      case 'terminate':
        await this.#observer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
          [writer.name],
        );
        return healed;
    }
  }

  #offer(user: number, id: string): { readonly user: number; readonly id: string; readonly receiver: string } {
    return { user, id, receiver: this.#parties[(user + 1) % this.#parties.length] ?? '' };
  }

  #nextId(name: string): string {
    return `${name}-${(this.#count += 1)}`;
  }

  /** Pays until the signal aborts, and asks the other server when one refuses or does not answer. */
  async #client(user: number, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const at = this.#writer;
      const wish = this.#offer(user, this.#nextId(`offer-${user}`));
      const server = this.#servers[at] as Server;
      if (await offer(server, wish, this.#answers, AbortSignal.timeout(PATIENCE_MILLIS))) continue;
      if (this.#writer === at) this.#writer = (at + 1) % this.#servers.length;
      await pause(20);
    }
  }

  /** Reads both servers: no state may be ahead of the database. */
  async #watch(ended: AbortSignal): Promise<void> {
    const { checkpoints, faults } = this.#answers;
    for (let i = 0; !ended.aborted; i++) {
      await pause(50);
      const server = this.#servers[i % this.#servers.length] as Server;
      const state = await stateOf(server, AbortSignal.timeout(PATIENCE_MILLIS)).catch(() => null);
      if (!state) continue;
      checkpoints.push(state);
      const [row] = await this.#observer
        .query('select head from coinlab.log where name = $1', [this.#log])
        .catch(() => []);
      if (row && Number(row['head']) < state.offset)
        faults.push(`${server.name} showed offset ${state.offset}; the database has ${Number(row['head'])}`);
    }
  }

  /** Repeats the commands without an answer, under their tracking ids. */
  async #repeatUnanswered(): Promise<void> {
    const { unanswered } = this.#answers;
    await this.#until(async () => {
      const server = this.#servers[await this.#writerNow()] as Server;
      for (const [id, user] of unanswered)
        await offer(server, this.#offer(user, id), this.#answers, AbortSignal.timeout(PATIENCE_MILLIS));
      return unanswered.size === 0;
    });
  }

  async #writerNow(): Promise<number> {
    let found = -1;
    await this.#until(async () => (found = (await this.#ready()).indexOf(200)) >= 0);
    return found;
  }

  /** Returns the status of `/readyz` of each server; 0 without an answer. */
  #ready(): Promise<number[]> {
    return Promise.all(
      this.#servers.map((server) => readiness(server, AbortSignal.timeout(PATIENCE_MILLIS)).catch(() => 0)),
    );
  }

  async #token(): Promise<number> {
    const [row] = await this.#observer.query('select token from coinlab.log where name = $1', [this.#log]);
    return Number(row?.['token']);
  }

  async #until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = performance.now() + LONGEST_OUTAGE_MILLIS; performance.now() < end; await pause(10)) {
      if (this.#answers.faults.length > 0) throw new Error(this.#answers.faults.join('\n'));
      if (await isTrue()) return;
    }
    const told = this.#servers.map(({ name, serving }) => {
      const lines = serving.told().split('\n');
      return [`${name}:`, ...lines.filter((line) => !line.includes('"msg":"request"')).slice(-20)].join('\n');
    });
    for (const { url } of this.#servers)
      told.push(
        await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MILLIS) }).then((r) => r.text(), String),
      );
    throw new Error(`not within ${LONGEST_OUTAGE_MILLIS / 1_000} s: ${String(isTrue)}\n${told.join('\n')}`);
  }
}
