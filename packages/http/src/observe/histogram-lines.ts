/**
 * Returns the samples of one histogram in the text format of Prometheus.
 * @param labels such as `method="GET",route="/livez"`, or an empty text
 * @param counts values per bucket, not cumulative; the last bucket has no upper bound
 */
export function histogramLines(
  name: string,
  labels: string,
  bounds: readonly number[],
  counts: Iterable<number>,
  sum: number,
): readonly string[] {
  const lines: string[] = [];
  const more = labels === '' ? '' : `,${labels}`;
  const all = labels === '' ? '' : `{${labels}}`;
  let total = 0;
  let step = 0;
  for (const count of counts) {
    total += count;
    lines.push(`${name}_bucket{le="${bounds[step++] ?? '+Inf'}"${more}} ${total}`);
  }
  lines.push(`${name}_sum${all} ${sum}`, `${name}_count${all} ${total}`);
  return lines;
}
