import { offerMoves, type CoinMove } from './moves.js';
import type { CoinLedger, CoinRules, CoinView } from './coin-ledger.js';
import { COIN_LAWS, type CoinLaw } from './laws.js';
import { runCoinCommands, type CoinRun, type CoinRunStep } from './run.js';

/** Options of {@link exploreCoinLedger}. */
export interface CoinExploration extends CoinRules {
  readonly ledger: CoinLedger;
  /** Maximum number of commands in a sequence; default: 4. */
  readonly depth?: number;
  /** The laws to check; default: {@link COIN_LAWS}. */
  readonly laws?: readonly CoinLaw[];
}

/** The result of an exploration. */
export interface CoinExplored {
  /** Number of distinct states, by balances, coins and offers. */
  readonly states: number;
  readonly commands: number;
  readonly refused: number;
  /** The shortest sequence that breaks a law, with the law's name; null if none does. */
  readonly counterexample: { readonly broken: string; readonly steps: readonly CoinRunStep[] } | null;
}

/**
 * Tries all sequences of payments and offers between two parties up to a length, breadth first. It ends each
 * offer in every way, by both parties, before, at and after the deadline, and also repeats ended offers. Each
 * sequence starts on an empty ledger, because the ledger cannot be forked; the cost is the number of
 * sequences times their length.
 */
export async function exploreCoinLedger(world: CoinExploration): Promise<CoinExplored> {
  const { ledger, depth = 4, laws = COIN_LAWS, maxInputs, acceptsAtDeadline = false } = world;
  const rules = { acceptsAtDeadline, ...(maxInputs === undefined ? {} : { maxInputs }) };
  const plan = { ledger, rules, laws, hasLargeWallet: false };
  const counts = { states: 1, commands: 0, refused: 0 };
  const first = await runCoinCommands(plan, []);
  const known = new Set([keyOf(first.view, 0)]);
  let frontier: readonly Node[] = [{ path: [], run: first }];
  for (let length = 1; length <= depth; length++) {
    const next: Node[] = [];
    for (const { path, run } of frontier) {
      for (const move of offerMoves(run.view)) {
        const longer = [...path, move];
        const tried = await runCoinCommands(plan, longer);
        const last = tried.steps.at(-1);
        counts.commands += 1;
        if (tried.broken !== null) return { ...counts, counterexample: { broken: tried.broken, steps: tried.steps } };
        if (last?.answer !== 'accepted') counts.refused += 1;
        const key = keyOf(tried.view, last?.command.now ?? 0);
        if (known.has(key)) continue;
        known.add(key);
        counts.states += 1;
        next.push({ path: longer, run: tried });
      }
    }
    frontier = next;
  }
  return { ...counts, counterexample: null };
}

interface Node {
  readonly path: readonly CoinMove[];
  readonly run: CoinRun;
}

/** Leaves out the ids of coins. States with equal keys are explored once. */
function keyOf({ balances, coins, offers }: CoinView, now: number): string {
  const totals = [...balances].map(([party, { total, locked }]) => `${party} ${total} ${locked}`);
  const amounts = [...(coins ?? [])].map(([party, own]) =>
    [party, ...own.map(({ amount, isLocked }) => `${amount}${isLocked ? ' locked' : ''}`).sort()].join(' '),
  );
  const ends = offers.map(({ from, amount, deadline, end }) => `${from} ${amount} ${deadline - now} ${end}`);
  return [...totals, ...amounts, ...ends].join('\n');
}
