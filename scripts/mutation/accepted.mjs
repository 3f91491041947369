/*
 * Survivors that were read and change nothing that can be seen, each with its reason: accepted.json. They are found again by the text of
 * their line, not by its number, so that a reason is lost when the code changes that it speaks of, and only then.
 */
import { readFileSync } from 'node:fs';

const SOURCE = 'packages/core/src/';

/** @type {readonly { readonly file: string, readonly line: string, readonly mutants: readonly string[], readonly why: string }[]} */
const ACCEPTED = JSON.parse(readFileSync(new URL('accepted.json', import.meta.url), 'utf8'));

/** A file as it is named in tables: without the folder that all share, and its ending. */
export function nameOf(file) {
  return file.replace(SOURCE, '').replace(/\.ts$/, '');
}

/** Why a mutant is accepted; null when it is not. */
export function reasonFor(file, line, change) {
  const accepted = ACCEPTED.find((each) => each.file === file && each.line === line && each.mutants.includes(change));
  return accepted?.why ?? null;
}

/** What survived in a report's file, each with its line, what was changed into what, and why that is accepted, if it is. */
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

/** A mutant in words: the text that was changed, and into what, both on one line and cut short. */
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

/** A change as accepted.json names it. */
export function changeText(was, replacement) {
  return `${short(was)} → ${short(replacement)}`;
}

function short(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
