import fc from 'fast-check';
import type { Drawn } from './recipe.js';

/**
 * Where shrinking goes on once a smaller sequence fails too, so that nothing is tried twice: runs of `size` commands are left out
 * from `at` downwards, then command `at` is made plainer from its number `roll` on.
 */
type Progress =
  | { readonly phase: 'leave out'; readonly size: number; readonly at: number }
  | { readonly phase: 'plainer'; readonly at: number; readonly roll: number };

type Sequence = readonly Drawn[];

/**
 * Sequences of drawn commands that shrink by what matters: first whole runs of commands are left out, wherever they stand, then
 * single ones, then each that is left gets the plainest numbers. fast-check's own arrays never lose their last item, and look for
 * smaller numbers while there are still commands to leave out. Since a command is resolved only when it is submitted, what is
 * left still means something.
 */
export class SequenceArbitrary extends fc.Arbitrary<Sequence> {
  readonly #source: fc.Arbitrary<Sequence>;

  constructor(command: fc.Arbitrary<Drawn>, most: number) {
    super();
    this.#source = fc.array(command, { minLength: 1, maxLength: most, size: 'max' });
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Sequence> {
    return new fc.Value(this.#source.generate(random, bias).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Sequence {
    return Array.isArray(value);
  }

  override shrink(sequence: Sequence, context: unknown): fc.Stream<fc.Value<Sequence>> {
    const start: Progress = { phase: 'leave out', size: half(sequence.length), at: sequence.length };
    // fast-check passes back the context that `progressed` attached.
    return fc.stream(smaller(sequence, (context as Progress | undefined) ?? start));
  }
}

function* smaller(sequence: Sequence, progress: Progress): Generator<fc.Value<Sequence>, undefined> {
  if (progress.phase === 'leave out') yield* shorter(sequence, progress.size, progress.at);
  else yield* plainer(sequence, progress.at, progress.roll);
}

function* shorter(sequence: Sequence, largest: number, from: number): Generator<fc.Value<Sequence>, undefined> {
  const { length } = sequence;
  let end = from;
  for (let size = largest; size >= 1; size = size === 1 ? 0 : half(size)) {
    for (; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      if (end - start === length) break;
      const rest = [...sequence.slice(0, start), ...sequence.slice(end)];
      // Single ones are tried anew after each success: what was needed by the one that went is needed no more.
      yield progressed(rest, { phase: 'leave out', size, at: size === 1 ? rest.length : start });
    }
    end = length;
  }
  yield* plainer(sequence, 0, 0);
}

function* plainer(sequence: Sequence, from: number, firstRoll: number): Generator<fc.Value<Sequence>, undefined> {
  let roll = firstRoll;
  for (let at = from; at < sequence.length; at++, roll = 0) {
    // `at` is below the length.
    const { type, rolls } = sequence[at] as Drawn;
    const withRolls = (other: readonly number[]): Sequence => sequence.with(at, { type, rolls: other });
    for (let keep = 0; keep < rolls.length && roll === 0; keep += Math.max(1, half(rolls.length - keep)))
      yield progressed(withRolls(rolls.slice(0, keep)), { phase: 'plainer', at, roll: 0 });
    for (; roll < rolls.length; roll++)
      if (rolls[roll] !== 0) yield progressed(withRolls(rolls.with(roll, 0)), { phase: 'plainer', at, roll: roll + 1 });
  }
}

function progressed(sequence: Sequence, progress: Progress): fc.Value<Sequence> {
  return new fc.Value(sequence, progress);
}

function half(count: number): number {
  return Math.ceil(count / 2);
}
