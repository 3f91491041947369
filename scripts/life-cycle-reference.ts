import { diagramSvg, diagramText, drawLifecycle, LIFECYCLES, type StateDiagram } from '@coinlab/testing';
import type { Page } from './server-reference.ts';

/** What walks through small worlds saw: a page, and a picture and a text of each life cycle. */
export interface LifeCycleReference {
  readonly page: Page;
  /** By path under the reference. */
  readonly files: Readonly<Record<string, string>>;
}

/** Walks the world of every life cycle. A law that breaks on the way is reported as a gap. */
export function lifeCycleReference(report: (gap: string) => void): LifeCycleReference {
  const files: Record<string, string> = {};
  const sections: string[] = [];
  for (const lifecycle of LIFECYCLES) {
    const { name } = lifecycle;
    const { diagram, seen } = drawLifecycle(lifecycle);
    if (seen.counterexample) report(`life cycle ${name} breaks a law: ${seen.counterexample.law.name}`);
    files[`diagrams/${name}.svg`] = diagramSvg(diagram);
    files[`diagrams/${name}.txt`] = diagramText(diagram);
    sections.push(sectionOf(name, diagram, `${seen.states} states, ${seen.transitions} transitions`));
  }
  return {
    files,
    page: {
      title: 'Life cycles',
      intro: `What becomes of each kind of thing. The pictures are not drawn by hand: small worlds are walked completely, to a depth at which every way
has been seen, all laws checked on each, and what happened is drawn (\`LIFECYCLES\` and \`drawLifecycle\` of \`@coinlab/testing\`;
[explore a small world](../guides/explore-a-small-world.md)). A dark dot is where a thing does not exist yet, a blue box a state that it can be
in, a grey box an end, called by the kind of [update](updates.md) that ended it. _Before the deadline_ and _from the deadline on_ say
when a way was seen to be open, by the deadline of the thing itself; without either, it was seen open at both.`,
      body: sections.join('\n\n'),
    },
  };
}

function sectionOf(name: string, { title, edges }: StateDiagram, walked: string): string {
  const alternative = `${title}: ${edges.length} ways, as the text lists them`;
  return `## ${title}\n\n![${alternative}](diagrams/${name}.svg)\n\nThe same [as text](diagrams/${name}.txt). Seen in ${walked}.`;
}
