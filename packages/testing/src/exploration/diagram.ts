import { isOneOf } from '@coinlab/core/workflows';
import { templateOf } from '@coinlab/core/contracts';
import type { Contract, TemplateName, LedgerState, Instant, Step, Update } from '@coinlab/core';
import { allOf, findAny } from '@coinlab/core/views';

/** When a way was seen to be gone, by the deadline of the contract: always before it, always from it on, or both. */
export type When = 'before the deadline' | 'from the deadline on' | 'at any time';

/** One way of a state machine, as it was seen. */
export interface Edge {
  readonly from: string;
  /** The kind of update that goes it. */
  readonly by: string;
  readonly to: string;
  readonly when: When;
}

/** A state machine as it was seen: which update takes a contract from which state to which. */
export interface StateDiagram {
  readonly title: string;
  /** Sorted; `∅` is where it does not exist yet, and an ended contract is named by the update that ended it. */
  readonly edges: readonly Edge[];
}

/** Where a contract is before it is created. */
const NOWHERE = '∅';

/** Looks on while a world is walked, and draws what it saw. */
export interface Observer {
  readonly watch: (step: Step) => void;
  diagram(): StateDiagram;
}

/** How steps are read where the plain way does not tell enough. */
export interface Readings<One extends Contract> {
  /** Whether a contract goes on as the other; left out: what one update archives goes on as what it creates. */
  readonly isSame?: (contract: One, other: One) => boolean;
  /** What to call what an update does; left out: its kind. */
  readonly kindOf?: (update: Update) => string;
}

type Named<Name extends TemplateName> = Extract<Contract, { template: Name }>;

/**
 * Draws the life of one thing from the steps of a walk: of the contracts of one template, or of several that follow each other,
 * as a proposal and what it becomes.
 * @param stateOf what to call an active contract's state, from the ledger's: `Pending`, `Pending without coin`; never from its time.
 *   Null: it is none of these things
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
        // Replaced by one of its own kind, as a renewal does: the same thing goes on.
        const next = [...begun].find((other) => isSame(contract, other));
        if (next) begun.delete(next);
        see(from, kind, (next && stateOf(next, after)) ?? kind, inTime(contract));
      }
      for (const contract of begun) {
        const to = stateOf(contract, after);
        if (to !== null) see(NOWHERE, kind, to, null);
      }
      for (const contract of standing(templates, before)) {
        // Not touched itself, but what it stands on has changed, as when the coin of an offer is freed.
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

/** A locked coin's is the end of its lock. */
function deadlineOf(contract: Contract): Instant | null {
  if (contract.template === 'Holding') return contract.lock?.expiresAt ?? null;
  return templateOf(contract).dueAt(contract);
}

function standing(templates: readonly TemplateName[], state: LedgerState): readonly Contract[] {
  return templates
    .filter((template): template is Exclude<TemplateName, 'Holding'> => template !== 'Holding')
    .flatMap((template): readonly Contract[] => [...allOf(state, template)]);
}

/** A diagram as a Mermaid state diagram, one transition per line. Returns the text without a code fence. */
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
