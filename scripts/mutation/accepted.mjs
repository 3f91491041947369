/*
 * Reviewed survivors without a visible effect, each with its reason: accepted.json. They are matched by the text of
 * their line instead of its number, so a reason expires exactly when its code changes.
 */
import { readFileSync } from 'node:fs';

/** @type {readonly { readonly file: string, readonly line: string, readonly mutants: readonly string[], readonly why: string }[]} */
const ACCEPTED = JSON.parse(readFileSync(new URL('accepted.json', import.meta.url), 'utf8'));

/** Returns the name of a file for tables, without the extension: below the sources of the core, or `automation/…`, `collections/…`. */
export function nameOf(file) {
  return file
    .replace(/^packages\/core\/src\//, '')
    .replace(/^packages\/(automation|collections)\/src\//, '$1/')
    .replace(/\.ts$/, '');
}

export function reasonFor(file, line, change) {
  const accepted = ACCEPTED.find((each) => each.file === file && each.line === line && each.mutants.includes(change));
  return accepted?.why ?? null;
}

/** Returns the survivors of a file in a report, each with its line, its change and the reason, if it is accepted. */
export function survivorsOf(file, { source, mutants }) {
  const lines = source.split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => {
      const { start } = mutant.location;
      const line = lines[start.line - 1].trim();
      const change = changeOf(mutant, lines);
      const why = reasonFor(nameOf(file), line, change);
      return { file: nameOf(file), at: start, line, change, why, mutant };
    });
}

/** A mutant as text: the original and the replacement, shortened to one line. */
function changeOf({ location: { start, end }, replacement }, lines) {
  const last = end.line - 1;
  const text = lines
    .slice(start.line - 1, end.line)
    .map((line, i) => {
      const to = start.line - 1 + i === last ? end.column - 1 : line.length;
      return line.slice(i === 0 ? start.column - 1 : 0, to);
    })
    .join(' ');
  return changeText(text, replacement ?? '');
}

export function changeText(was, replacement) {
  return `${short(was)} → ${short(replacement)}`;
}

function short(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
