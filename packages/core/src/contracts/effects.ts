import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { Outcome, ValueDetail } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import type { Contract, ContractOf, NewContract, TemplateName } from './contract.js';
import type { Holding } from './holding.js';
import { emptyState, findAny, type LedgerState } from './state.js';

const FEW = 8;

/**
 * The effects of a command, collected while it is decided: contracts archived and created, coin minted and burned.
 * Lookups see the state with these effects applied, so an operation of a batch can spend coins that an earlier one
 * created. The state changes only when the outcome becomes an update; a refused decision drops its effects.
 */
export class Effects {
  /**
   * Lives as long as the process: V8 discards all compiled code that knows a kind of object when a full collection frees
   * the last of them, and between commands there is none.
   */
  protected static readonly kept: Effects = /* @__PURE__ */ new Effects(emptyState());
  readonly #state: LedgerState;
  readonly #archived: ContractId[] = [];
  readonly #created: Contract[] = [];
  #gone: Set<ContractId> | null = null;
  #highest = 0;
  #next: number;
  #minted: Amount = Amount.zero;
  #burned: Amount = Amount.zero;

  constructor(state: LedgerState) {
    this.#state = state;
    this.#next = state.nextContract;
  }

  /** Returns the contract with an id if it is active at this point of the command; else null. */
  findAny(id: ContractId): Contract | null {
    if (id >= this.#state.nextContract) return this.#created[this.#placeOf(id)] ?? null;
    return this.#hasGone(id) ? null : findAny(this.#state, id);
  }

  find<Name extends TemplateName>(template: Name, id: ContractId): ContractOf<Name> | null {
    const contract = this.findAny(id);
    // TypeScript does not narrow by a generic template.
    return contract?.template === template ? (contract as ContractOf<Name>) : null;
  }

  hasArchived(id: ContractId): boolean {
    if (id >= this.#state.nextContract) return id < this.#next && this.#placeOf(id) < 0;
    return this.#hasGone(id);
  }

  /** Archives an active contract. A contract that this command created is dropped instead. */
  archive({ id }: Contract): void {
    const own = id >= this.#state.nextContract ? this.#placeOf(id) : null;
    invariant(own === null ? this.#go(id) : own >= 0, 'a contract is archived once', () => String(id));
    if (own === null) return;
    if (own === this.#created.length - 1) this.#created.pop();
    else this.#created.splice(own, 1);
  }

  #go(id: ContractId): boolean {
    if (this.#hasGone(id)) return false;
    this.#archived.push(id);
    this.#gone?.add(id);
    if (id > this.#highest) this.#highest = id;
    return true;
  }

  /** True while this command has archived no contract from before it. */
  get archivesNothing(): boolean {
    return this.#archived.length === 0;
  }

  /** Archives contracts that existed before the command. Call it before any other archive, with each id once. */
  archiveFirst(contracts: readonly ContractId[]): void {
    invariant(this.archivesNothing, 'these are the first to be archived');
    for (const contract of contracts) this.#go(contract);
  }

  #placeOf(id: ContractId): number {
    const created = this.#created;
    // Contracts created last are looked up most.
    let at = created.length - 1;
    while (at >= 0 && created[at]?.id !== id) at -= 1;
    return at;
  }

  #hasGone(id: ContractId): boolean {
    // Most lists ascend: an id above all of them is not in the list.
    if (id > this.#highest) return false;
    if (this.#archived.length <= FEW) return this.#archived.includes(id);
    this.#gone ??= new Set(this.#archived);
    return this.#gone.has(id);
  }

  /**
   * Creates a contract. Its id follows from the state and from its position in the update. Casts: an id, a template and
   * its fields are a contract, which TypeScript does not infer for a generic template.
   */
  create<Name extends TemplateName>(template: Name, fields: NewContract<Name>): ContractOf<Name> {
    const created: object = { id: this.#next as ContractId, template, ...fields };
    return this.#add(created as ContractOf<Name>);
  }

  /** Archives a contract and creates its successor with the given changes. */
  replace<C extends Contract>(old: C, changes: Partial<Omit<C, 'id' | 'template'>>): C {
    this.archive(old);
    return this.#add({ ...old, ...changes, id: this.#next as ContractId }); // The next number is the next id.
  }

  #add<C extends Contract>(created: C): C {
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** The id of the next contract. */
  get nextId(): ContractId {
    return this.#next as ContractId; // The next number is the next id.
  }

  /**
   * Like {@link create}, for a contract that already has {@link nextId}: a complete literal costs a tenth of a spread.
   * For the most frequent contracts.
   */
  add<C extends Contract>(created: C): C {
    invariant(created.id === this.#next, 'contract ids ascend', () => String(created.id));
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** Like {@link create}, for a coin. */
  createHolding({ owner, amount, createdAt, ratePerRound, lock }: Omit<Holding, 'id' | 'template'>): Holding {
    return this.add<Holding>({ id: this.nextId, template: 'Holding', owner, amount, createdAt, ratePerRound, lock });
  }

  mint(amount: Amount): void {
    this.#minted = Amount.add(this.#minted, amount);
  }

  burn(amount: Amount): void {
    this.#burned = Amount.add(this.#burned, amount);
  }

  /** Returns a point to roll back to when an operation of a batch fails. */
  mark(): Mark {
    return {
      archived: [...this.#archived],
      created: [...this.#created],
      next: this.#next,
      minted: this.#minted,
      burned: this.#burned,
    };
  }

  rollback(mark: Mark): void {
    this.#archived.splice(0, Infinity, ...mark.archived);
    this.#created.splice(0, Infinity, ...mark.created);
    this.#gone = null;
    this.#next = mark.next;
    this.#minted = mark.minted;
    this.#burned = mark.burned;
  }

  get minted(): Amount {
    return this.#minted;
  }

  get burned(): Amount {
    return this.#burned;
  }

  /** Returns the outcome of a detail that already has `minted` and `burned`: faster than {@link outcome}, for the most frequent kinds. */
  outcomeOf<Kind extends string, Detail extends ValueDetail>(
    kind: Kind,
    detail: Detail,
  ): Outcome<Contract, Kind, Detail> {
    return { kind, archived: this.#archived, created: this.#created, detail };
  }

  /** Returns the outcome with `minted` and `burned` added to the detail. */
  outcome<Kind extends string, Detail>(kind: Kind, detail: Detail): Outcome<Contract, Kind, Detail & ValueDetail> {
    return this.outcomeOf(kind, { minted: this.minted, burned: this.burned, ...detail });
  }
}

export interface Mark {
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
  readonly next: number;
  readonly minted: Amount;
  readonly burned: Amount;
}
