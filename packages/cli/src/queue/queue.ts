import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionLost, isPostgresAddress, parsePostgresAddress, Session } from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { CREATE_TABLES, HAS_TABLES } from './tables.js';

export interface QueuedSweep {
  readonly hash: string;
  readonly name: string;
  readonly file: string;
  readonly version: string;
  readonly parts: number;
  readonly runs: number;
  readonly isCancelled: boolean;
  readonly done: number;
  readonly held: number;
  readonly failing: readonly FailingPart[];
  readonly secondsPerPart: number | null;
}

interface FailingPart {
  readonly part: number;
  readonly fault: string;
}

export interface HeldPart {
  readonly sweep: string;
  readonly part: number;
  readonly parts: number;
}

export interface NewSweep extends Pick<QueuedSweep, 'hash' | 'name' | 'file' | 'version' | 'parts' | 'runs'> {
  readonly plan: Uint8Array;
}

/** Attempts after which a part without a result is given up. */
export const MOST_ATTEMPTS = 5;
const [FIRST_WAIT, LONGEST_WAIT] = [100, 2_000];

export class SweepQueue {
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #onNote: (note: string) => void;

  private constructor(session: Session, signal: AbortSignal, onNote: (note: string) => void) {
    this.#session = session;
    this.#signal = signal;
    this.#onNote = onNote;
  }

  static async open(address: string, signal: AbortSignal, onNote: (note: string) => void): Promise<SweepQueue> {
    const parsed = parsePostgresAddress(address);
    if (!isPostgresAddress(address) || !parsed.ok)
      throw new BadInput(`got '${address}', expected an address such as postgres://user@host/database`);
    const { connection, shown } = parsed.value;
    const session = new Session({ connection, setUp: 'set synchronous_commit = on' });
    try {
      const [tables] = await session.query(HAS_TABLES);
      if (tables?.['found'] !== true) await session.query(CREATE_TABLES);
    } catch (error) {
      await session.close();
      throw new BadInput(`${shown}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return new SweepQueue(session, signal, onNote);
  }

  async add({ hash, name, file, version, parts, runs, plan }: NewSweep): Promise<boolean> {
    const rows = await this.#query(
      `with added as (
         insert into coinlab.sweep (hash, name, file, version, parts, runs, plan, plan_sha256)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning hash, parts
       )
       insert into coinlab.sweep_part (sweep, part) select hash, generate_series(1, parts) from added returning part`,
      [hash, name, file, version, parts, runs, Buffer.from(plan), sha256(plan)],
    );
    return rows.length > 0;
  }

  async sweeps(): Promise<readonly QueuedSweep[]> {
    const rows = await this.#query(
      `select s.hash, s.name, s.file, s.version, s.parts, s.runs, s.is_cancelled,
         count(*) filter (where p.is_done) as done,
         count(*) filter (where not p.is_done and p.expires > clock_timestamp()) as held,
         avg(p.seconds) as seconds,
         coalesce(json_agg(json_build_object('part', p.part, 'fault', coalesce(p.fault, 'its workers ended'))
           order by p.part) filter (where p.fault is not null or (not p.is_done and p.attempts >= $1
             and (p.expires is null or p.expires < clock_timestamp()))), '[]') as failing
       from coinlab.sweep s join coinlab.sweep_part p on p.sweep = s.hash group by s.hash order by s.created`,
      [MOST_ATTEMPTS],
    );
    return rows.map((row) => ({
      hash: String(row['hash']),
      name: String(row['name']),
      file: String(row['file']),
      version: String(row['version']),
      parts: Number(row['parts']),
      runs: Number(row['runs']),
      isCancelled: row['is_cancelled'] === true,
      done: Number(row['done']),
      held: Number(row['held']),
      // Cast: the statement above makes this list.
      failing: row['failing'] as readonly FailingPart[],
      secondsPerPart: row['seconds'] === null ? null : Number(row['seconds']),
    }));
  }

  async plan(hash: string): Promise<Uint8Array> {
    const [row] = await this.#query('select plan, plan_sha256 from coinlab.sweep where hash = $1', [hash]);
    const plan = row?.['plan'];
    if (!(plan instanceof Uint8Array) || sha256(plan) !== row?.['plan_sha256'])
      throw new Error(`the plan of sweep ${hash.slice(0, 12)} in the database is damaged`);
    return plan;
  }

  /**
   * Takes a part of a sweep of this version: the part that the holder already has, else one that is free or whose
   * holder has been silent for its lease. Older sweeps come first, then parts with fewer attempts.
   */
  async take(holder: string, version: string, leaseMillis: number): Promise<HeldPart | null> {
    // The lateral query stops at the first free part in the order of the index, so a take costs the same at any number of parts.
    const [row] = await this.#query(
      `with own as (
         select sweep, part from coinlab.sweep_part o join coinlab.sweep s on s.hash = o.sweep
         where o.holder = $1 and not o.is_done and not s.is_cancelled and s.version = $2 limit 1 for update of o
       ), free as (
         select one.sweep, one.part from (
           select hash from coinlab.sweep where not is_cancelled and version = $2 order by created
         ) q cross join lateral (
           select o.sweep, o.part from coinlab.sweep_part o
           where o.sweep = q.hash and not o.is_done and o.attempts < $4
             and (o.expires is null or o.expires < clock_timestamp())
           order by o.attempts, o.part limit 1 for update skip locked
         ) one where not exists (select from own) limit 1
       )
       update coinlab.sweep_part p
       set holder = $1, attempts = p.attempts + 1, expires = clock_timestamp() + $3::float8 * interval '1 millisecond'
       from coinlab.sweep s
       where s.hash = p.sweep and (p.sweep, p.part) in (select * from own union all select * from free)
       returning p.sweep, p.part, s.parts`,
      [holder, version, leaseMillis, MOST_ATTEMPTS],
    );
    return row ? { sweep: String(row['sweep']), part: Number(row['part']), parts: Number(row['parts']) } : null;
  }

  /** Returns false when the part is done, cancelled or held by another worker. */
  async beat(holder: string, { sweep, part }: HeldPart, leaseMillis: number): Promise<boolean> {
    const rows = await this.#query(
      `update coinlab.sweep_part p set expires = clock_timestamp() + $4::float8 * interval '1 millisecond'
       from coinlab.sweep s
       where s.hash = p.sweep and not s.is_cancelled and p.sweep = $2 and p.part = $3 and p.holder = $1 and not p.is_done
       returning 1`,
      [holder, sweep, part, leaseMillis],
    );
    return rows.length > 0;
  }

  async giveBack(holder: string, { sweep, part }: HeldPart): Promise<void> {
    await this.#session.query(
      `update coinlab.sweep_part set holder = null, expires = null, attempts = attempts - 1
       where sweep = $2 and part = $3 and holder = $1 and not is_done`,
      [holder, sweep, part],
    );
  }

  /**
   * Another worker may have written a result first. Returns whether it equals this one; a different result is recorded as a fault
   * of the part.
   */
  async write({ sweep, part }: HeldPart, body: string, seconds: number): Promise<boolean> {
    await this.#query(
      `with added as (
         insert into coinlab.sweep_result (sweep, part, body) values ($1, $2, $3) on conflict do nothing
       )
       update coinlab.sweep_part set is_done = true, holder = null, expires = null, seconds = coalesce(seconds, $4)
       where sweep = $1 and part = $2`,
      [sweep, part, body, seconds],
    );
    const rows = await this.#query(
      `update coinlab.sweep_part p set fault = 'two workers computed different results'
       from coinlab.sweep_result r
       where r.sweep = p.sweep and r.part = p.part and p.sweep = $1 and p.part = $2 and r.body <> $3 returning 1`,
      [sweep, part, body],
    );
    return rows.length === 0;
  }

  async results(hash: string): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let after = 0; ;) {
      const rows = await this.#query(
        'select part, body from coinlab.sweep_result where sweep = $1 and part > $2 order by part limit 200',
        [hash, after],
      );
      if (rows.length === 0) return found;
      for (const row of rows) found.set(`part ${(after = Number(row['part']))}`, String(row['body']));
    }
  }

  async cancel(hash: string): Promise<void> {
    await this.#query('update coinlab.sweep set is_cancelled = true where hash = $1', [hash]);
  }

  async resume(hash: string): Promise<void> {
    await this.#query('update coinlab.sweep set is_cancelled = false where hash = $1', [hash]);
    await this.#query(
      'update coinlab.sweep_part set attempts = 0 where sweep = $1 and not is_done and attempts >= $2',
      [hash, MOST_ATTEMPTS],
    );
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** All statements may be repeated: after a lost connection it is unknown whether the statement was executed. */
  async #query(text: string, values: readonly unknown[]): ReturnType<Session['query']> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      this.#signal.throwIfAborted();
      try {
        return await this.#session.query(text, values);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        if (wait === FIRST_WAIT) this.#onNote(`the database cannot be reached, waiting: ${error.message}`);
        await pause(wait, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
