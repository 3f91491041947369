/** Returns nanoseconds per call: the median of rounds of `calls` calls each, after one warm-up round. */
export function nanosPerCall(calls: number, rounds: number, call: () => void): number {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) call();
    if (round > 0) times.push(Number(process.hrtime.bigint() - start) / calls);
  }
  return median(times);
}

export function nanosOf(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the least and the largest value, like `(0.48 to 0.55)`. */
export function range(values: readonly number[], digits: number = 2): string {
  return `(${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;
}

/** Returns the exponent e in cost ∝ size^e between the first and the last point. */
export function exponent(points: readonly { readonly size: number; readonly nanos: number }[]): number {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first === last) return Number.NaN;
  return Math.log(last.nanos / first.nanos) / Math.log(last.size / first.size);
}

/** Returns bytes of live heap and of array buffers, after a full collection if the process exposes `gc`. */
export function liveHeapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
