import type { Stream } from './stream.js';
import type { Sampler } from './distributions.js';

/**
 * Samples ranks from 0 to `count` − 1 with weights 1 / (rank + 1)^exponent. Rejection-inversion sampling (Hörmann and Derflinger,
 * 1996): no table, constant cost per draw.
 */
export function zipf(count: number, exponent: number, stream: Stream): Sampler<number> {
  const integral = (x: number): number => (exponent === 1 ? Math.log(x) : (x ** (1 - exponent) - 1) / (1 - exponent));
  const inverse = (y: number): number =>
    exponent === 1 ? Math.exp(y) : (1 + y * (1 - exponent)) ** (1 / (1 - exponent));
  const least = integral(1.5) - 1;
  const most = integral(count + 0.5);
  return () => {
    for (;;) {
      const y = least + stream.unit() * (most - least);
      const x = inverse(y);
      const rank = Math.min(count, Math.max(1, Math.round(x)));
      if (y >= integral(rank + 0.5) - rank ** -exponent) return rank - 1;
    }
  };
}
