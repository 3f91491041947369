/** A bank that issues notes to wallets. Notes and cheques are objects; no caller handles ids except to list them. */
export class Bank {
  readonly #wallets: Map<string, Wallet> = new Map();
  readonly cheques: Cheque[] = [];
  #serial = 0;

  wallet(owner: string): Wallet {
    const known = this.#wallets.get(owner);
    if (known) return known;
    const made = new Wallet(owner, this);
    this.#wallets.set(owner, made);
    return made;
  }

  print(value: bigint): Note {
    this.#serial++;
    return new Note(`N${this.#serial}`, value);
  }

  register(cheque: Cheque): number {
    return this.cheques.push(cheque) - 1;
  }
}

export class Note {
  readonly serial: string;
  readonly value: bigint;
  isVoid = false;

  constructor(serial: string, value: bigint) {
    this.serial = serial;
    this.value = value;
  }
}

export class Wallet {
  static readonly LIMIT = 100;
  readonly owner: string;
  readonly #bank: Bank;
  #notes: Note[] = [];
  readonly backing: Map<Cheque, Note> = new Map();

  constructor(owner: string, bank: Bank) {
    this.owner = owner;
    this.#bank = bank;
  }

  get notes(): readonly Note[] {
    return this.#notes;
  }

  put(note: Note): void {
    this.#notes.push(note);
  }

  /** The notes with these serial numbers; without serial numbers, the smallest notes that suffice. */
  pick(value: bigint, serials: readonly string[] | undefined): Note[] {
    if (serials) {
      if (new Set(serials).size < serials.length) throw new BankError('same note twice');
      return serials.map((serial) => {
        const note = this.#notes.find((one) => one.serial === serial);
        if (!note || note.isVoid) throw new BankError(`${serial} is not in the wallet of ${this.owner}`);
        return note;
      });
    }
    const sorted = [...this.#notes].sort((a, b) => (a.value < b.value ? -1 : 1));
    const picked: Note[] = [];
    for (let sum = 0n; sum < value && sorted.length > 0;) {
      const [note] = sorted.splice(0, 1);
      if (note) sum += picked[picked.push(note) - 1]?.value ?? 0n;
    }
    return picked;
  }

  /** Voids notes and returns a new one of the given value; the change goes back into the wallet. */
  exchange(notes: readonly Note[], value: bigint): Note {
    if (notes.length > Wallet.LIMIT) throw new BankError('more than 100 notes');
    const sum = notes.reduce((total, note) => total + note.value, 0n);
    if (value <= 0n || sum < value) throw new BankError(`${this.owner} cannot pay ${value}`);
    for (const note of notes) note.isVoid = true;
    this.#notes = this.#notes.filter((note) => !note.isVoid);
    if (sum > value) this.put(this.#bank.print(sum - value));
    return this.#bank.print(value);
  }

  payTo(other: Wallet, value: bigint, serials?: readonly string[]): void {
    other.put(this.exchange(this.pick(value, serials), value));
  }

  join(serials: readonly string[]): void {
    const notes = this.pick(0n, serials);
    this.put(
      this.exchange(
        notes,
        notes.reduce((total, note) => total + note.value, 0n),
      ),
    );
  }

  write(payee: Wallet, value: bigint, validUntil: number): Cheque {
    const note = this.exchange(this.pick(value, undefined), value);
    const cheque = new Cheque(this, payee, validUntil);
    this.backing.set(cheque, note);
    return cheque;
  }
}

export class Cheque {
  readonly drawer: Wallet;
  readonly payee: Wallet;
  readonly validUntil: number;
  #isOpen = true;

  constructor(drawer: Wallet, payee: Wallet, validUntil: number) {
    this.drawer = drawer;
    this.payee = payee;
    this.validUntil = validUntil;
  }

  cash(who: Wallet, today: number): void {
    if (who !== this.payee) throw new BankError('only the payee cashes a cheque');
    if (today >= this.validUntil) throw new BankError('the cheque is too old');
    this.payee.put(this.#close());
  }

  refuse(who: Wallet): void {
    if (who !== this.payee) throw new BankError('only the payee refuses a cheque');
    this.drawer.put(this.#close());
  }

  stop(who: Wallet): void {
    if (who !== this.drawer) throw new BankError('only the drawer stops a cheque');
    this.drawer.put(this.#close());
  }

  #close(): Note {
    const note = this.drawer.backing.get(this);
    if (!this.#isOpen || !note) throw new BankError('the cheque is closed');
    this.#isOpen = false;
    this.drawer.backing.delete(this);
    return note;
  }
}

export class BankError extends Error {
  override readonly name: string = 'BankError';
}
