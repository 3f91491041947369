/** Reads the parts of a figure that tests compare: shapes with their coordinates, texts, groups. */

export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Returns the innermost groups of a figure with their shapes, in drawing order. */
export function groupsIn(svg: string): readonly { readonly group: Shape; readonly shapes: readonly Shape[] }[] {
  return [...svg.matchAll(/<g([^>]*)>(.*?)<\/g>/gs)].map(([, attributes = '', inner = '']) => ({
    group: { tag: 'g', attributes: attributesIn(attributes), text: '' },
    shapes: shapesIn(inner),
  }));
}

/** Returns the shapes of a tag, such as `circle`. The text of a shape includes that of its title. */
export function shapesIn(svg: string, tag = '[a-z]+'): readonly Shape[] {
  const pattern = new RegExp(`<(${tag})\\b([^>]*?)(?:/>|>(.*?)</\\1>)`, 'gs');
  return [...svg.matchAll(pattern)].map(([, name = '', attributes = '', text = '']) => ({
    tag: name,
    attributes: attributesIn(attributes),
    text: text.replaceAll(/<[^>]*>/g, ''),
  }));
}

/** Returns the numbers of some attributes, such as `cx` and `cy`. */
export function numbersOf({ attributes }: Shape, ...names: readonly string[]): readonly number[] {
  return names.map((name) => Number(attributes[name]));
}

/** Returns the position that a `translate` gives. */
export function placeOf({ attributes }: Shape): readonly number[] {
  const [, x, y] = /^translate\(([^,]*),([^)]*)\)$/.exec(attributes['transform'] ?? '') ?? [];
  return [Number(x), Number(y)];
}

export function pointsOf({ attributes }: Shape): readonly (readonly number[])[] {
  return [...(attributes['d'] ?? '').matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

export function textsIn(svg: string): readonly (readonly [text: string, x: number, y: number])[] {
  return shapesIn(svg, 'text').map((shape) => {
    const [x = NaN, y = NaN] = placeOf(shape);
    return [shape.text, x, y];
  });
}

/** Returns the rows of all tables of a page: the texts of their cells. */
export function rowsIn(page: string): readonly (readonly string[])[] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim()),
  );
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
