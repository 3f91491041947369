import { isOneOf } from '@coinlab/core/workflows';
import { templateOf } from '@coinlab/core/contracts';
import type { Contract, TemplateName, LedgerState, Instant, Step, Update } from '@coinlab/core';
import { allOf, findAny } from '@coinlab/core/views';

/** When a transition was observed, relative to the contract's deadline. */
export type When = 'before the deadline' | 'from the deadline on' | 'at any time';

/** An observed transition of a state machine. */
export interface Edge {
  readonly from: string;
  /** Kind of the update that causes the transition. */
  readonly by: string;
  readonly to: string;
  readonly when: When;
}

/** The observed state machine of one kind of contract. */
export interface StateDiagram {
  readonly title: string;
  /**
   * Transitions in sorted order. `∅` is the state before creation. A final state has the name of the update kind that
   * ended the contract.
   */
  readonly edges: readonly Edge[];
}

const NOWHERE = '∅';

/** Collects the steps of an exploration and returns the state diagram. */
export interface Observer {
  readonly watch: (step: Step) => void;
  diagram(): StateDiagram;
}

/** Functions that resolve ambiguous steps. */
export interface Readings<One extends Contract> {
  /** Whether a created contract continues an archived one; default: always. */
  readonly isSame?: (contract: One, other: One) => boolean;
  /** Returns the name of a transition; default: the kind of its update. */
  readonly kindOf?: (update: Update) => string;
}

type Named<Name extends TemplateName> = Extract<Contract, { template: Name }>;

/**
 * Returns an observer that draws the life cycle of contracts of one template, or of several consecutive
 * templates, such as a proposal and its result.
 * @param stateOf returns the name of an active contract's state, such as `Pending without coin`, or null to
 * exclude the contract. The name must not depend on the time
 */
export function diagramOf<Name extends TemplateName>(
  title: string,
  templates: readonly Name[],
  stateOf: (contract: Named<Name>, state: LedgerState) => string | null,
  { isSame = () => true, kindOf = ({ kind }) => kind }: Readings<Named<Name>> = {},
): Observer {
  const seen = new Map<string, { readonly edge: Omit<Edge, 'when'>; before: boolean; after: boolean }>();
  const see = (from: string, by: string, to: string, inTime: boolean | null): void => {
    const known = seen.get(`${from}|${by}|${to}`) ?? { edge: { from, by, to }, before: false, after: false };
    if (inTime !== false) known.before = true;
    if (inTime !== true) known.after = true;
    seen.set(`${from}|${by}|${to}`, known);
  };
  const isOne = (contract: Contract | null): contract is Named<Name> =>
    contract !== null && isOneOf(templates, contract.template);

  return {
    watch({ before, update, after }) {
      const inTime = (contract: Contract): boolean | null => {
        const deadline = deadlineOf(contract);
        return deadline === null ? null : update.recordTime < deadline;
      };
      const kind = kindOf(update);
      const ended = update.archived.map((id) => findAny(before, id)).filter(isOne);
      const begun = new Set(update.created.filter(isOne));
      for (const contract of ended) {
        const from = stateOf(contract, before);
        if (from === null) continue;
        // A created contract of the same kind replaces the archived one, as in a renewal: the life cycle
        // continues.
        const next = [...begun].find((other) => isSame(contract, other));
        if (next) begun.delete(next);
        see(from, kind, (next && stateOf(next, after)) ?? kind, inTime(contract));
      }
      for (const contract of begun) {
        const to = stateOf(contract, after);
        if (to !== null) see(NOWHERE, kind, to, null);
      }
      for (const contract of standing(templates, before)) {
        // The contract is still active, but a contract that it refers to has changed, as when an offer's coin
        // is unlocked.
        if (!isOne(contract) || ended.includes(contract)) continue;
        const [from, to] = [stateOf(contract, before), stateOf(contract, after)];
        if (from !== to && from !== null && to !== null) see(from, kind, to, inTime(contract));
      }
    },
    diagram: () => ({
      title,
      edges: [...seen]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { edge, before, after }]) => {
          return {
            ...edge,
            when: before && after ? 'at any time' : before ? 'before the deadline' : 'from the deadline on',
          };
        }),
    }),
  };
}

function deadlineOf(contract: Contract): Instant | null {
  if (contract.template === 'Holding') return contract.lock?.expiresAt ?? null;
  return templateOf(contract).dueAt(contract);
}

function standing(templates: readonly TemplateName[], state: LedgerState): readonly Contract[] {
  return templates
    .filter((template): template is Exclude<TemplateName, 'Holding'> => template !== 'Holding')
    .flatMap((template): readonly Contract[] => [...allOf(state, template)]);
}

/** Returns a diagram as Mermaid text without a code fence, one transition per line. */
export function diagramMermaid({ edges }: StateDiagram): string {
  const isEnd = ({ by, to }: Edge): boolean => by === to;
  const idOf = (name: string): string => (name === NOWHERE ? '[*]' : name.replaceAll(/\W/g, '_'));
  const names = new Set(edges.flatMap((edge) => (isEnd(edge) ? [edge.from] : [edge.from, edge.to])));
  const states = [...names].filter((name) => name !== NOWHERE && name !== idOf(name));
  const transitions = edges.map((edge) => {
    const guard = edge.when === 'at any time' ? '' : ` [${edge.when}]`;
    return `  ${idOf(edge.from)} --> ${isEnd(edge) ? '[*]' : idOf(edge.to)}: ${edge.by}${guard}`;
  });
  return `${['stateDiagram-v2', ...states.map((name) => `  state "${name}" as ${idOf(name)}`), ...transitions].join('\n')}\n`;
}
