import { Duration, updateOf, type Update } from '@coinlab/core';
import {
  EventLog,
  parseScenario,
  POLICY_NAMES,
  runScenario,
  World,
  type Group,
  type Scenario,
  type ScenarioInput,
} from '@coinlab/sim';
import { Book, type Broken } from './book.ts';

/** Returns a completed scenario, or null for one that coinlab refuses. */
export function scenarioFrom(input: ScenarioInput): Scenario | null {
  const parsed = parseScenario(JSON.stringify(input), 'random.json');
  return parsed.ok ? parsed.value : null;
}

/** The laws of a network, each checked in every scenario where it applies. */
export const LAWS: readonly string[] = [
  'conservation',
  'input cap',
  'fees to the unit',
  'only dust expires',
  'dust expires in its round',
  'UTXO targets under merging',
  'same bytes on repetition',
  'same payments under every policy',
];

/** A checked network: violated laws, and the number of checks of each law. */
export interface Checked {
  readonly broken: readonly Broken[];
  readonly checked: ReadonlyMap<string, number>;
  readonly updates: number;
}

export function checkNetwork(scenario: Scenario): Checked {
  const book = new Book(scenario);
  const first = played(scenario, book);
  const repeated = runScenario(scenario);
  const isSame = first.hash === repeated.stateHash && first.logHash === repeated.log.hash;
  book.check('same bytes on repetition', isSame, () => `${first.logHash} and ${repeated.log.hash}`);
  for (const law of differingPayments(first, played(withOtherPolicies(scenario))))
    book.check('same payments under every policy', false, () => law);
  book.check('same payments under every policy', true, () => '');
  return {
    broken: [...book.broken].map(([law, what]) => ({ law, what })),
    checked: book.checked,
    updates: first.updates,
  };
}

interface Played {
  readonly hash: string;
  readonly logHash: string;
  readonly updates: number;
  readonly requested: readonly number[];
  /** Payments by sender and time, of groups that make no other transfers. */
  readonly payments: ReadonlyMap<string, string>;
}

/** Plays a network, and with a book keeps its account and hashes its log. */
function played(scenario: Scenario, book: Book | null = null): Played {
  const log = new EventLog(scenario.seed, () => undefined);
  const payments = new Map<string, string>();
  const senders = plainSenders(scenario);
  const world = new World(scenario, {
    onEntry: (entry) => {
      if (book) log.append(entry);
      const update = updateOf(entry);
      book?.fold(update);
      const payment = paymentOf(update);
      if (payment && senders.has(groupOf(payment.sender))) payments.set(payment.key, payment.what);
    },
  });
  book?.begin();
  while (!world.isOver) {
    world.playRound();
    if (book) checkTargets(scenario, world, book);
    book?.endRound();
  }
  return {
    hash: book ? world.hash() : '',
    logHash: log.close().hash,
    updates: world.updates,
    requested: world.paymentsByGroup.map(({ requested }) => requested),
    payments,
  };
}

function paymentOf(update: Update): { readonly sender: string; readonly key: string; readonly what: string } | null {
  if (update.kind !== 'TransferCompleted' && update.kind !== 'TransferOffered') return null;
  const { sender, receiver, amount } = update.detail;
  return { sender, key: `${sender} ${update.recordTime}`, what: `${amount} to ${receiver}` };
}

function groupOf(party: string): string {
  return party.slice(0, party.lastIndexOf('-', party.indexOf('::')));
}

/** Groups whose transfers are exactly their requested payments, at the requested times. */
function plainSenders({ groups }: Scenario): ReadonlySet<string> {
  const isPlain = ({ payments, wallet, automation }: Group): boolean =>
    payments?.whenShort === 'drop' &&
    wallet.faults.length === 0 &&
    !wallet.sweep &&
    !automation.sweep &&
    !automation.completesOffers;
  return new Set(groups.filter(isPlain).map(({ name }) => name));
}

/** A payment that both networks made at one time has one receiver and one amount; each group requested as many payments. */
function* differingPayments(one: Played, other: Played): Generator<string> {
  if (String(one.requested) !== String(other.requested))
    yield `${String(one.requested)} and ${String(other.requested)} requests`;
  for (const [key, what] of one.payments) {
    const there = other.payments.get(key);
    if (there !== undefined && there !== what) yield `${key}: ${what} and ${there}`;
  }
}

function withOtherPolicies(scenario: Scenario): Scenario {
  const groups = scenario.groups.map((group, i): Group => {
    const { faults: _, ...wallet } = group.wallet;
    const now = POLICY_NAMES.findIndex((name) => name === wallet.select);
    const select = POLICY_NAMES[(now + 1 + i) % POLICY_NAMES.length] ?? wallet.select;
    return { ...group, wallet: { ...wallet, faults: [], select, merge: { threshold: 4 + i } } };
  });
  return { ...scenario, groups };
}

/** Wallets that merge above a count are at most at it after every round in which they were active or their period ended. */
function checkTargets({ groups, network }: Scenario, { population, round }: World, book: Book): void {
  // With fees, a merge may cost more than its coins are worth.
  if (network.profile === 'legacy-fees') return;
  population.groups.forEach((members, i) => {
    const group = groups[i];
    const target = group && targetOf(group, round);
    if (!target) return;
    for (const party of population.partiesOf(members)) {
      if (!target.isForAll && !book.active.has(party)) continue;
      const count = book.counts.get(party) ?? 0;
      book.check(
        'UTXO targets under merging',
        count <= target.limit,
        () => `${party} has ${count} coins after round ${round}, not ${target.limit}`,
      );
    }
  });
}

/** The limit of a group after a round, for active wallets or for all; null for none. */
function targetOf(
  { wallet: { merge, faults }, automation }: Group,
  rounds: number,
): { readonly limit: number; readonly isForAll: boolean } | null {
  if (faults.length > 0 || automation.mints || automation.collects) return null;
  if (merge.threshold !== undefined) return { limit: merge.threshold, isForAll: false };
  if (merge.keepLargest && merge.keepLargest.keep <= merge.keepLargest.above)
    return { limit: merge.keepLargest.above, isForAll: false };
  const periodic = merge.period ?? merge.delegated;
  if (!periodic || rounds % (Number(Duration.of(periodic.every)) / Number(Duration.minutes(10))) !== 0) return null;
  return { limit: periodic.above, isForAll: true };
}
