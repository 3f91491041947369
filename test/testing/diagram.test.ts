import { diagramMermaid, drawLifecycle, LIFECYCLES, type Edge, type StateDiagram } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

/** Explores a life cycle, checks that no law is broken, and returns the diagram. */
function drawn(name: string): StateDiagram {
  const lifecycle = LIFECYCLES.find((one) => one.name === name);
  if (!lifecycle) throw new Error(`there is no life cycle ${name}`);
  const { diagram, seen } = drawLifecycle(lifecycle);
  expect(seen.counterexample).toBeNull();
  return diagram;
}

describe('the explored life cycles', () => {
  it('match section 7.1 of the specification for a two-step transfer', () => {
    expect(ways(drawn('transfer-offer'))).toEqual([
      'Pending > Pending without coin at any time',
      'Pending > Pending without coin from the deadline on',
      'Pending > TransferAccepted before the deadline',
      'Pending > TransferExpired from the deadline on',
      'Pending > TransferRejected at any time',
      'Pending > TransferWithdrawn at any time',
      'Pending without coin > TransferExpired from the deadline on',
      'Pending without coin > TransferRejected from the deadline on',
      'Pending without coin > TransferWithdrawn from the deadline on',
      '∅ > Pending at any time',
    ]);
  });

  it('match section 7.7 of the specification for a preapproval', () => {
    expect(ways(drawn('preapproval'))).toEqual([
      'Active > Active before the deadline',
      'Active > PreapprovalCancelled before the deadline',
      'Active > PreapprovalExpired from the deadline on',
      'Proposed > Active at any time',
      'Proposed > PreapprovalProposalWithdrawn at any time',
      '∅ > Active at any time',
      '∅ > Proposed at any time',
    ]);
  });

  it('have no transition back to an earlier phase for a round', () => {
    const phases = ['∅', 'Open', 'Summarizing', 'Issuing', 'Closed', 'RoundArchived'];
    for (const { from, to } of drawn('mining-round').edges) expect(phases.indexOf(to)).toBe(phases.indexOf(from) + 1);
  });

  it('have unique names', () => {
    expect(new Set(LIFECYCLES.map(({ name }) => name)).size).toBe(LIFECYCLES.length);
  });
});

/** Returns the distinct transitions without the names of their updates. */
function ways({ edges }: StateDiagram): readonly string[] {
  return [...new Set(edges.map(({ from, to, when }) => `${from} > ${to} ${when}`))].sort((a, b) => (a < b ? -1 : 1));
}

describe('a diagram as Mermaid text', () => {
  const edge = (from: string, by: string, to: string, when: Edge['when'] = 'at any time'): Edge => ({
    from,
    by,
    to,
    when,
  });

  it('lists every state and one line per transition, with its deadline', () => {
    const edges = [
      edge('∅', 'Made', 'New'),
      edge('New', 'Readied', 'Ready to go', 'before the deadline'),
      edge('Ready to go', 'Renewed', 'Ready to go'),
      edge('New', 'Dropped', 'Dropped'),
      edge('Ready to go', 'Dropped', 'Dropped', 'from the deadline on'),
    ];
    expect(diagramMermaid({ title: 'A thing', edges })).toBe(`stateDiagram-v2
  state "Ready to go" as Ready_to_go
  [*] --> New: Made
  New --> Ready_to_go: Readied [before the deadline]
  Ready_to_go --> Ready_to_go: Renewed
  New --> [*]: Dropped
  Ready_to_go --> [*]: Dropped [from the deadline on]
`);
  });
});
