import { NOWHERE, type Edge, type StateDiagram } from './diagram.js';

/*
 * A layout for the machines of ledgers, which are alike: a few states that follow each other, and many ends. The states stand in a
 * row; ways that leap over states, go back or round lead above it; the ends are listed below, each on a line of its own, to which
 * a trunk comes down from every state that can end so.
 */

const MARGIN = 20;
const NODE_HEIGHT = 34;
const LINE = 16;
const LANE = 30;
const ROW = 44;
const GUARD_WIDTH = 150;

interface Place {
  readonly name: string;
  readonly x: number;
  readonly width: number;
}

/** A diagram as an SVG picture, readable on light and on dark ground. */
export function diagramSvg(diagram: StateDiagram): string {
  const names = statesOf(diagram.edges);
  const steps = diagram.edges.filter(({ to }) => names.includes(to));
  const isNext = ({ from, to }: Edge): boolean => names.indexOf(to) === names.indexOf(from) + 1;
  const leaps = steps.filter((edge) => !isNext(edge)).sort((a, b) => span(names, a) - span(names, b));
  const endings = diagram.edges.filter(({ to }) => !names.includes(to));
  const ends = endsOf(endings, names);

  const places = rowOf(names, steps.filter(isNext));
  const most = Math.max(0, ...names.map((name) => steps.filter((edge) => edge.from === name && isNext(edge)).length));
  const spine = MARGIN + LINE + 24 + leaps.length * LANE + most * LINE + NODE_HEIGHT / 2;
  const endsX = Math.max(...endings.map(({ from }) => centre(places, from)), 0) + GUARD_WIDTH + 24;
  const drawn = [
    ...steps.filter(isNext).map((edge, i, all) => stepPart(edge, places, spine, sameWay(all, i))),
    ...leaps.map((edge, i) => leapPart(edge, places, spine, spine - NODE_HEIGHT / 2 - most * LINE - 12 - i * LANE, i)),
    ...endings.map((edge) =>
      endingPart(edge, centre(places, edge.from), spine, rowY(spine, ends.indexOf(edge.to)), endsX),
    ),
    ...places.map((place) => statePart(place, spine)),
    ...ends.map((name, i) => box(endsX, rowY(spine, i) - NODE_HEIGHT / 2, widthOf(name) + 24, name, 'end')),
  ];
  const right = Math.max(
    ...places.map(({ x, width }) => x + width),
    ...ends.map((name) => endsX + widthOf(name) + 24),
    ...leaps.filter(({ from, to }) => from === to).map((edge) => centre(places, edge.to) + 40 + widthOf(labelOf(edge))),
    MARGIN + widthOf(diagram.title),
  );
  const bottom = ends.length === 0 ? spine + NODE_HEIGHT / 2 : rowY(spine, ends.length - 1) + NODE_HEIGHT / 2;
  return picture(diagram.title, right + MARGIN, bottom + MARGIN, drawn);
}

/** The states a thing goes through, nearest to its beginning first; what nothing leads on from is an end. */
function statesOf(edges: readonly Edge[]): readonly string[] {
  const found = [NOWHERE];
  for (const name of found)
    for (const { from, to } of edges)
      if (from === name && !found.includes(to) && edges.some((edge) => edge.from === to)) found.push(to);
  const leads = (from: string, to: string): boolean => edges.some((edge) => edge.from === from && edge.to === to);
  // Of two that are as near, the one that leads to the other comes first.
  return found.sort((a, b) => Number(leads(b, a)) - Number(leads(a, b)));
}

/** The ends, those of the last state first, so that no trunk crosses the line to an end of a later state. */
function endsOf(endings: readonly Edge[], names: readonly string[]): readonly string[] {
  const first = (end: string): number =>
    Math.min(...endings.filter(({ to }) => to === end).map(({ from }) => names.indexOf(from)));
  const ends = [...new Set(endings.map(({ to }) => to))];
  return ends.sort((a, b) => first(b) - first(a) || (a < b ? -1 : 1));
}

/** Where the states stand: so far apart that the names of the ways between neighbours fit. */
function rowOf(names: readonly string[], steps: readonly Edge[]): readonly Place[] {
  const places: Place[] = [];
  let x = MARGIN;
  for (const name of names) {
    const width = name === NOWHERE ? 16 : widthOf(name) + 28;
    places.push({ name, x, width });
    const labels = steps.filter(({ from }) => from === name).map((edge) => widthOf(labelOf(edge)));
    x += width + Math.max(60, ...labels.map((label) => label + 36));
  }
  return places;
}

function stepPart(edge: Edge, places: readonly Place[], spine: number, nth: number): string {
  const [from, to] = [placeOf(places, edge.from), placeOf(places, edge.to)];
  const start = from.x + from.width;
  const label = text((start + to.x) / 2, spine - 8 - nth * LINE, labelOf(edge), 'label middle');
  return `${nth === 0 ? way(`M${start} ${spine}H${to.x - 2}`) : ''}${label}`;
}

/** How many ways between the same two states were drawn before. */
function sameWay(steps: readonly Edge[], index: number): number {
  const { from, to } = steps[index] as Edge;
  return steps.slice(0, index).filter((edge) => edge.from === from && edge.to === to).length;
}

function leapPart(edge: Edge, places: readonly Place[], spine: number, lane: number, nth: number): string {
  const top = (name: string): number => spine - (name === NOWHERE ? 8 : NODE_HEIGHT / 2);
  const isLoop = edge.from === edge.to;
  const from = centre(places, edge.from) + (isLoop ? 8 : 4 * nth - 12);
  const to = centre(places, edge.to) + (isLoop ? 28 : 4 * nth - 16);
  const path = way(`M${from} ${top(edge.from)}V${lane}H${to}V${top(edge.to) - 2}`);
  const label = isLoop
    ? text(to + 8, lane + 4, labelOf(edge), 'label')
    : text((from + to) / 2, lane - 6, labelOf(edge), 'label middle');
  return `${path}${label}`;
}

function endingPart(edge: Edge, x: number, spine: number, y: number, endsX: number): string {
  const trunk = way(`M${x} ${spine + NODE_HEIGHT / 2}V${y}H${endsX - 2}`);
  const dot = `<circle class="dot" cx="${x}" cy="${y}" r="2.5"/>`;
  // The end is called by the update, so the way needs no name: only when it can be gone.
  return `${trunk}${dot}${edge.when === 'at any time' ? '' : text(x + 8, y - 5, edge.when, 'guard')}`;
}

function statePart({ name, x, width }: Place, spine: number): string {
  if (name === NOWHERE) return `<circle class="start" cx="${x + 8}" cy="${spine}" r="8"/>`;
  return box(x, spine - NODE_HEIGHT / 2, width, name, 'state');
}

function box(x: number, y: number, width: number, name: string, kind: string): string {
  const frame = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${NODE_HEIGHT}" rx="8"/>`;
  return `${frame}${text(x + width / 2, y + NODE_HEIGHT / 2 + 5, name, `${kind}-name middle`)}`;
}

function way(path: string): string {
  return `<path class="way" d="${path}" marker-end="url(#arrow)"/>`;
}

function text(x: number, y: number, content: string, kind: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escaped(content)}</text>`;
}

function labelOf({ by, when }: Edge): string {
  return when === 'at any time' ? by : `${by}, ${when}`;
}

function placeOf(places: readonly Place[], name: string): Place {
  return places.find((place) => place.name === name) as Place;
}

function centre(places: readonly Place[], name: string): number {
  const { x, width } = placeOf(places, name);
  return x + Math.round(width / 2);
}

function span(names: readonly string[], { from, to }: Edge): number {
  return Math.abs(names.indexOf(to) - names.indexOf(from));
}

function rowY(spine: number, row: number): number {
  return spine + NODE_HEIGHT / 2 + 36 + row * ROW;
}

/** No font can be measured here; this is a little more than a common sans serif of 13 pixels takes. */
function widthOf(content: string): number {
  return Math.ceil(content.length * 7.5);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const STYLE = `
  svg { --ground: #ffffff; --ink: #1f2328; --line: #59636e; --fill: #ddf4ff; --edge: #0969da; --quiet: #f6f8fa }
  @media (prefers-color-scheme: dark) {
    svg { --ground: #0d1117; --ink: #e6edf3; --line: #9198a1; --fill: #0c2d6b; --edge: #4493f8; --quiet: #21262d }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink) }
  .ground { fill: var(--ground) }
  .title { font-size: 16px; font-weight: 600 }
  .middle { text-anchor: middle }
  .label, .guard { font-size: 12px; paint-order: stroke; stroke: var(--ground); stroke-width: 4px }
  .guard { fill: var(--line) }
  .way { fill: none; stroke: var(--line); stroke-width: 1.3 }
  .head, .dot { fill: var(--line) }
  .start { fill: var(--ink) }
  .state { fill: var(--fill); stroke: var(--edge); stroke-width: 1.5 }
  .state-name { font-weight: 600 }
  .end { fill: var(--quiet); stroke: var(--line) }
`;

function picture(title: string, width: number, height: number, parts: readonly string[]): string {
  const arrow =
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
    '<path class="head" d="M0 0L8 4L0 8Z"/></marker>';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<defs>${arrow}</defs>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    text(MARGIN, MARGIN + 14, title, 'title'),
    ...parts,
    '</svg>\n',
  ].join('\n');
}
