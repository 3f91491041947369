import { EXIT } from 'coinlab';
import { describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

describe('coinlab validate', () => {
  it('prints one line per known figure, and exits with code 0 when all figures are reproduced', async () => {
    const { code, out, err } = await coinlab('validate', '--quick', '--json', '--quiet');
    expect({ code, err }).toEqual({ code: EXIT.ok, err: '' });
    const figures = out
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { part: string; subject: string; figure: string; expected: string; found: string },
      );
    expect(new Set(figures.map(({ part }) => part)).size).toBe(5);
    expect(figures).toContainEqual(
      expect.objectContaining({
        subject: 'smallest-first',
        figure: 'mean_utxos',
        expected: '19.3547',
        found: '19.3547',
      }),
    );
    expect(figures).toContainEqual(
      expect.objectContaining({ subject: 'ring of 12, largest-first, 20 laps', figure: 'UTXOs, 2n', found: '24' }),
    );
  });
});
