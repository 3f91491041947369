import { at } from '@coinlab/core/workflows';
import { intervalOf, type Interval, type Streams } from '@coinlab/sim';
import { permutation } from './permutation.js';

/** The effect of one parameter on a metric, over all tested positions. */
export interface MorrisEffect {
  /** Mean effect of moving the parameter over its whole range. */
  readonly mean: number;
  /** Mean absolute effect: importance of the parameter regardless of direction. */
  readonly size: Interval;
  /** Standard deviation; above zero the effect is nonlinear or depends on other parameters. Null for a single effect. */
  readonly deviation: number | null;
  readonly effects: number;
}

/**
 * Draws Morris trajectories of elementary effects: each starts at a random grid point and moves each parameter once, in random
 * order, by Δ = levels / (2 (levels − 1)) up or down, so all levels are equally likely.
 * Source: Morris, Technometrics 33 (1991) 161.
 * @param levels even
 * @returns `parameters + 1` rows per trajectory; coordinates in [0, 1]
 */
export function morrisTrajectories(
  streams: Streams,
  parameters: number,
  trajectories: number,
  levels: number,
): readonly (readonly number[])[] {
  const stream = streams.named('lab/morris');
  const half = levels / 2;
  const rows: (readonly number[])[] = [];
  for (let trajectory = 0; trajectory < trajectories; trajectory++) {
    const levelOf = Array.from({ length: parameters }, () => stream.below(levels));
    rows.push(levelOf.map((level) => level / (levels - 1)));
    for (const parameter of permutation(parameters, stream)) {
      const level = at(levelOf, parameter);
      levelOf[parameter] = level < half ? level + half : level - half;
      rows.push(levelOf.map((moved) => moved / (levels - 1)));
    }
  }
  return rows;
}

/**
 * Computes the effects of each parameter from the results at the rows of {@link morrisTrajectories}. Steps with a missing result
 * (null) are skipped; a parameter without any step gets null.
 */
export function morrisEffects(
  rows: readonly (readonly number[])[],
  found: readonly (number | null)[],
  parameters: number,
): readonly (MorrisEffect | null)[] {
  const effects: number[][] = Array.from({ length: parameters }, () => []);
  for (let i = 1; i < rows.length; i++) {
    if (i % (parameters + 1) === 0) continue;
    const [before, after] = [found[i - 1], found[i]];
    if (typeof before !== 'number' || typeof after !== 'number') continue;
    const [from, to] = [at(rows, i - 1), at(rows, i)];
    const moved = from.findIndex((coordinate, parameter) => coordinate !== to[parameter]);
    effects[moved]?.push((after - before) / (at(to, moved) - at(from, moved)));
  }
  return effects.map(effectOf);
}

function effectOf(effects: readonly number[]): MorrisEffect | null {
  if (effects.length === 0) return null;
  const mean = effects.reduce((sum, effect) => sum + effect, 0) / effects.length;
  const squares = effects.reduce((sum, effect) => sum + (effect - mean) ** 2, 0);
  return {
    mean,
    size: intervalOf(effects.map(Math.abs)),
    deviation: effects.length < 2 ? null : Math.sqrt(squares / (effects.length - 1)),
    effects: effects.length,
  };
}
