export function* linesIn(pieces: Iterable<string>): Generator<string, void, undefined> {
  let rest = '';
  let isFirst = true;
  for (const piece of pieces) {
    const text = isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece;
    if (piece !== '') isFirst = false;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield withoutReturn(line);
  }
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
