import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { ContractId, Offset, PartyId } from '../kernel/ids.js';
import { Instant, type Round } from '../kernel/time.js';
import type { AmuletRules } from './amulet-rules.js';
import { TEMPLATE_NAMES, type Contract, type ContractOf, type TemplateName } from './contract.js';
import type { Holding } from './holding.js';
import type { Numbering } from './plain-transfer.js';
import type { OpenMiningRound } from './rounds.js';
import type { LedgerSettings } from './settings.js';
import { Book } from './state/book.js';
import { BY_DUE } from './state/catalogue.js';
import type { Inputs } from './state/small-wallets.js';
import { ascending, descending, itemAt, rankOf, sizeOf, type Order, type Ordered } from './state/ordered.js';

/**
 * The state of a ledger: the active contracts, and where its log stands. How contracts are kept is known to this room alone;
 * the questions below are its doors. Each costs as much as its answer, never a scan.
 */
export interface LedgerState {
  /** Offset of the last update; 0 before the first. */
  readonly offset: Offset;
  /** Record time of the last update. */
  readonly time: Instant;
  /** Number that the next created contract gets. */
  readonly nextContract: number;
  /** Coin minted and burned since the ledger was opened. */
  readonly minted: Amount;
  readonly burned: Amount;
  readonly book: Book;
}

/** Order in which the unlocked coins of an owner are asked for; of equal amounts the older comes first. */
export type HoldingOrder = 'largest' | 'smallest' | 'oldest' | 'newest';

/** A state with nothing in it, before the first update. */
export function emptyState(): LedgerState {
  return {
    offset: 0 as Offset,
    time: Instant.earliest,
    nextContract: 1,
    minted: Amount.zero,
    burned: Amount.zero,
    book: new Book(),
  };
}

/** A second state with the same contents: O(1), and neither sees the other's changes. */
export function forkState(state: LedgerState): LedgerState {
  const { offset, time, nextContract, minted, burned, book } = state;
  return { offset, time, nextContract, minted, burned, book: book.fork() };
}

/** What the ledger was opened with. */
export function settingsOf(state: LedgerState): LedgerSettings {
  const { settings } = state.book;
  invariant(settings !== null, 'a ledger is opened before anything else');
  return settings;
}

/** The rules contract, or null before the network is bootstrapped. */
export function rulesOf(state: LedgerState): AmuletRules | null {
  return (itemAt(state.book.ofTemplate('AmuletRules'), 0) as AmuletRules | undefined) ?? null;
}

/** An active contract of any template, or null. */
export function findAny(state: LedgerState, id: ContractId): Contract | null {
  return state.book.find(id) ?? null;
}

/** An active contract of the given template, or null. */
export function find<Name extends TemplateName>(
  state: LedgerState,
  template: Name,
  id: ContractId,
): ContractOf<Name> | null {
  const contract = state.book.find(id);
  return contract?.template === template ? (contract as ContractOf<Name>) : null;
}

/** All active contracts of a template but Holding, oldest first. */
export function allOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
): Iterable<ContractOf<Name>> {
  return ascending(state.book.ofTemplate(template)) as Iterable<ContractOf<Name>>;
}

/** How many contracts of a template but Holding are active. */
export function countOfTemplate(state: LedgerState, template: Exclude<TemplateName, 'Holding'>): number {
  return sizeOf(state.book.ofTemplate(template));
}

/** The contracts of a template of which a party other than the DSO is signatory or observer, oldest first. */
export function contractsOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  party: PartyId,
): Iterable<ContractOf<Name>> {
  return ascending(state.book.ofKey(template, party)) as Iterable<ContractOf<Name>>;
}

/** The contracts of a template under one of its keys (`receiver:<party>`, `round:7`), oldest first. */
export function contractsByKey<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  key: string,
): Iterable<ContractOf<Name>> {
  return ascending(state.book.ofKey(template, key)) as Iterable<ContractOf<Name>>;
}

/** How many contracts of a template are active under a key. */
export function countByKey(state: LedgerState, template: Exclude<TemplateName, 'Holding'>, key: string): number {
  return sizeOf(state.book.ofKey(template, key));
}

/** The oldest contract of a template under a key, or null. */
export function firstByKey<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  key: string,
): ContractOf<Name> | null {
  return (itemAt(state.book.ofKey(template, key), 0) as ContractOf<Name> | undefined) ?? null;
}

/** Whether anybody has the right of a featured app or a key of its own: of a ledger where nobody has, less is to be asked. */
export function hasRightsOrKeys(state: LedgerState): boolean {
  return state.book.hasRightsOrKeys;
}

/** Whether a party is known. */
export function isKnownParty(state: LedgerState, party: PartyId): boolean {
  return state.book.ofKey('KnownParty', `party:${party}`) !== null;
}

/** Number of unlocked coins of an owner. */
export function countOf(state: LedgerState, owner: PartyId): number {
  return state.book.countOf(owner);
}

/** Number of locked coins of an owner. */
export function lockedCountOf(state: LedgerState, owner: PartyId): number {
  return sizeOf(state.book.lockedOf(owner));
}

/** Sum of the unlocked coins of an owner. */
export function unlockedTotalOf(state: LedgerState, owner: PartyId): Amount {
  return state.book.totalsOf(owner).unlockedTotal;
}

/** Sum of the locked coins of an owner. */
export function lockedTotalOf(state: LedgerState, owner: PartyId): Amount {
  return state.book.totalsOf(owner).lockedTotal;
}

/** The unlocked coins of an owner, in the order that a policy asks for; take as many as needed. */
export function holdingsOf(state: LedgerState, owner: PartyId, order: HoldingOrder): Iterable<Holding> {
  switch (order) {
    case 'smallest':
      return state.book.smallestOf(owner);
    case 'largest':
      return largestFirst(state.book.byAmount(owner));
    case 'oldest':
      return ascending(state.book.byAge(owner));
    case 'newest':
      return descending(state.book.byAge(owner));
  }
}

/** Ids of the smallest unlocked coins of an owner that together cover an amount, at most so many; all when they do not cover it. */
export function smallestCovering(
  state: LedgerState,
  owner: PartyId,
  amount: Amount,
  most: number,
): readonly ContractId[] {
  return state.book.idsCovering(owner, amount, most) ?? covering(state.book.smallestOf(owner), amount, most);
}

/** Number of the wallet of an owner, under which the three questions of plain transfers are asked; numbers are given out as needed. */
export function walletOf(state: LedgerState, owner: PartyId): number {
  return state.book.walletOf(owner);
}

/** Number of unlocked coins of a wallet that has few; -1: it has many, or none was ever in it. */
export function fewOf(state: LedgerState, wallet: number): number {
  return state.book.fewOf(wallet);
}

/** The smallest coins of a wallet that together cover an amount in units, or all of them, and what they are worth; null unless it has few and no large ones. */
export function plainInputsOf(state: LedgerState, wallet: number, units: number): Inputs | null {
  return state.book.smallestCovering(wallet, units);
}

/** The numbers of wallets; the same for all states that descend from the same one. */
export function numberingOf(state: LedgerState): Numbering {
  return state.book.numbering;
}

/** What coins of a wallet are worth together, in units; -1 unless it has few and no large ones, all are unlocked coins of it, each is named once, and a double holds the sum. */
export function plainWorthOf(state: LedgerState, wallet: number, coins: readonly ContractId[]): number {
  return state.book.worthOf(wallet, coins);
}

/** The only preapproval of the owner of a wallet, if it is certain to be in force at a time; 0: look it up. */
export function plainPreapprovalOf(state: LedgerState, wallet: number, now: Instant): number {
  return state.book.preapprovalAt(wallet, now);
}

/** The i-th unlocked coin of an owner by age, from 0: what a uniform draw needs. */
export function holdingAt(state: LedgerState, owner: PartyId, index: number): Holding | null {
  return itemAt(state.book.byAge(owner), index) ?? null;
}

/** The oldest unlocked coin of exactly an amount, or null. */
export function holdingOfExactly(state: LedgerState, owner: PartyId, amount: Amount): Holding | null {
  const byAmount = state.book.byAmount(owner);
  const found = itemAt(
    byAmount,
    rankOf(byAmount, (holding) => holding.amount < amount),
  );
  return found?.amount === amount ? found : null;
}

/** The unlocked coins of an owner below an amount, largest first; of equal amounts the older first. */
export function holdingsBelow(state: LedgerState, owner: PartyId, amount: Amount): Iterable<Holding> {
  const byAmount = state.book.byAmount(owner);
  return largestFirst(
    byAmount,
    rankOf(byAmount, (holding) => holding.amount < amount),
  );
}

/** The locked coins of an owner, oldest first. */
export function lockedHoldingsOf(state: LedgerState, owner: PartyId): Iterable<Holding> {
  return ascending(state.book.lockedOf(owner));
}

/** The coins of others that a party other than the DSO holds locked, oldest first. */
export function heldLockedBy(state: LedgerState, holder: PartyId): Iterable<Holding> {
  return ascending(state.book.ofKey('Holding', holder)) as Iterable<Holding>;
}

/** The coins, locked or not, that are dust in a round, the longest dust first. */
export function dustExpiringAt(state: LedgerState, round: Round): Iterable<Holding> {
  return state.book.dustUpTo(round);
}

/** The contracts other than coins whose deadline is at or before a time, the earliest first. */
export function* dueBy(state: LedgerState, time: Instant): Generator<Contract, void, undefined> {
  const queues = TEMPLATE_NAMES.map((template) => ascending(state.book.dueOf(template))[Symbol.iterator]());
  const heads = queues.map((queue) => queue.next().value ?? null);
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries()) {
      const best = heads[first] ?? null;
      if (head && (!best || BY_DUE(head, best) < 0)) first = i;
    }
    const next = heads[first];
    if (!next || next.dueAt > time) return;
    yield next.contract;
    heads[first] = queues[first]?.next().value ?? null;
  }
}

/** The contracts of one template whose deadline is at or before a time, the earliest first. */
export function* dueOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  time: Instant,
): Generator<ContractOf<Name>, void, undefined> {
  for (const { dueAt, contract } of ascending(state.book.dueOf(template))) {
    if (dueAt > time) return;
    yield contract as ContractOf<Name>;
  }
}

/** The three open round contracts, oldest first; none before bootstrap. */
export function openRoundsOf(state: LedgerState): readonly OpenMiningRound[] {
  return state.book.openRounds;
}

/** Every active contract and record in order of creation: a scan, for views that say so. */
export function scanContracts(state: LedgerState): Iterable<Contract> {
  return state.book.all();
}

/** Number of active contracts and records. */
export function contractCount(state: LedgerState): number {
  return state.book.size;
}

/** Ids of the first coins that together cover an amount. */
export function covering(holdings: Iterable<Holding>, amount: Amount, most: number): readonly ContractId[] {
  const inputs: ContractId[] = [];
  let sum = 0n;
  for (const holding of holdings) {
    if (sum >= amount || inputs.length >= most) break;
    inputs.push(holding.id);
    sum += holding.amount;
  }
  return inputs;
}

/** Descending by amount among the first `until`; of equal amounts the older first, as every policy wants ties. */
function largestFirst(byAmount: Ordered<Holding> | null, until: number = sizeOf(byAmount)): Iterable<Holding> {
  // A stable sort keeps the older of equal amounts first; a few coins are sorted before a generator has begun.
  return byAmount?.children === null ? byAmount.items.slice(0, until).sort(LARGEST) : largestOfMany(byAmount, until);
}

const LARGEST: Order<Holding> = (a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : a.id - b.id);

function* largestOfMany(byAmount: Ordered<Holding> | null, until: number): Generator<Holding, void, undefined> {
  let end = until;
  while (end > 0) {
    const { amount } = itemAt(byAmount, end - 1) as Holding;
    const hasTies = end > 1 && itemAt(byAmount, end - 2)?.amount === amount;
    const start = hasTies ? rankOf(byAmount, (holding) => holding.amount < amount) : end - 1;
    for (let i = start; i < end; i++) yield itemAt(byAmount, i) as Holding;
    end = start;
  }
}
