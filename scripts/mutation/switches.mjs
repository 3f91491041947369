/**
 * Puts mutants of one file behind switches: `__mutant(7) ? mutated : original`. One program then has all mutants, and
 * each process switches one of them on.
 * @param {string} text the source
 * @param {readonly { id: number, from: number, to: number, replacement: string, kind: string, around: { from: number, to: number } }[]} mutants
 * @param {string} module path of the module with `__mutant`
 */
export function switched(text, mutants, module) {
  const places = new Map();
  for (const mutant of mutants) {
    const { kind, around } = mutant;
    const key = `${around.from}:${around.to}:${kind}`;
    places.set(key, { kind, ...around, mutants: [...(places.get(key)?.mutants ?? []), mutant] });
  }
  // An outer place comes before those inside it; a statement comes before an expression of the same length.
  const order = ['block', 'statement', 'expression', 'member'];
  const sorted = [...places.values()].sort(
    (a, b) => a.from - b.from || b.to - a.to || order.indexOf(a.kind) - order.indexOf(b.kind),
  );
  const render = (from, to) => {
    let [at, out] = [from, ''];
    while (sorted[0] !== undefined && sorted[0].from < to) {
      const place = sorted.shift();
      const isCall = place.kind === 'member' && text[place.from - 1] === '.' && text[place.from - 2] !== '?';
      out += text.slice(at, place.from - (isCall ? 1 : 0)) + wrapped(place);
      at = place.to;
    }
    return out + text.slice(at, to);
  };
  const wrapped = ({ kind, from, to, mutants: some }) => {
    const original = render(from, to);
    const isOff = some.map(({ id }) => `!__mutant(${id})`).join(' && ');
    if (kind === 'block' || kind === 'statement') return `{ if (${isOff}) { ${original} } }`;
    if (kind === 'member')
      return `[${some.reduce((rest, { id, replacement }) => `__mutant(${id}) ? '${replacement}' : ${rest}`, `'${original}'`)}]`;
    const changed = (mutant) =>
      mutant.changed ?? text.slice(from, mutant.from) + mutant.replacement + text.slice(mutant.to, to);
    return `(${some.reduce((rest, mutant) => `__mutant(${mutant.id}) ? (${changed(mutant)}) : ${rest}`, `(${original})`)})`;
  };
  return `import { __mutant } from ${JSON.stringify(module)}; ${render(0, text.length)}`;
}
