import type { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { Outcome, ValueDetail } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import type { Contract, ContractOf, NewContract, TemplateName } from './contract.js';
import type { Holding } from './holding.js';
import type { LedgerState } from './state.js';

/**
 * What a command is about to do, collected while it is decided: contracts archived and created, coin minted and burned.
 * Looking a contract up here sees the state as it will be, so a batch can spend what an earlier step of it created.
 * Nothing changes until the outcome has become an update; a refused decision just drops its effects.
 */
export class Effects {
  readonly #state: LedgerState;
  readonly #archived: ContractId[] = [];
  readonly #created: Contract[] = [];
  readonly #gone: Set<ContractId> = new Set();
  #next: number;
  #minted = 0n;
  #burned = 0n;

  constructor(state: LedgerState) {
    this.#state = state;
    this.#next = state.nextContract;
  }

  /** An active contract of any template, as of now within the command. */
  findAny(id: ContractId): Contract | null {
    if (this.#gone.has(id)) return null;
    return this.#state.book.find(id) ?? this.#created.find((contract) => contract.id === id) ?? null;
  }

  /** An active contract of the given template, as of now within the command. */
  find<Name extends TemplateName>(template: Name, id: ContractId): ContractOf<Name> | null {
    const contract = this.findAny(id);
    return contract?.template === template ? (contract as ContractOf<Name>) : null;
  }

  /** Whether this command has archived a contract already. */
  hasArchived(id: ContractId): boolean {
    return this.#gone.has(id);
  }

  /** Archives an active contract; one that this command created simply never comes to be. */
  archive(contract: Contract): void {
    invariant(!this.#gone.has(contract.id), 'a contract is archived once', () => String(contract.id));
    this.#gone.add(contract.id);
    const own = this.#created.findIndex(({ id }) => id === contract.id);
    if (own >= 0) this.#created.splice(own, 1);
    else this.#archived.push(contract.id);
  }

  /** Creates a contract; its id follows from the state and the position. */
  create<C extends Contract>(contract: NewContract<C>): C {
    const created = { id: this.#next as ContractId, ...contract } as unknown as C;
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** Creates a coin: the same as {@link create}, field by field, because nearly all contracts are coins. */
  createHolding({ owner, amount, createdAt, ratePerRound, lock }: Omit<Holding, 'id' | 'template'>): Holding {
    const id = this.#next as ContractId;
    const created: Holding = { id, template: 'Holding', owner, amount, createdAt, ratePerRound, lock };
    this.#next += 1;
    this.#created.push(created);
    return created;
  }

  /** Counts coin that comes into being. */
  mint(amount: Amount): void {
    this.#minted += amount;
  }

  /** Counts coin that ceases to be. */
  burn(amount: Amount): void {
    this.#burned += amount;
  }

  /** Where a batch stands, to come back to when one of its operations fails. */
  mark(): Mark {
    return {
      archived: [...this.#archived],
      created: [...this.#created],
      gone: [...this.#gone],
      next: this.#next,
      minted: this.#minted,
      burned: this.#burned,
    };
  }

  /** Forgets everything since the mark. */
  rollback(mark: Mark): void {
    this.#archived.splice(0, Infinity, ...mark.archived);
    this.#created.splice(0, Infinity, ...mark.created);
    this.#gone.clear();
    for (const id of mark.gone) this.#gone.add(id);
    this.#next = mark.next;
    this.#minted = mark.minted;
    this.#burned = mark.burned;
  }

  /** Coin that has come into being so far. */
  get minted(): Amount {
    return this.#minted as Amount;
  }

  /** Coin that has ceased to be so far. */
  get burned(): Amount {
    return this.#burned as Amount;
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
  readonly gone: readonly ContractId[];
  readonly next: number;
  readonly minted: bigint;
  readonly burned: bigint;
}
