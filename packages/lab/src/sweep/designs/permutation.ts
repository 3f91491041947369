import { at } from '@coinlab/core/workflows';
import type { Stream } from '@coinlab/sim';

export function permutation(count: number, stream: Stream): readonly number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = stream.below(i + 1);
    [order[i], order[j]] = [at(order, j), at(order, i)];
  }
  return order;
}
