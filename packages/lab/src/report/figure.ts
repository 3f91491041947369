/** One picture of a report. */
export interface Figure {
  /** Name of its SVG file, unique in the report. */
  readonly id: string;
  readonly title: string;
  /** What is seen and how it was made, for the caption. */
  readonly caption: string;
  readonly svg: string;
}

/** A text as part of a file's name or an anchor. */
export function slug(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
