import { ascending, descending, itemAt, merged, rankOf, sizeOf, type Order, type Ordered } from '@coinlab/collections';
import type { Amount } from '../kernel/amount.js';
import { invariant, requireArgument } from '../kernel/assert.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Instant, Round } from '../kernel/time.js';
import type { AmuletRules } from './amulet-rules.js';
import { TEMPLATE_NAMES, type Contract, type ContractOf, type TemplateName } from './contract.js';
import type { Holding } from './holding.js';
import type { Numbering } from './packed-transfer.js';
import type { OpenMiningRound } from './rounds.js';
import type { LedgerSettings } from './settings.js';
import { BY_DUE } from './state/catalogue.js';
import type { Key } from './template.js';
import { bookOf, type LedgerState } from './ledger-state.js';
import type { Inputs } from './state/small-wallets.js';

// Casts: the lists of a template hold contracts of this template alone, which their types do not say, and indices are below the size.

/** Kept reasons of locks; then all are forgotten. */
const MOST_CONTEXTS = 4096;

export { emptyState, forkState, type LedgerState } from './ledger-state.js';

/** Order of an owner's unlocked coins; of equal amounts the older comes first. */
export type HoldingOrder = (typeof ORDERS)[number];

const ORDERS = ['largest', 'smallest', 'oldest', 'newest'] as const;
const EXPECTED_ORDER = 'one of largest, smallest, oldest, newest';

/** Returns whether the ledger has been opened. */
export function isOpen(state: LedgerState): boolean {
  return bookOf(state).settings !== null;
}

/** Returns the settings with which the ledger was opened. Throws before that. */
export function settingsOf(state: LedgerState): LedgerSettings {
  const { settings } = bookOf(state);
  invariant(settings !== null, 'a ledger is opened before anything else');
  return settings;
}

/** Returns the rules contract, or null before the network is bootstrapped. */
export function rulesOf(state: LedgerState): AmuletRules | null {
  return (itemAt(bookOf(state).ofTemplate('AmuletRules'), 0) as AmuletRules | undefined) ?? null;
}

/** Returns the active contract with an id, or null. */
export function findAny(state: LedgerState, id: ContractId): Contract | null {
  return bookOf(state).find(id) ?? null;
}

/** Returns the active contract of a template with an id, or null. */
export function find<Name extends TemplateName>(
  state: LedgerState,
  template: Name,
  id: ContractId,
): ContractOf<Name> | null {
  const contract = bookOf(state).find(id);
  return contract?.template === template ? (contract as ContractOf<Name>) : null;
}

/** Returns all active contracts of a template other than Holding, oldest first. */
export function allOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
): Iterable<ContractOf<Name>> {
  return bookOf(state).allOf(template) as Iterable<ContractOf<Name>>;
}

/** Returns the number of active contracts of a template other than Holding. */
export function countOfTemplate(state: LedgerState, template: Exclude<TemplateName, 'Holding'>): number {
  return bookOf(state).countOfTemplate(template);
}

/**
 * Returns the contracts of a template with a party other than the DSO as signatory or observer, oldest first; none of records that
 * have keys of their own, such as TrackingRecord.
 */
export function contractsOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  party: PartyId,
): Iterable<ContractOf<Name>> {
  return ascending(bookOf(state).ofParty('stakeholder', template, party)) as Iterable<ContractOf<Name>>;
}

/** Returns the contracts of a template about a party, oldest first: those under its key `<field>:<party>`, at less cost. */
export function contractsAbout<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  party: PartyId,
): Iterable<ContractOf<Name>> {
  return ascending(bookOf(state).ofParty('subject', template, party)) as Iterable<ContractOf<Name>>;
}

/** Returns the contracts of a template under a lookup key (`receiver:<party>`, `round:7`), a text or its parts, oldest first. */
export function contractsByKey<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  key: Key,
): Iterable<ContractOf<Name>> {
  return ascending(bookOf(state).ofKey(template, key)) as Iterable<ContractOf<Name>>;
}

/** Returns the number of active contracts of a template under a lookup key. */
export function countByKey(state: LedgerState, template: Exclude<TemplateName, 'Holding'>, key: Key): number {
  return sizeOf(bookOf(state).ofKey(template, key));
}

/** Returns the oldest contract of a template about a party, or null. */
export function firstAbout<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  party: PartyId,
): ContractOf<Name> | null {
  return (itemAt(bookOf(state).ofParty('subject', template, party), 0) as ContractOf<Name> | undefined) ?? null;
}

/** Returns the oldest contract of a template under a lookup key, or null. */
export function firstByKey<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  key: Key,
): ContractOf<Name> | null {
  return (itemAt(bookOf(state).ofKey(template, key), 0) as ContractOf<Name> | undefined) ?? null;
}

export function hasTransferGuards(state: LedgerState): boolean {
  return bookOf(state).hasTransferGuards;
}

/** Returns whether a party is known to the ledger. */
export function isKnownParty(state: LedgerState, party: PartyId): boolean {
  return firstAbout(state, 'KnownParty', party) !== null;
}

/** Returns the number of unlocked coins of an owner. */
export function countOf(state: LedgerState, owner: PartyId): number {
  return bookOf(state).countOf(owner);
}

export function lockedCountOf(state: LedgerState, owner: PartyId): number {
  return sizeOf(bookOf(state).lockedOf(owner));
}

/** Returns the sum of the unlocked coins of an owner. */
export function unlockedTotalOf(state: LedgerState, owner: PartyId): Amount {
  return bookOf(state).totalsOf(owner).unlockedTotal;
}

/** Returns the sum of the locked coins of an owner. */
export function lockedTotalOf(state: LedgerState, owner: PartyId): Amount {
  return bookOf(state).totalsOf(owner).lockedTotal;
}

/**
 * Returns an owner's unlocked coins lazily, in the given order. Throws a TypeError for an order that is not a string and
 * a RangeError for an unknown one.
 */
export function holdingsOf(state: LedgerState, owner: PartyId, order: HoldingOrder): Iterable<Holding> {
  requireArgument(ORDERS.includes(order), 'holdingsOf(order)', order, 'string', EXPECTED_ORDER);
  switch (order) {
    case 'smallest':
      return bookOf(state).smallestOf(owner);
    case 'largest':
      return largestFirst(bookOf(state).byAmount(owner));
    case 'oldest':
      return ascending(bookOf(state).byAge(owner));
    case 'newest':
      return descending(bookOf(state).byAge(owner));
  }
}

/** Returns all coins, up to `most`, if they do not cover the amount. */
export function smallestCovering(
  state: LedgerState,
  owner: PartyId,
  amount: Amount,
  most: number,
): readonly ContractId[] {
  return bookOf(state).idsCovering(owner, amount, most) ?? covering(bookOf(state).smallestOf(owner), amount, most);
}

/** Returns the wallet number of an owner, assigned on first use. The lookups of packed transfers take it. */
export function walletOf(state: LedgerState, owner: PartyId): number {
  return bookOf(state).walletOf(owner);
}

/** Returns the number of unlocked coins of a small wallet; −1 for a large wallet. */
export function fewOf(state: LedgerState, wallet: number): number {
  return bookOf(state).small.countOf(wallet);
}

/** Returns whether a wallet is small and its owner is a well-formed party; an owner that has never had a coin has a small wallet. */
export function isSmallWallet(state: LedgerState, wallet: number): boolean {
  return bookOf(state).isSmall(wallet);
}

/** Returns all coins if they do not cover the amount; none of a large wallet. */
export function smallestInputsOf(state: LedgerState, wallet: number, units: number): Inputs {
  return bookOf(state).small.smallestCovering(wallet, units);
}

export function numberingOf(state: LedgerState): Numbering {
  return bookOf(state).small.owners;
}

/** Returns the sum of the coins in units; -1 unless the wallet is small and has all coins unlocked, each is named once, and the sum is exact. */
export function worthOf(state: LedgerState, wallet: number, coins: readonly ContractId[]): number {
  return bookOf(state).small.worthOf(wallet, coins);
}

/** Returns 0 if the caller must look the preapproval up. Leaves out preapprovals of featured providers. */
export function onlyPreapprovalOf(state: LedgerState, wallet: number, now: Instant): number {
  return bookOf(state).small.preapprovalAt(wallet, now);
}

/** Returns the i-th unlocked coin of an owner by age, from 0, or null; O(log n), for uniform draws. */
export function holdingAt(state: LedgerState, owner: PartyId, index: number): Holding | null {
  return itemAt(bookOf(state).byAge(owner), index) ?? null;
}

/** Returns the oldest unlocked coin with exactly an amount, or null. */
export function holdingOfExactly(state: LedgerState, owner: PartyId, amount: Amount): Holding | null {
  const byAmount = bookOf(state).byAmount(owner);
  const found = itemAt(
    byAmount,
    rankOf(byAmount, (holding) => holding.amount < amount),
  );
  return found?.amount === amount ? found : null;
}

/** Returns the unlocked coins of an owner below an amount, largest first; of equal amounts the older first. */
export function holdingsBelow(state: LedgerState, owner: PartyId, amount: Amount): Iterable<Holding> {
  const byAmount = bookOf(state).byAmount(owner);
  return largestFirst(
    byAmount,
    rankOf(byAmount, (holding) => holding.amount < amount),
  );
}

/** Returns the locked coins of an owner, oldest first. */
export function lockedHoldingsOf(state: LedgerState, owner: PartyId): Iterable<Holding> {
  return ascending(bookOf(state).lockedOf(owner));
}

/** Returns the coins that a party holds locked for other owners, oldest first. The DSO is not indexed: it gets none. */
export function heldLockedBy(state: LedgerState, holder: PartyId): Iterable<Holding> {
  return ascending(bookOf(state).ofParty('stakeholder', 'Holding', holder)) as Iterable<Holding>;
}

/** Returns the coins, locked or not, that are dust in a round, in order of the round in which they became dust. */
export function dustExpiringAt(state: LedgerState, round: Round): Iterable<Holding> {
  return bookOf(state).dustUpTo(round);
}

/** Returns the contracts other than coins whose deadline is at or before a time, the earliest first. */
export function* dueBy(state: LedgerState, time: Instant): Generator<Contract, void, undefined> {
  const queues = TEMPLATE_NAMES.map((template) => ascending(bookOf(state).dueOf(template)));
  for (const { dueAt, contract } of merged(queues, BY_DUE)) {
    if (dueAt > time) return;
    yield contract;
  }
}

/** Returns the contracts of one template whose deadline is at or before a time, the earliest first. */
export function* dueOf<Name extends Exclude<TemplateName, 'Holding'>>(
  state: LedgerState,
  template: Name,
  time: Instant,
): Generator<ContractOf<Name>, void, undefined> {
  for (const { dueAt, contract } of ascending(bookOf(state).dueOf(template))) {
    if (dueAt > time) return;
    yield contract as ContractOf<Name>;
  }
}

/** Returns the three open round contracts, oldest first; none before bootstrap. */
export function openRoundsOf(state: LedgerState): readonly OpenMiningRound[] {
  return [...bookOf(state).openRounds];
}

/** Returns the newest open round that is usable: `opensAt` not after now. Source: specification §6.2. */
export function newestUsableRound(state: LedgerState, now: Instant): OpenMiningRound | null {
  const rounds = bookOf(state).openRounds;
  // A loop with an unchecked read, because every transfer calls this.
  for (let i = rounds.length - 1; i >= 0; i--) {
    const round = rounds[i] as OpenMiningRound;
    if (round.opensAt <= now) return round;
  }
  return null;
}

/**
 * Returns the terms that were last kept, if they are of the same open rounds and time; else null.
 * @typeParam Terms the type that the only caller keeps
 */
export function lastTermsOf<Terms>(state: LedgerState, now: Instant): Terms | null {
  const { recent, openRounds } = bookOf(state);
  return recent.rounds === openRounds && recent.now === now ? (recent.terms as Terms) : null;
}

export function keepTerms(state: LedgerState, now: Instant, terms: object): void {
  const { recent, openRounds } = bookOf(state);
  recent.rounds = openRounds;
  recent.now = now;
  recent.terms = terms;
}

/** Returns the reason of a lock for a transfer to a receiver. */
export function lockContextFor(state: LedgerState, receiver: PartyId): string {
  const known = bookOf(state).recent.lockContexts;
  let context = known.get(receiver);
  if (context !== undefined) return context;
  if (known.size === MOST_CONTEXTS) known.clear();
  known.set(receiver, (context = `transfer to '${receiver}'`));
  return context;
}

/** Returns every active contract and record in order of creation, from an id on; default: from the first. A scan of the whole state. */
export function scanContracts(state: LedgerState, from: number = 0): Iterable<Contract> {
  return bookOf(state).all(from);
}

/** Returns the number of active contracts and records. */
export function contractCount(state: LedgerState): number {
  return bookOf(state).size;
}

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
