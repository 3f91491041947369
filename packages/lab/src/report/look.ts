import { at } from '@coinlab/core/workflows';

export const FONT = 12;

/**
 * Colours that people with any kind of colour vision can tell apart (Okabe and Ito, 2008). The fallbacks are for
 * figures outside a page; the page defines lighter values for dark backgrounds.
 */
export const COLOURS = [
  'var(--c1, #0072b2)',
  'var(--c2, #d55e00)',
  'var(--c3, #009e73)',
  'var(--c4, #a8538b)',
  'var(--c5, #b27d00)',
  'var(--c6, #3a93c4)',
] as const;

export const DARK_COLOURS: readonly string[] = ['#5ab4f0', '#ff9248', '#3fd0a4', '#e49cc6', '#f0c246', '#9ad6f7'];

const DASHES = ['none', '7 3', '2 3', '10 3 2 3'];

export const SYMBOLS = ['circle', 'square', 'triangle', 'diamond'] as const;

/** Returns the style of the n-th line or point. */
export function lookOf(index: number): {
  readonly colour: string;
  readonly dash: string;
  readonly symbol: (typeof SYMBOLS)[number];
} {
  const shift = index + Math.floor(index / COLOURS.length);
  return {
    colour: at(COLOURS, index % COLOURS.length),
    dash: at(DASHES, shift % DASHES.length),
    symbol: at(SYMBOLS, shift % SYMBOLS.length),
  };
}

export const GRID = 'var(--grid, #d9d9d9)';

export const GROUND = 'var(--ground, #ffffff)';

/** Converts a figure to a standalone SVG file: page colours become fixed ones on white. */
export function svgFile(svg: string): string {
  const fixed = svg
    .replaceAll(/var\(--[a-z0-9]+, ([^)]+)\)/g, '$1')
    .replaceAll('currentColor', '#1a1a1a')
    .replace('</style>', '</style><rect width="100%" height="100%" fill="#ffffff"/>');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${fixed}\n`;
}
