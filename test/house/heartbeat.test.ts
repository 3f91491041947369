import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { root } from './source.ts';

interface Heartbeat {
  heard(): void;
  stop(): void;
}

// A variable keeps the compiler from resolving the import: scripts that run before npm ci have no types.
const script: string = join(root, 'scripts/heartbeat.mjs');
const { heartbeat } = (await import(script)) as { heartbeat(name: () => string): Heartbeat };

describe('the heartbeat of npm test and npm ci', () => {
  let lines: { readonly text: string; readonly at: number }[];
  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      lines.push({ text: String(text), at: performance.now() });
      return true;
    });
  });
  afterEach(() => void vi.useRealTimers());

  it('prints a line after at most ten seconds without output, until it is stopped', () => {
    const began = performance.now();
    const pulse = heartbeat(() => 'types');
    vi.advanceTimersByTime(60_000);
    pulse.stop();
    vi.advanceTimersByTime(60_000);
    const times = [began, ...lines.map(({ at }) => at), began + 60_000];
    for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? 0)).toBeLessThan(10_000);
    expect(lines.map(({ text }) => text).slice(0, 2)).toEqual(['types: 8 s\n', 'types: 16 s\n']);
  });

  it('prints nothing while the command prints lines', () => {
    const pulse = heartbeat(() => 'tests');
    for (let second = 0; second < 60; second += 5) {
      vi.advanceTimersByTime(5_000);
      pulse.heard();
    }
    pulse.stop();
    expect(lines).toEqual([]);
  });
});
