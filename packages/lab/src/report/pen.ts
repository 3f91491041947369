import type * as Observable from '@observablehq/plot';
import { key, keyHeight, type KeyEntry } from './key.js';
import { FONT } from './look.js';

/** What is drawn: options of the library, and what it would place where a key is. */
export interface Drawing extends Observable.PlotOptions {
  /** What the vertical axis counts; it stands above the axis. */
  readonly above?: string;
  readonly key?: readonly KeyEntry[];
}

/** The library that draws, loaded when the first picture is drawn: a program that draws none starts without it. */
export interface Pen {
  readonly plot: typeof Observable;
  /** Draws, and says in words what is seen. */
  readonly draw: (title: string, options: Drawing) => string;
}

let loading: Promise<Pen> | null = null;

/** The pen. */
export function openPen(): Promise<Pen> {
  return (loading ??= load());
}

async function load(): Promise<Pen> {
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
      return rounded(svg.outerHTML);
    },
  };
}

/** Logarithmic axes whose every tick has its number: left to itself, the library drops some of them. */
function logAxes(plot: Pen['plot'], { x, y }: Observable.PlotOptions): readonly Observable.Markish[] {
  const [across, up] = [logTicks(x), logTicks(y)];
  const centred = { label: x?.label ?? null, labelAnchor: 'center', labelArrow: 'none' } as const;
  return [
    ...(across ? [plot.axisX(across.ticks, { text: across.text, ...centred })] : []),
    ...(up ? [plot.axisY(up.ticks, { text: up.text, label: null })] : []),
  ];
}

/** The ticks of a logarithmic axis that names them all, and their texts; null for any other axis. */
function logTicks(
  axis: Observable.ScaleOptions | undefined,
): { readonly ticks: readonly number[]; readonly text: (tick: number) => string } | null {
  if (axis?.type !== 'log' || !Array.isArray(axis.ticks)) return null;
  const { ticks, tickFormat } = axis;
  if (typeof tickFormat !== 'function') return null;
  return { ticks: ticks.map(Number), text: (tick) => String(tickFormat(tick, ticks.indexOf(tick))) };
}

/** Coordinates to a hundredth of a pixel: fewer bytes, and the same on machines whose last bits differ. */
function rounded(svg: string): string {
  return svg.replaceAll(/ (?:d|transform|points|[xyr][12]?|c[xy]|width|height)="[^"]*"/g, (attribute) =>
    attribute.replaceAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
  );
}
