import { newSha256 } from '../hash/sha256.js';

const encoder = new TextEncoder();

export function* sealedLines(lines: Iterable<string>): Generator<string, void, undefined> {
  const seal = newSha256();
  for (const line of lines) {
    seal.update(encoder.encode(`${line}\n`));
    yield line;
  }
  yield JSON.stringify({ sha256: seal.digest('hex') });
}

export function isSealed(lines: readonly string[]): boolean {
  const seal = newSha256();
  for (const line of lines.slice(0, -1)) seal.update(encoder.encode(`${line}\n`));
  return lines.at(-1) === JSON.stringify({ sha256: seal.digest('hex') });
}
