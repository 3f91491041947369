import { fuzz } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

describe('fuzz', () => {
  it('finds no fault, and submits equal commands for equal seeds', () => {
    const report = fuzz({ commands: 800, seed: 1 });
    expect(report).toMatchObject({ commands: 800, worlds: 4, faults: [] });
    const { accepted, refused, malformed } = report;
    expect(accepted + refused + malformed).toBe(800);
    for (const count of [accepted, refused, malformed]) expect(count).toBeGreaterThan(80);
    expect(fuzz({ commands: 800, seed: 1 })).toEqual(report);
  });

  it('ends after the given time', () => {
    expect(fuzz({ commands: 1_000_000, seed: 1, isOver: ({ worlds }) => worlds === 1 }).commands).toBe(200);
  });
});
