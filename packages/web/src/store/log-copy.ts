export interface LedgerContract {
  readonly id: number;
  readonly template: string;
  readonly [field: string]: unknown;
}

export interface Update {
  readonly offset: number;
  readonly updateId: string;
  readonly recordTime: string;
  readonly kind: string;
  readonly actAs: readonly string[];
  readonly archived: readonly number[];
  readonly created: readonly LedgerContract[];
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Lived {
  readonly contract: LedgerContract;
  readonly born: number;
  /** Null: active. */
  gone: number | null;
}

/** Each contract keeps the offsets of its creation and of its archival, so moving the slider replays nothing. */
export class LogCopy {
  readonly #updates: Update[] = [];
  readonly #millis: number[] = [];
  readonly #lived: Lived[] = [];
  readonly #byId: Map<number, Lived> = new Map();
  readonly #byTemplate: Map<string, Lived[]> = new Map();

  readonly #most: number;

  /** @param most later updates are ignored: they would not fit into the tab */
  constructor(most: number = Infinity) {
    this.#most = most;
  }

  get length(): number {
    return this.#updates.length;
  }

  get lived(): readonly Lived[] {
    return this.#lived;
  }

  get templates(): readonly string[] {
    return [...this.#byTemplate].flatMap(([name, all]) => (all.length === 0 ? [] : name));
  }

  ofTemplate(template: string): readonly Lived[] {
    return this.#byTemplate.get(template) ?? [];
  }

  millisAt(offset: number): number {
    const known = this.#millis[offset - 1];
    if (known !== undefined) return known;
    const millis = Date.parse(this.#updates[offset - 1]?.recordTime ?? '');
    return Number.isNaN(millis) ? 0 : (this.#millis[offset - 1] = millis);
  }

  updateAt(offset: number): Update | null {
    return this.#updates[offset - 1] ?? null;
  }

  get(id: number): Lived | null {
    return this.#byId.get(id) ?? null;
  }

  add(update: Update): void {
    if (this.#updates.length >= this.#most) return;
    this.#updates.push(update);
    for (const id of update.archived) {
      const lived = this.#byId.get(id);
      if (lived) lived.gone = update.offset;
    }
    for (const contract of update.created) {
      const lived: Lived = { contract, born: update.offset, gone: null };
      this.#lived.push(lived);
      this.#byId.set(contract.id, lived);
      const alike = this.#byTemplate.get(contract.template);
      if (alike) alike.push(lived);
      else this.#byTemplate.set(contract.template, [lived]);
    }
  }

  cut(offset: number): void {
    while (this.#updates.length > offset) {
      const update = this.#updates.pop();
      for (const id of update?.archived ?? []) {
        const lived = this.#byId.get(id);
        if (lived) lived.gone = null;
      }
      for (const { id } of update?.created ?? []) this.#byId.delete(id);
    }
    this.#millis.length = Math.min(this.#millis.length, this.#updates.length);
    for (const all of [this.#lived, ...this.#byTemplate.values()]) while ((all.at(-1)?.born ?? 0) > offset) all.pop();
  }
}

export function isActiveAt({ born, gone }: Lived, offset: number): boolean {
  return born <= offset && (gone === null || gone > offset);
}

export function activeOf(log: Pick<LogCopy, 'ofTemplate'>, template: string, offset: number): readonly Lived[] {
  return log.ofTemplate(template).filter((one) => isActiveAt(one, offset));
}
