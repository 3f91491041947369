import type * as Observable from '@observablehq/plot';
import { key, keyHeight, type KeyEntry } from './key.js';
import { FONT } from './look.js';

/** Options of a figure: those of the plotting library, a note above it, and its key. */
export interface Drawing extends Observable.PlotOptions {
  readonly above?: string;
  readonly key?: readonly KeyEntry[];
}

/** The plotting library, loaded for the first figure so that programs without figures start faster. */
export interface Plotter {
  readonly plot: typeof Observable;
  /** Returns the SVG; the title becomes its accessible label. */
  readonly draw: (title: string, options: Drawing) => string;
}

let loading: Promise<Plotter> | null = null;

/** Loads the plotting library once. */
export function loadPlotter(): Promise<Plotter> {
  return (loading ??= load());
}

async function load(): Promise<Plotter> {
  const [plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  const { document } = parseHTML('<html><body></body></html>');
  return {
    plot,
    draw(title, { above, key: entries = [], marks = [], ...options }) {
      const { width = 640, height = 320, marginLeft = 56, marginRight = 24 } = options;
      const keyed = keyHeight(entries, width - marginLeft);
      const svg = plot.plot({
        document,
        style: { fontSize: `${FONT}px`, background: 'none', overflow: 'visible' },
        marginBottom: 40,
        marginTop: keyed + (above === undefined ? 8 : 26),
        ...options,
        width,
        height: height + keyed,
        marginLeft,
        marginRight,
        x: { labelArrow: 'none', labelAnchor: 'center', ...options.x },
        y: { label: null, ...options.y },
        marks: [
          ...logAxes(plot, options),
          ...marks,
          above === undefined
            ? null
            : plot.text([above], { frameAnchor: 'top-left', textAnchor: 'start', dx: 8 - marginLeft, dy: -20 }),
          entries.length === 0 ? null : key(entries, marginLeft),
        ],
      });
      svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
      svg.setAttribute('role', 'img');
      svg.setAttribute('aria-label', title);
      return unlabelled(rounded(svg.outerHTML));
    },
  };
}

function logAxes(plot: Plotter['plot'], { x, y }: Observable.PlotOptions): readonly Observable.Markish[] {
  const [across, up] = [logTicks(x), logTicks(y)];
  const centred = { label: x?.label ?? null, labelAnchor: 'center', labelArrow: 'none' } as const;
  return [
    ...(across ? [plot.axisX(across.ticks, { text: across.text, ...centred })] : []),
    ...(up ? [plot.axisY(up.ticks, { text: up.text, label: null })] : []),
  ];
}

function logTicks(
  axis: Observable.ScaleOptions | undefined,
): { readonly ticks: readonly number[]; readonly text: (tick: number) => string } | null {
  if (axis?.type !== 'log' || !Array.isArray(axis.ticks)) return null;
  const { ticks, tickFormat } = axis;
  if (typeof tickFormat !== 'function') return null;
  return { ticks: ticks.map(Number), text: (tick) => String(tickFormat(tick, ticks.indexOf(tick))) };
}

/** Removes the labels of groups: a group without a role may have none, and the figure as a whole has one. */
function unlabelled(svg: string): string {
  return svg.replaceAll(/(<g\b[^>]*?) aria-label="[^"]*"/g, '$1');
}

function rounded(svg: string): string {
  return svg.replaceAll(/ (?:d|transform|points|[xyr][12]?|c[xy]|width|height)="[^"]*"/g, (attribute) =>
    attribute.replaceAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
  );
}
