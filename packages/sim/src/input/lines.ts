/** A text as its lines, without line breaks; a byte order mark and the break after the last line are no content. */
export function linesOf(text: string): readonly string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
