import fc from 'fast-check';

/**
 * The position from which shrinking continues when a smaller sequence fails too, so that no candidate is
 * repeated. First, runs of `size` commands before `at` are omitted. Then command `at` is simplified from its
 * random number `roll` on.
 */
type Progress =
  | { readonly phase: 'leave out'; readonly size: number; readonly at: number }
  | { readonly phase: 'plainer'; readonly at: number; readonly roll: number };

/** Longer sequences have too many pairs to try. */
const LONGEST_FOR_PAIRS = 16;

interface Rolled {
  readonly rolls: readonly number[];
}

/**
 * Sequences of random commands with their own order of shrinking. First runs of commands at any position are
 * omitted, then single commands, then the numbers of each remaining command become smaller. At the end,
 * single commands and pairs are omitted again.
 *
 * fast-check's arrays are unsuitable: they never omit their last item, and they shrink numbers before all
 * unnecessary items are gone. Commands are resolved only when they are submitted, so the remaining ones still
 * refer to existing contracts.
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
    // Cast: fast-check passes back the context that `progressed` attached.
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
      // After each success single commands are tried again from the end: other commands may no longer depend
      // on them.
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
    // Cast: `at` is below the length.
    const item = sequence[at] as Item;
    const { rolls } = item;
    const withRolls = (other: readonly number[]): readonly Item[] => sequence.with(at, { ...item, rolls: other });
    for (let keep = 0; keep < rolls.length && roll === 0; keep += Math.max(1, half(rolls.length - keep)))
      yield progressed(withRolls(rolls.slice(0, keep)), { phase: 'plainer', at, roll: 0 });
    for (; roll < rolls.length; roll++)
      if (rolls[roll] !== 0) yield progressed(withRolls(rolls.with(roll, 0)), { phase: 'plainer', at, roll: roll + 1 });
  }
  yield* withoutPairs(sequence);
}

/**
 * Omits one or two commands at any positions. Commands that were simplified may no longer depend on others, and an
 * offer can be omitted only together with the command that ends it.
 */
function* withoutPairs<Item extends Rolled>(
  sequence: readonly Item[],
): Generator<fc.Value<readonly Item[]>, undefined> {
  const { length } = sequence;
  if (length < 2 || length > LONGEST_FOR_PAIRS) return;
  for (let last = length - 1; last >= 0; last--)
    for (let first = last; first >= 0; first--) {
      const rest = sequence.filter((_, at) => at !== first && at !== last);
      if (rest.length > 0) yield progressed(rest, { phase: 'leave out', size: 1, at: rest.length });
    }
}

function progressed<Item>(sequence: readonly Item[], progress: Progress): fc.Value<readonly Item[]> {
  return new fc.Value(sequence, progress);
}

function half(count: number): number {
  return Math.ceil(count / 2);
}
