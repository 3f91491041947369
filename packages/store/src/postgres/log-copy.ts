import { codec, type Update } from '@coinlab/core';
import { DamagedLog, type Damage, type Head } from '../port.js';
import { NO_HASH } from '../record.js';
import { LineSpool, type Records } from './line-spool.js';
import { decoded, readPage } from './read-rows.js';
import type { Session } from './session.js';
import type { LogFollower } from './shared-store.js';

export class LogCopy {
  readonly #log: string;
  readonly #spool: LineSpool = new LineSpool();
  #head: Head = { offset: 0, hash: NO_HASH };
  #follower: LogFollower | null = null;
  /** Updates of other servers before the first {@link follow}. */
  #pending: Update[] = [];

  constructor(log: string) {
    this.#log = log;
  }

  get head(): Head {
    return this.#head;
  }

  add(records: Records): void {
    this.#spool.add(records);
    this.#head = records.head;
  }

  lineAt(offset: number): string {
    return this.#spool.lineAt(offset);
  }

  *read(from: number): Iterable<Update> {
    for (let offset = from; offset <= this.#head.offset; offset++) {
      const update = codec.decode(this.lineAt(offset), offset);
      if (!update.ok) throw new Error(`the update at offset ${offset} cannot be read: ${update.error.reason}`);
      yield update.value;
    }
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
    const updates = this.#pending.splice(0);
    if (updates.length > 0) follower.followed(updates);
  }

  async catchUp(session: Session, target: Head): Promise<void> {
    if (target.offset < this.#head.offset)
      throw damagedAt(
        target,
        `the log was restored to an earlier offset than ${this.#head.offset}; restart this server`,
      );
    while (this.#head.offset < target.offset) {
      const page = await readPage(session, this.#log, this.#head);
      if (!page.ok) throw new DamagedLog(page.error);
      const updates = decoded(page.value);
      if (!updates.ok) throw new DamagedLog(updates.error);
      if (updates.value.length === 0) throw damagedAt(target, `the records end at offset ${this.#head.offset}`);
      this.add(page.value);
      if (this.#follower) this.#follower.followed(updates.value);
      else this.#pending.push(...updates.value);
    }
    if (this.#head.offset === target.offset && target.offset > 0 && this.#head.hash !== target.hash)
      throw damagedAt(target, 'the hash differs from the record at this offset');
  }

  close(): void {
    this.#spool.close();
  }
}

function damagedAt({ offset }: Head, reason: string): DamagedLog {
  const damage: Damage = { file: 'coinlab.log', byte: 0, offset, reason };
  return new DamagedLog(damage);
}
