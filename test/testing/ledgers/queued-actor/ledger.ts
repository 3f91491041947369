import { EventEmitter, once } from 'node:events';

export interface Message {
  readonly verb: string;
  readonly user: string;
  readonly at: number;
  readonly args: readonly string[];
}

interface Letter {
  readonly message: Message;
  readonly reply: (answer: string) => void;
}

/** Storage that answers later, like a database. */
class Table {
  readonly #rows = new Map<string, string>();

  async read(key: string): Promise<string | undefined> {
    await Promise.resolve();
    return this.#rows.get(key);
  }

  async write(key: string, value: string | undefined): Promise<void> {
    await Promise.resolve();
    if (value === undefined) this.#rows.delete(key);
    else this.#rows.set(key, value);
  }
}

/** An actor with a mailbox: it handles one message after the other, each by several reads and writes. Answers are `ok …` or `no …`. */
export class Teller {
  readonly #table = new Table();
  readonly #mailbox: Letter[] = [];
  readonly #bell = new EventEmitter();
  #tickets = 0;
  #isOpen = true;

  constructor() {
    void this.#work();
  }

  ask(message: Message): Promise<string> {
    return new Promise((reply) => {
      this.#mailbox.push({ message, reply });
      this.#bell.emit('letter');
    });
  }

  close(): void {
    this.#isOpen = false;
    this.#bell.emit('letter');
  }

  async #work(): Promise<void> {
    while (this.#isOpen) {
      const letter = this.#mailbox.shift();
      if (letter) letter.reply(await this.#handle(letter.message));
      else await once(this.#bell, 'letter');
    }
  }

  async #handle({ verb, user, at, args }: Message): Promise<string> {
    const [first = '', second = '', third = '', fourth = ''] = args;
    if (verb === 'show') return `${await this.#cell(`free/${first}`)} ${await this.#cell(`kept/${first}`)}`;
    if (verb === 'issue') return this.#add(`free/${first}`, BigInt(second));
    if (verb === 'send') return this.#send(user, first, second, BigInt(third));
    if (verb === 'keep') return this.#keep(user, first, second, BigInt(third), fourth);
    if (verb === 'fetch') return this.#finish(user, first, 'fetch', at);
    if (verb === 'decline' || verb === 'undo') return this.#finish(user, first, verb, at);
    return `no such verb: ${verb}`;
  }

  async #send(user: string, payer: string, payee: string, sum: bigint): Promise<string> {
    const free = await this.#cell(`free/${payer}`);
    if (user !== payer) return 'no: wrong user';
    if (sum < 1n || sum > free) return 'no: funds';
    await this.#add(`free/${payer}`, -sum);
    return this.#add(`free/${payee}`, sum);
  }

  async #keep(user: string, payer: string, payee: string, sum: bigint, until: string): Promise<string> {
    const free = await this.#cell(`free/${payer}`);
    if (user !== payer) return 'no: wrong user';
    if (sum < 1n || sum > free) return 'no: funds';
    await this.#add(`free/${payer}`, -sum);
    await this.#add(`kept/${payer}`, sum);
    const ticket = `T${(this.#tickets += 1)}`;
    await this.#table.write(ticket, JSON.stringify([payer, payee, String(sum), until]));
    return `ok ${ticket}`;
  }

  async #finish(user: string, ticket: string, verb: 'fetch' | 'decline' | 'undo', at: number): Promise<string> {
    const row = await this.#table.read(ticket);
    if (row === undefined) return 'no: unknown ticket';
    const [payer, payee, sum, until] = JSON.parse(row) as [string, string, string, string];
    const entitled = verb === 'undo' ? payer : payee;
    if (user !== entitled) return 'no: wrong user';
    if (verb === 'fetch' && Number(until) <= at) return 'no: too late';
    await this.#table.write(ticket, undefined);
    await this.#add(`kept/${payer}`, -BigInt(sum));
    return this.#add(`free/${verb === 'fetch' ? payee : payer}`, BigInt(sum));
  }

  async #cell(key: string): Promise<bigint> {
    return BigInt((await this.#table.read(key)) ?? '0');
  }

  async #add(key: string, sum: bigint): Promise<string> {
    await this.#table.write(key, String((await this.#cell(key)) + sum));
    return 'ok';
  }
}
