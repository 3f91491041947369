/** A figure of a report, as SVG. */
export interface Figure {
  /** Name of its SVG file, unique in the report. */
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly svg: string;
}

export function slug(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
