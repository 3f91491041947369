import { Amount, PartyId, Round } from '@coinlab/core';
import type { HoldingOrder } from '@coinlab/core/views';
import { Streams } from '../chance/streams.js';
import { linesIn } from '../input/lines.js';
import { DEFAULT_UNIT, type PaymentStream } from '../input/stream.js';
import type { PolicyName } from '../policies/named.js';
import type { Policy } from '../policies/policy.js';
import { ReplayLedger } from '../replay/replay-ledger.js';
import { MOST_INPUTS } from '../replay/settings.js';
import { exactly, open, within, type Check, type Subject, type Tick } from './check.js';
import { paymentsIn, type ValidationData } from './data.js';
import { ReferenceWallet, type ReferenceChoice } from './reference-wallet.js';

/** Policies to validate; wrong ones can be passed to see that a check fails. */
export type Policies = Readonly<Record<PolicyName, Policy>>;

/**
 * While a wallet would not keep more than this after a payment, no wallet pays, so that all wallets make the same payments in the
 * same order.
 */
const RESERVE = Amount.times(DEFAULT_UNIT, 2_000_000);

/** Tolerance for the mean of a random wallet, in standard errors of the reference's and our seeds together. */
const STANDARD_ERRORS = 4;

interface Row {
  readonly wallet: string;
  readonly isDeterministic: boolean;
  readonly figures: ReadonlyMap<string, string>;
}

const DETERMINISTIC: Readonly<Record<string, { readonly policy: PolicyName; readonly topUp: HoldingOrder }>> = {
  'smallest-first': { policy: 'smallest-first', topUp: 'smallest' },
  'oldest-first': { policy: 'oldest-first', topUp: 'oldest' },
  'newest-first': { policy: 'newest-first', topUp: 'newest' },
  'largest-first': { policy: 'largest-first', topUp: 'largest' },
  'largest that fits, then largest': { policy: 'blackjack', topUp: 'largest' },
};

const RANDOM: Readonly<Record<string, number>> = {
  random: 0,
  'random, change of at least 10,000': 10_000,
  'random, change of at least 1,000,000': 1_000_000,
};

const RANDOM_FIGURES = ['mean_utxos', 'max_utxos', 'final_utxos', 'changes_created', 'total_fees', 'mean_inputs'];

const UNSTATED: Readonly<Record<string, string>> = {
  'branch-and-bound, else random with change of at least 100,000':
    'its search includes the fee, ours does not; its search limit is not stated',
  'oldest-first, then drop what is not needed':
    'the order and limit of dropping are not stated; the obvious rules give other figures',
  'highest amount times age first': 'the unit of age is not stated',
  'knapsack of Bitcoin Core (2016)': 'a different knapsack algorithm than ours',
};

const SEEDS = 5;

/**
 * Every payment is a ledger transfer with inputs from our policies; all wallets are parties of one ledger and share one queue of
 * payments.
 */
export function* referenceChecks(
  {
    data,
    policies,
    isQuick,
  }: { readonly data: ValidationData; readonly policies: Policies; readonly isQuick: boolean },
  tick: Tick,
): Generator<Check> {
  const table = tableOf(data.referenceTable);
  const wallets = openWallets(policies, isQuick);
  play(wallets, paymentsIn(data), tick);
  for (const name of new Set(wallets.map((wallet) => wallet.name))) {
    const ours = wallets.filter((wallet) => wallet.name === name);
    const of: Subject = { part: 'reference table', subject: name };
    const theirs = table.filter(({ wallet }) => wallet === name);
    const [first] = theirs;
    if (!first) throw new Error(`the reference table has no wallet ${name}`);
    if (first.isDeterministic) yield* sameFigures(of, first.figures, ours[0]?.figures() ?? new Map());
    else yield* closeFigures(of, theirs, ours);
  }
  if (isQuick) return;
  for (const [name, reason] of Object.entries(UNSTATED)) {
    const of: Subject = { part: 'reference table', subject: name };
    yield open(of, 'mean_utxos', table.find(({ wallet }) => wallet === name)?.figures.get('mean_utxos') ?? '', reason);
  }
}

export function referenceWork(isQuick: boolean): number {
  const wallets = isQuick ? 3 : Object.keys(DETERMINISTIC).length + Object.keys(RANDOM).length * SEEDS;
  return wallets * 36_248;
}

function* sameFigures(of: Subject, theirs: Row['figures'], ours: Row['figures']): Generator<Check> {
  for (const [figure, found] of ours) yield exactly(of, figure, theirs.get(figure) ?? '', found);
}

function* closeFigures(of: Subject, theirs: readonly Row[], ours: readonly ReferenceWallet[]): Generator<Check> {
  for (const figure of RANDOM_FIGURES) {
    const wanted = summary(theirs.map(({ figures }) => Number(figures.get(figure))));
    const found = summary(ours.map((wallet) => Number(wallet.figures().get(figure))));
    const error = STANDARD_ERRORS * Math.hypot(wanted.error, found.error);
    const range = {
      expected: wanted.mean.toFixed(3),
      least: wanted.mean - error,
      most: wanted.mean + error,
      tolerance: `± ${error.toFixed(3)} (${STANDARD_ERRORS} s.e.)`,
    };
    yield within(of, `${figure}, mean of ${ours.length} seeds`, range, found.mean);
  }
}

function summary(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, error: Math.sqrt(variance / values.length) };
}

function openWallets(policies: Policies, isQuick: boolean): readonly ReferenceWallet[] {
  const ledger = new ReplayLedger({
    seed: 1,
    maxNumInputs: MOST_INPUTS,
    holdingRate: null,
    firstRound: Round.of(1),
    roundsAdvance: false,
  });
  const payee = ledger.open(PartyId.of('payee'));
  const streams = new Streams(1);
  let number = 0;
  const opened = (name: string, choice: ReferenceChoice): ReferenceWallet => {
    number += 1;
    const { party } = ledger.open(PartyId.of(`wallet-${number}`));
    return new ReferenceWallet(name, choice, ledger, { party, payee, draws: streams.named(`reference/${number}`) });
  };
  const deterministic = Object.entries(DETERMINISTIC).map(([name, { policy, topUp }]) =>
    opened(name, { policy: policies[policy], topUp, leastChange: 0 }),
  );
  // The poorest wallet decides when a payment is made; it is the first of these.
  if (isQuick) return deterministic.slice(0, 3);
  const random = Object.entries(RANDOM).flatMap(([name, leastChange]) =>
    Array.from({ length: SEEDS }, () => opened(name, { policy: policies.random, topUp: 'random', leastChange })),
  );
  return [...deterministic, ...random];
}

function play(wallets: readonly ReferenceWallet[], { rows }: PaymentStream, tick: Tick): void {
  const queue: Amount[] = [];
  let done = 0;
  for (const row of rows) {
    if (row > 0n) for (const wallet of wallets) wallet.receive(Amount.ofUnits(row));
    else queue.push(Amount.ofUnits(-row));
    for (let first = queue[done]; first !== undefined && poorest(wallets) > first + RESERVE; first = queue[done]) {
      for (const wallet of wallets) wallet.pay(first);
      done += 1;
      tick(wallets.length);
    }
    if (row > 0n) tick(wallets.length);
  }
}

function poorest(wallets: readonly ReferenceWallet[]): bigint {
  let least: bigint | null = null;
  for (const { balance } of wallets) if (least === null || balance < least) least = balance;
  return least ?? 0n;
}

function tableOf(csv: string): readonly Row[] {
  const [header = '', ...lines] = linesIn([csv]);
  const names = header.split(',');
  return lines.map((line) => {
    // Only wallet names are quoted, and no name contains a quote.
    const cells = [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const figures = new Map(names.map((name, i) => [name, cells[i] ?? '']));
    return { wallet: cells[0] ?? '', isDeterministic: figures.get('deterministic') === 'yes', figures };
  });
}
