import { diagramMermaid, drawLifecycle, LIFECYCLES } from '@coinlab/testing';
import type { Page } from './server-reference.ts';

/** Returns the page of life cycles: explores the small world of each and draws it. Reports a broken law as a gap. */
export function lifeCyclePage(report: (gap: string) => void): Page {
  const sections = LIFECYCLES.map((lifecycle) => {
    const { diagram, seen } = drawLifecycle(lifecycle);
    if (seen.counterexample) report(`life cycle ${lifecycle.name} breaks a law: ${seen.counterexample.law.name}`);
    const walked = `Seen in ${seen.states} states, ${seen.transitions} transitions.`;
    return `## ${diagram.title}\n\n\`\`\`mermaid\n${diagramMermaid(diagram)}\`\`\`\n\n${walked}`;
  });
  return {
    title: 'Life cycles',
    intro: `The states of each kind of contract. \`drawLifecycle\` of \`@coinlab/testing\` generates these diagrams: it visits the states of a small world until every transition has happened,
and checks all laws on each ([explore a small world](../guides/explore-a-small-world.md)). A transition has the name of the [update](updates.md) that causes it.
\`[before the deadline]\` and \`[from the deadline on]\` show when it is possible; a transition without either is possible at both times.
GitHub and most editors render the Mermaid text.`,
    body: sections.join('\n\n'),
  };
}
