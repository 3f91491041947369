import { diagramMermaid, drawLifecycle, LIFECYCLES } from '@coinlab/testing';
import type { Page } from './server-reference.ts';

/** The page of life cycles: walks the small world of each and draws it. Reports a law that breaks on the way as a gap. */
export function lifeCyclePage(report: (gap: string) => void): Page {
  const sections = LIFECYCLES.map((lifecycle) => {
    const { diagram, seen } = drawLifecycle(lifecycle);
    if (seen.counterexample) report(`life cycle ${lifecycle.name} breaks a law: ${seen.counterexample.law.name}`);
    const walked = `Seen in ${seen.states} states, ${seen.transitions} transitions.`;
    return `## ${diagram.title}\n\n\`\`\`mermaid\n${diagramMermaid(diagram)}\`\`\`\n\n${walked}`;
  });
  return {
    title: 'Life cycles',
    intro: `The states of each kind of contract. Nobody draws these diagrams by hand: \`drawLifecycle\` of \`@coinlab/testing\` walks a small world until every
transition has happened, checks all laws on each, and draws the transitions that it saw ([explore a small world](../guides/explore-a-small-world.md)).
A transition has the name of the [update](updates.md) that causes it. \`[before the deadline]\` and \`[from the deadline on]\` say when it was possible,
by the deadline of the contract; a transition without either was possible at both times. GitHub and most editors draw the Mermaid text as a picture.`,
    body: sections.join('\n\n'),
  };
}
