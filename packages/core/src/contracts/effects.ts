import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { Outcome, ValueDetail } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import type { Contract, ContractOf, NewContract, TemplateName } from './contract.js';
import type { Holding } from './holding.js';
import { findAny, type LedgerState } from './state.js';

/** As many ids are looked through faster than a set of them is made. */
const FEW = 8;

/**
 * What a command is about to do, collected while it is decided: contracts archived and created, coin minted and burned.
 * Looking a contract up here sees the state as it will be, so a batch can spend what an earlier step of it created.
 * Nothing changes until the outcome has become an update; a refused decision just drops its effects.
 */
export class Effects {
  readonly #state: LedgerState;
  readonly #archived: ContractId[] = [];
  readonly #created: Contract[] = [];
  #gone: Set<ContractId> | null = null;
  /** No archived id is above it. */
  #highest = 0;
  #next: number;
  #minted: Amount = Amount.zero;
  #burned: Amount = Amount.zero;

  constructor(state: LedgerState) {
    this.#state = state;
    this.#next = state.nextContract;
  }

  /** An active contract of any template, as of now within the command. */
  findAny(id: ContractId): Contract | null {
    if (id >= this.#state.nextContract) return this.#created[this.#placeOf(id)] ?? null;
    return this.#hasGone(id) ? null : findAny(this.#state, id);
  }

  /** An active contract of the given template, as of now within the command. */
  find<Name extends TemplateName>(template: Name, id: ContractId): ContractOf<Name> | null {
    const contract = this.findAny(id);
    // TypeScript does not narrow by a generic template.
    return contract?.template === template ? (contract as ContractOf<Name>) : null;
  }

  /** Whether this command has archived a contract already. */
  hasArchived(id: ContractId): boolean {
    if (id >= this.#state.nextContract) return id < this.#next && this.#placeOf(id) < 0;
    return this.#hasGone(id);
  }

  /** Archives an active contract; one that this command created simply never comes to be. */
  archive({ id }: Contract): void {
    const own = id >= this.#state.nextContract ? this.#placeOf(id) : null;
    invariant(own === null ? this.#go(id) : own >= 0, 'a contract is archived once', () => String(id));
    if (own === null) return;
    if (own === this.#created.length - 1) this.#created.pop();
    else this.#created.splice(own, 1);
  }

  /** Notes that a contract is archived; false when it was already. */
  #go(id: ContractId): boolean {
    if (this.#hasGone(id)) return false;
    this.#archived.push(id);
    this.#gone?.add(id);
    if (id > this.#highest) this.#highest = id;
    return true;
  }

  /** Whether this command has archived nothing yet that was active before it. */
  get archivesNothing(): boolean {
    return this.#archived.length === 0;
  }

  /** Archives contracts that were active before the command, each named once, before any other of these. */
  archiveFirst(contracts: readonly ContractId[]): void {
    invariant(this.archivesNothing, 'these are the first to be archived');
    for (const contract of contracts) this.#go(contract);
  }

  /** Where a contract of this command is among those created, or -1. */
  #placeOf(id: ContractId): number {
    const created = this.#created;
    // What an earlier step made is asked for soon.
    let at = created.length - 1;
    while (at >= 0 && created[at]?.id !== id) at -= 1;
    return at;
  }

  #hasGone(id: ContractId): boolean {
    // Most lists ascend: what comes after all of them is not among them.
    if (id > this.#highest) return false;
    if (this.#archived.length <= FEW) return this.#archived.includes(id);
    this.#gone ??= new Set(this.#archived);
    return this.#gone.has(id);
  }

  /**
   * Creates a contract; its id follows from the state and the position.
   * Casts: with an id a new contract is a contract, which TypeScript does not infer for a generic one.
   */
  create<C extends Contract>(contract: NewContract<C>): C {
    const created = { id: this.#next as ContractId, ...contract } as unknown as C;
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** Creates a coin: the same as {@link create}, field by field, because nearly all contracts are coins. */
  createHolding({ owner, amount, createdAt, ratePerRound, lock }: Omit<Holding, 'id' | 'template'>): Holding {
    const id = this.#next as ContractId; // The next number is the next id.
    const created: Holding = { id, template: 'Holding', owner, amount, createdAt, ratePerRound, lock };
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** Counts coin that comes into being. */
  mint(amount: Amount): void {
    this.#minted = Amount.add(this.#minted, amount);
  }

  /** Counts coin that ceases to be. */
  burn(amount: Amount): void {
    this.#burned = Amount.add(this.#burned, amount);
  }

  /** Where a batch stands, to come back to when one of its operations fails. */
  mark(): Mark {
    return {
      archived: [...this.#archived],
      created: [...this.#created],
      next: this.#next,
      minted: this.#minted,
      burned: this.#burned,
    };
  }

  /** Forgets everything since the mark. */
  rollback(mark: Mark): void {
    this.#archived.splice(0, Infinity, ...mark.archived);
    this.#created.splice(0, Infinity, ...mark.created);
    this.#gone = null;
    this.#next = mark.next;
    this.#minted = mark.minted;
    this.#burned = mark.burned;
  }

  /** Coin that has come into being so far. */
  get minted(): Amount {
    return this.#minted;
  }

  /** Coin that has ceased to be so far. */
  get burned(): Amount {
    return this.#burned;
  }

  /** The outcome, of which the detail says already what was minted and burned: for the kinds that happen most. */
  outcomeOf<Kind extends string, Detail extends ValueDetail>(
    kind: Kind,
    detail: Detail,
  ): Outcome<Contract, Kind, Detail> {
    return { kind, archived: this.#archived, created: this.#created, detail };
  }

  /** The outcome: one update's worth of change. */
  outcome<Kind extends string, Detail>(kind: Kind, detail: Detail): Outcome<Contract, Kind, Detail & ValueDetail> {
    return {
      kind,
      archived: this.#archived,
      created: this.#created,
      detail: { minted: this.minted, burned: this.burned, ...detail },
    };
  }
}

/** A point to which {@link Effects} can be rolled back. */
export interface Mark {
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
  readonly next: number;
  readonly minted: Amount;
  readonly burned: Amount;
}
