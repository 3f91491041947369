import pg from 'pg';

/**
 * Triggers that record every change of the tables in the order of the database: the fencing token of each record, decreasing tokens and
 * heads, changed records, and each attempt to write a result, also one that the database ignores.
 */
const TRIGGERS = `
create table if not exists audit_fault (fault text not null);
create table if not exists audit_record (log text not null, position bigint not null, token bigint not null, primary key (log, position));
create table if not exists audit_result (sweep text not null, part integer not null);
create or replace function audit_log() returns trigger language plpgsql as $$ begin
  if new.token < old.token then insert into audit_fault values ('the token fell from ' || old.token || ' to ' || new.token); end if;
  if new.head < old.head then insert into audit_fault values ('the head fell from ' || old.head || ' to ' || new.head); end if;
  return new;
end $$;
create or replace function audit_record() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' then insert into audit_fault values (tg_op || ' of the record at offset ' || old.position); return null; end if;
  insert into audit_record select new.log, new.position, token from coinlab.log where name = new.log;
  return null;
end $$;
create or replace function audit_result() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' then insert into audit_fault values (tg_op || ' of the result of part ' || old.part); return old; end if;
  insert into audit_result values (new.sweep, new.part);
  return new;
end $$;`;

const ON_LOG = `
create trigger audit before update on coinlab.log for each row execute function audit_log();
create trigger audit after insert or update or delete on coinlab.record for each row execute function audit_record();`;

const ON_RESULTS = `
create trigger audit before insert or update on coinlab.sweep_result for each row execute function audit_result();`;

type Row = Readonly<Record<string, unknown>>;

/** A connection for watching a database, opened again after a failure. */
export class Observer {
  readonly #address: string;
  #client: pg.Client | null = null;

  constructor(address: string) {
    this.#address = address;
  }

  /** Throws while the database is away. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const client = this.#client ?? (await this.#connected());
    try {
      return (await client.query<Record<string, unknown>>(text, [...values])).rows;
    } catch (error) {
      this.#client = null;
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Watches the tables of the given kind, which must exist. */
  async audit(tables: 'log' | 'results'): Promise<void> {
    await this.query(TRIGGERS);
    await this.query(tables === 'log' ? ON_LOG : ON_RESULTS);
  }

  /** Returns the violations that the triggers found so far. */
  async faults(): Promise<readonly string[]> {
    const rows = await this.query(
      `select fault from audit_fault union all
       select 'the record at offset ' || position || ' has token ' || token || ' after ' || before from (
         select position, token, lag(token) over (partition by log order by position) as before from audit_record) as pairs
       where token < before`,
    );
    return rows.map(({ fault }) => String(fault));
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }

  async #connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#address });
    const forget = (): void => {
      if (this.#client === client) this.#client = null;
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    return (this.#client = client);
  }
}
