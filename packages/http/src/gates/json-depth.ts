/** Deepest nesting, more than any declared body has. Deeper values would exhaust the stack of recursive code. */
const MOST_DEPTH = 100;

export function isTooDeep(text: string): boolean {
  // A fast path: most bodies are too short to be nested too deeply.
  if (text.length <= MOST_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '[' || sign === '{') {
      depth += 1;
      if (depth > MOST_DEPTH) return true;
    } else if (sign === ']' || sign === '}') depth -= 1;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  // Strings without escapes, such as long blobs, are found without looking at each character.
  const end = text.indexOf('"', start + 1);
  if (end < 0) return text.length;
  if (text[end - 1] !== '\\') return end;
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
