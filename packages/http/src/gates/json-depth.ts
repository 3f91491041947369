/** No declared body is nested so deeply; beyond it, code that recurses through a value would exhaust the stack. */
const MOST_DEPTH = 100;

/** Whether a JSON text is nested more deeply than any body that is declared. */
export function isTooDeep(text: string): boolean {
  // Most bodies are too short for it.
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
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
