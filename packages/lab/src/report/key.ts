import type { Markish } from '@observablehq/plot';
import { FONT, type SYMBOLS } from './look.js';

export interface KeyEntry {
  readonly label: string;
  readonly colour: string;
  readonly kind: 'line' | 'band' | 'dot';
  readonly dash?: string;
  readonly opacity?: number;
  readonly symbol?: (typeof SYMBOLS)[number];
}

interface Element {
  setAttribute(name: string, value: string): void;
  append(...children: readonly Element[]): void;
  textContent: string | null;
}

type Make = (name: string, attributes: Readonly<Record<string, string | number>>) => Element;

const ROW = FONT + 8;
const SWATCH = 22;
/** Mean width of a letter in the figure; an overestimate only leaves a gap. */
const LETTER = FONT * 0.56;

export function keyHeight(entries: readonly KeyEntry[], width: number): number {
  return entries.length === 0 ? 0 : (placed(entries, width).at(-1)?.row ?? 0) * ROW + ROW;
}

/** Draws the key inside the figure, so that separate SVG files include it. */
export function key(entries: readonly KeyEntry[], left: number): Markish {
  return (_index, _scales, _values, { width }, { document }) => {
    const element: Make = (name, attributes) => {
      const made: Element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
      return made;
    };
    const group = element('g', { 'aria-label': 'key', 'text-anchor': 'start' });
    for (const { entry, x, row } of placed(entries, width - left)) {
      const [start, middle] = [left + x, row * ROW + ROW / 2];
      group.append(swatch(entry, start, middle, element));
      const text = element('text', { x: start + SWATCH + 5, y: middle, dy: '0.34em' });
      text.textContent = entry.label;
      group.append(text);
    }
    return group;
  };
}

const SHAPES: Readonly<Record<(typeof SYMBOLS)[number], string>> = {
  circle: 'M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0',
  square: 'M-4,-4H4V4H-4Z',
  triangle: 'M0,-5.5L4.8,2.8H-4.8Z',
  diamond: 'M0,-6L3.5,0L0,6L-3.5,0Z',
};

function swatch(
  { kind, colour, dash = 'none', opacity = 1, symbol = 'circle' }: KeyEntry,
  x: number,
  y: number,
  element: Make,
): Element {
  switch (kind) {
    case 'line':
      return element('line', {
        x1: x,
        x2: x + SWATCH,
        y1: y,
        y2: y,
        stroke: colour,
        'stroke-width': 2,
        'stroke-dasharray': dash,
      });
    case 'band':
      return element('rect', { x, y: y - 5, width: SWATCH, height: 10, fill: colour, 'fill-opacity': opacity });
    case 'dot':
      return element('path', { d: SHAPES[symbol], transform: `translate(${x + SWATCH - 7},${y})`, fill: colour });
  }
}

function placed(
  entries: readonly KeyEntry[],
  width: number,
): readonly { readonly entry: KeyEntry; readonly x: number; readonly row: number }[] {
  let [x, row] = [0, 0];
  return entries.map((entry) => {
    const needed = SWATCH + 5 + entry.label.length * LETTER + 16;
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1];
    const place = { entry, x, row };
    x += needed;
    return place;
  });
}
