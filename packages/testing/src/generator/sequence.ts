import fc from 'fast-check';

/**
 * Where shrinking goes on once a smaller sequence fails too, so that nothing is tried twice: runs of `size` commands are left out
 * from `at` downwards, then command `at` is made plainer from its number `roll` on.
 */
type Progress =
  | { readonly phase: 'leave out'; readonly size: number; readonly at: number }
  | { readonly phase: 'plainer'; readonly at: number; readonly roll: number };

/** A drawn item of a sequence: it becomes plainer by fewer or smaller numbers. */
interface Rolled {
  readonly rolls: readonly number[];
}

/**
 * Sequences of drawn commands that shrink by what matters: first whole runs of commands are left out, wherever they stand, then
 * single ones, then each that is left gets the plainest numbers. fast-check's own arrays never lose their last item, and look for
 * smaller numbers while there are still commands to leave out. Since a command is resolved only when it is submitted, what is
 * left still means something.
 */
export class SequenceArbitrary<Item extends Rolled> extends fc.Arbitrary<readonly Item[]> {
  readonly #source: fc.Arbitrary<readonly Item[]>;

  constructor(command: fc.Arbitrary<Item>, most: number) {
    super();
    this.#source = fc.array(command, { minLength: 1, maxLength: most, size: 'max' });
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Item[]> {
    return new fc.Value(this.#source.generate(random, bias).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly Item[] {
    return Array.isArray(value);
  }

  override shrink(sequence: readonly Item[], context: unknown): fc.Stream<fc.Value<readonly Item[]>> {
    const start: Progress = { phase: 'leave out', size: half(sequence.length), at: sequence.length };
    // fast-check passes back the context that `progressed` attached.
    return fc.stream(smaller(sequence, (context as Progress | undefined) ?? start));
  }
}

function* smaller<Item extends Rolled>(
  sequence: readonly Item[],
  progress: Progress,
): Generator<fc.Value<readonly Item[]>, undefined> {
  if (progress.phase === 'leave out') yield* shorter(sequence, progress.size, progress.at);
  else yield* plainer(sequence, progress.at, progress.roll);
}

function* shorter<Item extends Rolled>(
  sequence: readonly Item[],
  largest: number,
  from: number,
): Generator<fc.Value<readonly Item[]>, undefined> {
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

function* plainer<Item extends Rolled>(
  sequence: readonly Item[],
  from: number,
  firstRoll: number,
): Generator<fc.Value<readonly Item[]>, undefined> {
  let roll = firstRoll;
  for (let at = from; at < sequence.length; at++, roll = 0) {
    // `at` is below the length.
    const item = sequence[at] as Item;
    const { rolls } = item;
    const withRolls = (other: readonly number[]): readonly Item[] => sequence.with(at, { ...item, rolls: other });
    for (let keep = 0; keep < rolls.length && roll === 0; keep += Math.max(1, half(rolls.length - keep)))
      yield progressed(withRolls(rolls.slice(0, keep)), { phase: 'plainer', at, roll: 0 });
    for (; roll < rolls.length; roll++)
      if (rolls[roll] !== 0) yield progressed(withRolls(rolls.with(roll, 0)), { phase: 'plainer', at, roll: roll + 1 });
  }
}

function progressed<Item>(sequence: readonly Item[], progress: Progress): fc.Value<readonly Item[]> {
  return new fc.Value(sequence, progress);
}

function half(count: number): number {
  return Math.ceil(count / 2);
}
