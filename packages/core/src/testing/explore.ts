import type { Contract, TemplateName } from '../contracts/contract.js';
import { findAny, type LedgerState } from '../contracts/state.js';
import type { Submission } from '../genesis.js';
import { brokenLaws, type Law } from '../laws/law.js';
import type { Ledger } from '../ledger.js';
import type { Update } from '../log/update.js';

/** A small world to walk through completely. */
export interface Exploration {
  /** Where the walk begins. */
  readonly start: Ledger;
  /**
   * What can be tried in a state; refused submissions are counted and lead nowhere. Resolve contracts from the state, and step
   * time by giving later instants.
   */
  readonly moves: (state: LedgerState) => Iterable<Submission>;
  /** Laws to check on every transition. */
  readonly laws: readonly Law[];
  /** Longest path to walk; left out: until nothing new is found. */
  readonly depth?: number;
  /** States after which the walk gives up; left out: 100,000. */
  readonly mostStates?: number;
  /** Sees every transition, also those that lead to a known state. */
  readonly onStep?: (step: {
    readonly before: LedgerState;
    readonly update: Update;
    readonly after: LedgerState;
  }) => void;
}

/** What a walk found. */
export interface Explored {
  /** Different states, by canonical hash: states that differ only in ids and path count once. */
  readonly states: number;
  readonly transitions: number;
  readonly refusals: number;
  /** Longest of the shortest paths to the states found. */
  readonly depth: number;
  /** Whether every reachable state was visited: neither depth nor number of states cut the walk. */
  readonly complete: boolean;
  /** The shortest path that breaks a law, or null. */
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
 * Walks every reachable state of a small world, breadth first, so that the first law broken is broken by a shortest path.
 * Forking costs nothing, and equal states are merged by hash.
 */
export function explore({ start, moves, laws, depth = Infinity, mostStates = 100_000, onStep }: Exploration): Explored {
  const seen = new Set<string>([start.hash()]);
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
      for (const by of moves(node.ledger.state)) {
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
        const hash = ledger.hash();
        if (seen.has(hash)) continue;
        if (seen.size >= mostStates) return report(false, null);
        seen.add(hash);
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

/** A state machine as it was seen: which update takes a contract of a template from which state to which. */
export interface StateDiagram {
  readonly template: TemplateName;
  /** Sorted; `∅` is where it does not exist yet, and an ended contract is named by the update that ended it. */
  readonly edges: readonly { readonly from: string; readonly by: string; readonly to: string }[];
}

/**
 * Draws the life of the contracts of one template from the steps of a walk.
 * @param stateOf what to call an active contract's state, from the ledger's: `Pending`, `Pending without coin`
 */
export function diagramOf<Name extends TemplateName>(
  template: Name,
  stateOf: (contract: Extract<Contract, { template: Name }>, state: LedgerState) => string,
): { readonly watch: NonNullable<Exploration['onStep']>; diagram(): StateDiagram } {
  const edges = new Map<string, { from: string; by: string; to: string }>();
  const see = (from: string, by: string, to: string): void => void edges.set(`${from}|${by}|${to}`, { from, by, to });
  type Named = Extract<Contract, { template: Name }>;
  const isOne = (contract: Contract | null): contract is Named => contract?.template === template;
  return {
    watch({ before, update, after }) {
      const touched = new Set<Contract>();
      const ended = update.archived.map((id) => findAny(before, id)).filter(isOne);
      const begun = update.created.filter(isOne);
      for (const contract of ended) {
        touched.add(contract);
        // Replaced by one of its own kind, as a renewal does: the same object goes on.
        const to = begun[0] ? stateOf(begun[0], after) : update.kind;
        see(stateOf(contract, before), update.kind, to);
      }
      if (ended.length === 0) for (const contract of begun) see('∅', update.kind, stateOf(contract, after));
    },
    diagram: () => ({
      template,
      edges: [...edges.keys()].sort().map((key) => edges.get(key) as { from: string; by: string; to: string }),
    }),
  };
}

/** A diagram as text, an edge a line. */
export function diagramText({ template, edges }: StateDiagram): string {
  return [template, ...edges.map(({ from, by, to }) => `  ${from} --${by}--> ${to}`)].join('\n') + '\n';
}
