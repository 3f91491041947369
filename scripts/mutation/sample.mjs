import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeText, reasonFor } from './accepted.mjs';
import { filesBelow } from './copy.mjs';
import { mutantsOf } from './mutants.mjs';

/**
 * Draws mutants of a package, in random order; any number of first mutants is a sample as well.
 * @param {object} options
 * @param {string} options.root this checkout
 * @param {string} options.name the package
 * @param {readonly string[]} options.places files and folders below its src; empty: everything
 * @param {number | null} options.count sample size; null: all mutants
 * @param {string} options.seed of the sample
 */
export function sampleOf({ root, name, places, count, seed }) {
  const source = `packages/${name}/src`;
  const files = filesBelow(root, source)
    .map((file) => file.slice(source.length + 1))
    .filter((file) => places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`)));
  if (files.length === 0) throw new Error(`${source} has none of ${places.join(', ')}`);
  const listed = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, source, file), 'utf8')));
  const all = listed.filter(({ file, lineText, was, replacement }) => {
    const path = `${name}/${file.replace(/\.ts$/, '')}`;
    return reasonFor(path, lineText, changeText(was, replacement)) === null;
  });
  const drawn = count === null ? all : drawnFrom(all, count, seed);
  const accepted = listed.length - all.length;
  console.log(
    `${name}: ${drawn.length} of ${all.length} mutants of ${files.length} files; ${accepted} more are accepted`,
  );
  return { source, drawn, all: all.length };
}

/** Draws the same mutants for the same seed, even when other code has changed. */
function drawnFrom(mutants, count, seed) {
  const keyOf = ({ file, from, to, replacement }) =>
    createHash('sha256').update([seed, file, from, to, replacement].join(':')).digest('hex');
  const keyed = mutants.map((mutant) => [keyOf(mutant), mutant]).sort(([a], [b]) => (a < b ? -1 : 1));
  return keyed.slice(0, count).map(([, mutant]) => mutant);
}
