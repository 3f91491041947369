import type { Contract, ContractId, Json, PartyId, Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import type { LedgerView } from '../history/ledger-view.js';
import { partiesOf } from './active-contract.js';
import { exercisesOf } from './choices/automatic.js';
import { firstCreatedNode } from '../history/exercises.js';
import type { Exercised, LedgerFacts } from './choices/choice.js';
import { factsBefore } from './ledger/facts.js';
import { isOfNetwork, networkId, placeOf, symbolicIdOf, type NetworkContract } from './templates.js';

/*
 * The transaction of an update as the network describes it: exercises with the contracts that they archive and create. Both shapes of
 * the ledger API and the trees of scan derive from it.
 */

type JsonObject = Readonly<Record<string, Json>>;

interface Node {
  /** Ascending in the order of the nodes; some numbers are left out, as on the real network. */
  readonly nodeId: number;
  readonly contract: NetworkContract;
  readonly stakeholders: ReadonlySet<PartyId>;
  readonly witnesses: ReadonlySet<PartyId>;
  readonly isPassing: boolean;
}

interface CreateNode extends Node {
  readonly kind: 'create';
}

export interface ExerciseNode extends Node {
  readonly kind: 'exercise';
  readonly choice: string;
  readonly on: string;
  readonly argument: JsonObject;
  readonly result: JsonObject;
  readonly acting: readonly PartyId[];
  readonly isConsuming: boolean;
  readonly children: readonly number[];
  readonly lastDescendant: number;
}

export type TreeNode = CreateNode | ExerciseNode;

export interface TransactionTree {
  readonly nodes: readonly TreeNode[];
  readonly roots: readonly number[];
}

export function transactionTreeOf(update: Update, ledger: LedgerView): TransactionTree {
  return new Tree(update, ledger).build();
}

export function nodeCreating(contract: ContractId, ledger: LedgerView): number {
  const node = ledger.created.nodeOf(contract);
  if (node !== null) return node;
  const { nodes } = transactionTreeOf(ledger.history.updateAt(ledger.created.offsetOf(contract)), ledger);
  return nodes.find((each) => each.kind === 'create' && each.contract.id === contract)?.nodeId ?? 0;
}

export function interfaceOfChoice({ on, contract }: ExerciseNode): string | null {
  const declaring = on.slice(on.indexOf(':') + 1);
  return declaring === placeOf(contract).qualifiedName ? null : networkId(declaring);
}

interface Leaves {
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
}

const NOTHING: Leaves = { archived: [], created: [] };
const NO_PARTIES: ReadonlySet<PartyId> = new Set();

class Tree {
  readonly #update: Update;
  readonly #ledger: LedgerView;
  readonly #facts: LedgerFacts;
  readonly #nodes: TreeNode[] = [];
  readonly #passing: ReadonlySet<ContractId>;
  readonly #firstCreated: ContractId | null;
  readonly #firstCreatedNode: number | null;
  #next = 0;

  constructor(update: Update, ledger: LedgerView) {
    this.#update = update;
    this.#ledger = ledger;
    this.#facts = factsBefore(update, ledger);
    this.#passing = passingIn(update);
    this.#firstCreated = update.created[0]?.id ?? null;
    this.#firstCreatedNode = firstCreatedNode({ kind: update.kind, archived: update.archived.length });
  }

  build(): TransactionTree {
    const roots: number[] = [];
    for (const happening of happeningsOf(this.#update)) {
      const exercises = exercisesOf(happening, this.#facts);
      const left = unowned(happening, exercises);
      const home = innermost(exercises.at(-1) ?? null);
      for (const exercised of exercises) roots.push(this.#exercise(exercised, { happening, left, home }, NO_PARTIES));
      if (home === null) roots.push(...this.#leaves(left, NO_PARTIES));
    }
    return { nodes: this.#nodes, roots };
  }

  #exercise(exercised: Exercised, within: Within, above: ReadonlySet<PartyId>): number {
    const { choice, inner = [], acting = this.#update.actAs, owns, argument, result } = exercised;
    const contract = this.#contract(exercised.contract);
    const { signatories, observers } = partiesOf(contract, this.#ledger.state);
    const concerned = choice.isConsuming ? [...signatories, ...observers, ...acting] : [...signatories, ...acting];
    const witnesses: ReadonlySet<PartyId> = new Set([...above, ...concerned]);
    const nodeId = this.#next++;
    const at = this.#nodes.length;
    const own = exercised === within.home ? within.left : NOTHING;
    const made = owns ? only(within.happening, owns) : own;
    // Reserves the place before the nodes below.
    this.#nodes.length = at + 1;
    const children = [...inner.map((one) => this.#exercise(one, within, witnesses)), ...this.#leaves(made, witnesses)];
    this.#nodes[at] = {
      kind: 'exercise',
      nodeId,
      contract,
      stakeholders: new Set([...signatories, ...observers]),
      witnesses,
      choice: choice.name,
      on: choice.on,
      // Cast: arguments of choices are records.
      argument: argument as JsonObject,
      // Cast: so are results.
      result: result as JsonObject,
      acting,
      isConsuming: choice.isConsuming,
      isPassing: this.#passing.has(contract.id),
      children,
      lastDescendant: this.#nodes.at(-1)?.nodeId ?? nodeId,
    };
    return nodeId;
  }

  #leaves({ archived, created }: Leaves, above: ReadonlySet<PartyId>): readonly number[] {
    const nodes: number[] = [];
    for (const id of archived) {
      const contract = this.#facts.contract(id);
      if (contract && isOfNetwork(contract)) nodes.push(this.#archive(contract, above));
    }
    for (const contract of created) if (isOfNetwork(contract)) nodes.push(this.#create(contract, above));
    return nodes;
  }

  #archive(contract: NetworkContract, above: ReadonlySet<PartyId>): number {
    const { signatories } = partiesOf(contract, this.#ledger.state);
    const archive: Exercised = {
      choice: { on: symbolicIdOf(contract), name: 'Archive', isConsuming: true },
      contract: contract.id,
      acting: signatories,
      argument: {},
      result: {},
    };
    return this.#exercise(archive, { happening: NOTHING, left: NOTHING, home: null }, above);
  }

  #create(contract: NetworkContract, above: ReadonlySet<PartyId>): number {
    const { signatories, observers } = partiesOf(contract, this.#ledger.state);
    const stakeholders: ReadonlySet<PartyId> = new Set([...signatories, ...observers]);
    const witnesses = new Set([...above, ...stakeholders]);
    if (this.#firstCreatedNode !== null && this.#firstCreated !== null)
      this.#next = this.#firstCreatedNode + contract.id - this.#firstCreated;
    const nodeId = this.#next++;
    const isPassing = this.#passing.has(contract.id);
    this.#nodes.push({ kind: 'create', nodeId, contract, stakeholders, witnesses, isPassing });
    return nodeId;
  }

  #contract(id: ContractId): NetworkContract {
    const contract = this.#facts.contract(id);
    if (contract && isOfNetwork(contract)) return contract;
    throw new Error(`update ${this.#update.offset} exercises contract ${id}, which the log does not create`);
  }
}

interface Within {
  readonly happening: Leaves;
  readonly left: Leaves;
  readonly home: Exercised | null;
}

function innermost(exercised: Exercised | null): Exercised | null {
  const [first, ...more] = exercised?.inner ?? [];
  return first && more.length === 0 && !first.owns ? innermost(first) : exercised;
}

function only({ archived, created }: Leaves, owned: ReadonlySet<ContractId>): Leaves {
  return { archived: archived.filter((id) => owned.has(id)), created: created.filter(({ id }) => owned.has(id)) };
}

function unowned({ archived, created }: Leaves, exercises: readonly Exercised[]): Leaves {
  const owned = new Set<ContractId>();
  for (const exercised of exercises) enterOwned(exercised, owned);
  if (owned.size === 0) return { archived, created };
  return { archived: archived.filter((id) => !owned.has(id)), created: created.filter(({ id }) => !owned.has(id)) };
}

function enterOwned({ choice, contract, owns = NO_CONTRACTS, inner = [] }: Exercised, owned: Set<ContractId>): void {
  if (choice.isConsuming) owned.add(contract);
  for (const id of owns) owned.add(id);
  for (const one of inner) enterOwned(one, owned);
}

const NO_CONTRACTS: ReadonlySet<ContractId> = new Set();

function passingIn(update: Update): ReadonlySet<ContractId> {
  if (update.kind !== 'BatchExecuted') return NO_CONTRACTS;
  const lasting = new Set(update.created.map(({ id }) => id));
  const created = happeningsOf(update).flatMap((each) => each.created.map(({ id }) => id));
  return new Set(created.filter((id) => !lasting.has(id)));
}
