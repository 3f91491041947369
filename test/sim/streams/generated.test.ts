import { generatedRows, parseGenerated, type GeneratedStream } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

function settings(text: string): GeneratedStream {
  const parsed = parseGenerated(text, 'stream.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

function rowsOf(text: string, seed: number = 1): readonly number[] {
  return [...generatedRows(settings(text), seed)].map((units) => Number(units) / 1e10);
}

const ROWS = 4_000;

function drawn(amount: string): readonly number[] {
  return rowsOf(`{ rows: ${ROWS}, receipts: 1, amount: ${amount} }`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share(values: readonly number[], holds: (value: number) => boolean): number {
  return values.filter(holds).length / values.length;
}

describe('a generated stream', () => {
  it('has as many rows as stated, the same ones for the same seed and for each reading', () => {
    const rows = generatedRows(settings('rows: 50'), 7);
    expect([...rows]).toHaveLength(50);
    expect([...rows]).toEqual([...rows]);
    expect([...generatedRows(settings('rows: 50'), 8)]).not.toEqual([...rows]);
    expect(rowsOf('rows: 1')).toHaveLength(1);
  });

  it('begins with a receipt, and otherwise has the stated share of receipts', () => {
    const none = rowsOf('{ rows: 40, receipts: 0 }');
    expect(none.map((row) => row > 0)).toEqual([true, ...Array<boolean>(39).fill(false)]);
    const rows = rowsOf('{ rows: 4000, receipts: 0.25 }');
    // Four standard errors.
    expect(Math.abs(share(rows, (row) => row > 0) - 0.25)).toBeLessThan(0.028);
  });

  it('draws payments from the distribution of receipts, or from their own', () => {
    const same = rowsOf('{ rows: 40, amount: { constant: "3" } }');
    expect(new Set(same)).toEqual(new Set([3, -3]));
    const own = rowsOf('{ rows: 40, amount: { constant: "3" }, paid: { constant: "0.5" } }');
    expect(new Set(own)).toEqual(new Set([3, -0.5]));
    expect(own.map(Math.sign)).toEqual(same.map(Math.sign));
  });

  it('draws receipts that do not depend on the distribution of payments', () => {
    const receipts = (paid: string): readonly number[] => rowsOf(`{ rows: 60${paid} }`).filter((row) => row > 0);
    expect(receipts(', paid: { constant: "1" }')).toEqual(receipts(''));
  });

  it.each([
    ['no number of rows', 'receipts: 0.5', 1, 'rows'],
    ['no row', 'rows: 0', 1, 'rows'],
    ['too many rows', 'rows: 1000000001', 1, 'rows'],
    ['a fraction of a row', 'rows: 1.5', 1, 'rows'],
    ['a share above one', 'rows: 5\nreceipts: 1.01', 2, 'receipts'],
    ['a share below zero', 'rows: 5\nreceipts: -0.01', 2, 'receipts'],
    ['an unknown field', 'rows: 5\nreceipt: 1', 2, 'receipts'],
    ['two distributions', 'rows: 5\namount: { constant: "1", exponential: { mean: "1" } }', 2, 'exponential'],
    ['a file of amounts', 'rows: 5\namount: { empirical: { file: x.csv } }', 2, 'empirical'],
    ['a file of paid amounts', 'rows: 5\npaid: { empirical: { file: x.csv } }', 2, 'paid'],
    ['a text that is no YAML', 'rows: 5\nreceipts: {', 2, ''],
  ])('with %s is refused with the line and the field', (_, text, line, field) => {
    const parsed = parseGenerated(text, 'stream.yaml');
    const faults = parsed.ok ? [] : parsed.error;
    expect(faults.map((fault) => [fault.file, fault.line])).toEqual([['stream.yaml', line]]);
    expect(faults[0]?.reason).toContain(field);
  });
});

describe('generated amounts', () => {
  it('are constant, or uniform between two limits', () => {
    expect(new Set(drawn('{ constant: "2.5" }'))).toEqual(new Set([2.5]));
    const uniform = drawn('{ uniform: { least: "2", most: "6" } }');
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...uniform)).toBeLessThanOrEqual(6);
    expect(Math.abs(mean(uniform) - 4)).toBeLessThan(0.08);
    expect(Math.abs(share(uniform, (value) => value < 3) - 0.25)).toBeLessThan(0.03);
  });

  it('are normal with the mean and deviation', () => {
    const normal = drawn('{ normal: { mean: "50", deviation: "5" } }');
    expect(Math.abs(mean(normal) - 50)).toBeLessThan(0.4);
    expect(Math.abs(share(normal, (value) => value < 55) - 0.8413)).toBeLessThan(0.025);
  });

  it('are exponential with the mean', () => {
    const exponential = drawn('{ exponential: { mean: "8" } }');
    expect(Math.abs(mean(exponential) - 8)).toBeLessThan(0.6);
    expect(Math.abs(share(exponential, (value) => value > 8) - Math.exp(-1))).toBeLessThan(0.032);
  });

  it('are log-normal with the median', () => {
    const logNormal = drawn('{ logNormal: { median: "10", sigma: 0.5 } }');
    expect(Math.abs(share(logNormal, (value) => value < 10) - 0.5)).toBeLessThan(0.032);
    expect(Math.abs(share(logNormal, (value) => value < 10 * Math.exp(0.5)) - 0.8413)).toBeLessThan(0.025);
  });

  it('are Pareto with the least amount and the shape', () => {
    const pareto = drawn('{ pareto: { least: "2", shape: 3 } }');
    expect(Math.min(...pareto)).toBeGreaterThanOrEqual(2);
    // (2 / 4)³.
    expect(Math.abs(share(pareto, (value) => value > 4) - 0.125)).toBeLessThan(0.022);
  });

  it('are round: log-normal with one leading digit, or as many as stated', () => {
    const digits = (values: readonly number[]): number =>
      Math.max(...values.map((value) => String(Math.round(value * 100)).replace(/0+$/, '').length));
    const one = drawn('{ round: { median: "40", sigma: 1 } }');
    expect(digits(one)).toBe(1);
    expect(digits(drawn('{ round: { median: "40", sigma: 1, digits: 2 } }'))).toBe(2);
    // Values from 35 to 45 become 40.
    expect(Math.abs(share(one, (value) => value < 40) - 0.447)).toBeLessThan(0.032);
    expect(Math.abs(share(one, (value) => value <= 40) - 0.547)).toBeLessThan(0.032);
  });

  it('are drawn from given values, all equally likely', () => {
    const given = drawn('{ empirical: { values: ["1", "2", "2", "7.25"] } }');
    expect(new Set(given)).toEqual(new Set([1, 2, 7.25]));
    expect(Math.abs(share(given, (value) => value === 2) - 0.5)).toBeLessThan(0.032);
    expect(Math.abs(share(given, (value) => value === 7.25) - 0.25)).toBeLessThan(0.028);
  });

  it('are rounded half up to whole steps, at least one', () => {
    const stepped = drawn('{ uniform: { least: "0", most: "1.2" }, step: "0.4" }');
    expect(new Set(stepped.map((value) => value.toFixed(1)))).toEqual(new Set(['0.4', '0.8', '1.2']));
    // Below 0.6; the last step has 1 to 1.2.
    expect(Math.abs(share(stepped, (value) => value < 0.5) - 0.5)).toBeLessThan(0.032);
    expect(Math.abs(share(stepped, (value) => value > 1) - 1 / 6)).toBeLessThan(0.024);
  });
});
