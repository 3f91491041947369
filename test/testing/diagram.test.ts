import { diagramSvg, diagramText, drawLifecycle, LIFECYCLES, type Edge, type StateDiagram } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

/** What is drawn of one life cycle, and that no law broke on the way. */
function drawn(name: string): StateDiagram {
  const lifecycle = LIFECYCLES.find((one) => one.name === name);
  if (!lifecycle) throw new Error(`there is no life cycle ${name}`);
  const { diagram, seen } = drawLifecycle(lifecycle);
  expect(seen.counterexample).toBeNull();
  return diagram;
}

describe('life cycles as exploration saw them', () => {
  it('a two-step transfer lives as specification §7.1 says', () => {
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

  it('a preapproval lives as specification §7.7 says', () => {
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

  it('a round goes through its phases forward alone', () => {
    const phases = ['∅', 'Open', 'Summarizing', 'Issuing', 'Closed', 'RoundArchived'];
    for (const { from, to } of drawn('mining-round').edges) expect(phases.indexOf(to)).toBe(phases.indexOf(from) + 1);
  });

  it('each has a name of its own', () => {
    expect(new Set(LIFECYCLES.map(({ name }) => name)).size).toBe(LIFECYCLES.length);
  });
});

/** The ways without the names of their updates, each once. */
function ways({ edges }: StateDiagram): readonly string[] {
  return [...new Set(edges.map(({ from, to, when }) => `${from} > ${to} ${when}`))].sort((a, b) => (a < b ? -1 : 1));
}

describe('a picture', () => {
  const edge = (from: string, by: string, to: string, when: Edge['when'] = 'at any time'): Edge => ({
    from,
    by,
    to,
    when,
  });
  const diagram: StateDiagram = {
    title: 'A <thing> & its life',
    edges: [
      edge('∅', 'Made', 'New'),
      edge('∅', 'MadeReady', 'Ready'),
      edge('New', 'Readied', 'Ready', 'before the deadline'),
      edge('Ready', 'Renewed', 'Ready'),
      edge('Ready', 'SentBack', 'New'),
      edge('New', 'Dropped', 'Dropped'),
      edge('Ready', 'Dropped', 'Dropped', 'from the deadline on'),
    ],
  };
  const svg = diagramSvg(diagram);

  it('has every state and every end once, and a name or a time at every way', () => {
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts.sort()).toEqual(
      [
        'A &lt;thing&gt; &amp; its life',
        'New',
        'Ready',
        'Dropped',
        'Made',
        'MadeReady',
        'Renewed',
        'SentBack',
        'Readied, before the deadline',
        'from the deadline on',
      ].sort(),
    );
    expect(svg.match(/class="way"/g)).toHaveLength(diagram.edges.length);
  });

  it('stays inside its frame', () => {
    const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
    for (const [, x, y, w, h] of svg.matchAll(
      /<rect class="(?:state|end)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g,
    )) {
      expect(Number(x) + Number(w)).toBeLessThan(width);
      expect(Number(y) + Number(h)).toBeLessThan(height);
    }
  });

  it('follows the reader to dark ground, and needs nothing from outside', () => {
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<script/);
  });

  it('says the same as the text', () => {
    expect(diagramText(diagram)).toContain('  New --Readied [before the deadline]--> Ready\n');
  });
});
