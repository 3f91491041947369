import {
  type LedgerState,
  type Submission,
  brokenLaws,
  type Law,
  type Step,
  type Ledger,
  type Update,
} from '@coinlab/core';
import { StateKeys } from './state-key.js';

/** Options of {@link walk}. */
export interface Walk {
  readonly start: Ledger;
  /**
   * Returns the submissions to try on a ledger. Refused submissions are only counted. Refer to contracts of
   * the ledger's state, and use later times to let time pass.
   */
  readonly moves: (ledger: Ledger) => Iterable<Submission>;
  /** Laws to check on every transition. */
  readonly laws: readonly Law[];
  /** The maximum number of transitions in a path; default: unlimited. */
  readonly depth?: number;
  /** The maximum number of states; default: 100,000. */
  readonly mostStates?: number;
  /**
   * Whether to explore from a state. Transitions to other states are checked, but not continued. Default: all
   * states.
   */
  readonly inside?: (state: LedgerState) => boolean;
  /** Called for every transition, including transitions to known states. */
  readonly onStep?: (step: Step) => void;
}

/** The result of an exploration. */
export interface Explored {
  /** Number of distinct states. States that differ only in ids or history count once. */
  readonly states: number;
  readonly transitions: number;
  readonly refusals: number;
  /** Number of transitions from the start to the farthest state. */
  readonly depth: number;
  /** Whether all reachable states were visited before a limit was reached. */
  readonly complete: boolean;
  /** The shortest path that breaks a law; null if none does. */
  readonly counterexample: Counterexample | null;
}

/** A path that leads to a broken law. */
export interface Counterexample {
  readonly path: readonly Submission[];
  readonly law: Law;
  readonly update: Update;
}

interface Node {
  readonly ledger: Ledger;
  readonly by: Submission | null;
  readonly from: Node | null;
}

/**
 * Explores all reachable states breadth first, so the path to the first broken law is a shortest one. Forking
 * a ledger takes constant time. States with equal canonical forms are merged.
 */
export function walk(options: Walk): Explored {
  const { start, moves, laws, depth = Infinity, mostStates = 100_000, inside = () => true, onStep } = options;
  const keys = new StateKeys();
  const seen = new Set<string>([keys.keyOf(start.state)]);
  let frontier: Node[] = [{ ledger: start, by: null, from: null }];
  let transitions = 0;
  let refusals = 0;
  let reached = 0;
  const report = (complete: boolean, counterexample: Counterexample | null): Explored => ({
    states: seen.size,
    transitions,
    refusals,
    depth: reached,
    complete,
    counterexample,
  });

  while (frontier.length > 0) {
    if (reached >= depth) return report(false, null);
    const next: Node[] = [];
    for (const node of frontier) {
      for (const by of moves(node.ledger)) {
        const accepted = node.ledger.submit(by.command, by.context);
        if (!accepted.ok) {
          refusals += 1;
          continue;
        }
        transitions += 1;
        const { ledger, update } = accepted.value;
        const step = { before: node.ledger.state, update, after: ledger.state };
        onStep?.(step);
        const law = brokenLaws(laws, step)[0];
        if (law) return report(false, { path: pathTo({ ledger, by, from: node }), law, update });
        const key = keys.keyOf(ledger.state);
        if (seen.has(key) || !inside(ledger.state)) continue;
        if (seen.size >= mostStates) return report(false, null);
        seen.add(key);
        next.push({ ledger, by, from: node });
      }
    }
    if (next.length > 0) reached += 1;
    frontier = next;
  }
  return report(true, null);
}

function pathTo(node: Node): readonly Submission[] {
  const path: Submission[] = [];
  for (let at: Node | null = node; at?.by; at = at.from) path.push(at.by);
  return path.reverse();
}
