import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

/** Returns a function that writes a file into a fresh folder and returns its path. */
function fresh(): (name: string, text?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-verdicts-'));
  return (name, text) => {
    const path = join(folder, name);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
}

function scenario({ coins = '1', more = '' }: { readonly coins?: string; readonly more?: string } = {}): string {
  return `
name: short
duration: { rounds: 24 }
parties:
  - { name: payers, count: 4, opening: { coins: 1, amount: { constant: '${coins}' } }, payments: { arrivals: { poisson: { perDay: 60 } }, amount: { constant: '50' }, to: { groups: [shop] } } }
  - { name: shop, temperament: merchant, count: 1 }
  - { name: rich, count: 4, opening: { coins: 9, amount: { constant: '99999' } }, payments: { arrivals: { poisson: { perDay: 600 } }, amount: { constant: '1' }, to: { groups: [shop] } } }
${more}`;
}

describe('a starved run', () => {
  it('has no trend and names the starved group and the cause, even when the other groups make all payments', async () => {
    const file = fresh();
    const { code, out } = await coinlab('run', file('a.yaml', scenario()), '--replicates', '3');
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(
      /✗ starved: payers completed 0 of \d+ requested payments \(0 %, expected at least 95 %\): \d+ payments exceeded the balance/,
    );
    expect(out).not.toMatch(/UTXOs of/);
    const enough = await coinlab('run', file('b.yaml', scenario({ coins: '100000' })), '--replicates', '3');
    expect(enough.out).not.toContain('starved');
    expect(enough.out).toMatch(/UTXOs of payers/);
  });

  it('does not judge its thresholds, and exits with the code of a missed threshold', async () => {
    const file = fresh();
    const thresholds = "thresholds: { utxosPerParty.max: '<= 100000' }\n";
    const { code, out, err } = await coinlab('run', file('a.yaml', scenario({ more: thresholds })));
    expect(code).toBe(EXIT.threshold);
    expect(out).toMatch(/^– utxosPerParty\.max <= 100000: \d+, not judged$/m);
    expect(err).toContain('the thresholds were not judged; starved: payers');
    const accepted = await coinlab('run', file('a.yaml'), '--min-completed', '0%');
    expect(accepted.code).toBe(EXIT.ok);
    expect(accepted.out).toMatch(/^✓ utxosPerParty/m);
  });

  it('is never the cheapest of a comparison, even when it has the fewest UTXOs', async () => {
    const file = fresh();
    const policies = ['--policy', 'largest-first,smallest-first', '--group', 'payers', '--replicates', '3'];
    const { out } = await coinlab('compare', file('a.yaml', scenario()), ...policies);
    expect(out).toContain('✗ largest-first is starved: payers completed 0 of ');
    expect(out).toContain('No verdict: every policy is starved.');
    expect(out).not.toMatch(/keeps? users under 10/);
    expect(out).toMatch(/^policy .* requested +completed$/m);
  });

  it('has no verdict in a sweep: the point is starved and dominates none', async () => {
    const file = fresh();
    file('a.yaml', scenario());
    const sweep = file(
      'sweep.yaml',
      `
name: short
scenario: a.yaml
parameters: [{ name: coins, path: parties.payers.opening.amount, values: [{ constant: '1' }, { constant: '100000' }] }]
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.bytes]
objectives: [utxosPerParty.mean, traffic.bytes]
minCompleted: 0.57
`,
    );
    const { code, out } = await coinlab('sweep', sweep, '--out', file('results'), '--workers', '1');
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(/^ +1 .* 0 +starved$/m);
    expect(out).toMatch(/^ +2 .*●$/m);
    expect(out).toContain('starved: fewer than 57 % of the payments of a group were completed, so 1 of 2 points');
    const [head = '', first = ''] = readFileSync(join(file('results'), 'pareto.csv'), 'utf8').split('\n');
    expect(head.split(',').slice(-2)).toEqual(['isBest', 'isStarved']);
    expect(first.split(',').slice(-2)).toEqual(['false', 'true']);
  });

  it('is marked in the tables of a replay, with the requested and the completed payments', async () => {
    const file = fresh();
    const { out } = await coinlab('replay', file('payments.csv', '5\n-9\n-9\n-5\n'), '--when-short', 'drop');
    expect(out).toMatch(/^payments, requested +3$/m);
    expect(out).toMatch(/^payments, completed +1$/m);
    expect(out).toContain('✗ oldest-first is starved: 1 of 3 requested payments were completed (33.33 %');
    const both = await coinlab('replay', file('payments.csv'), '--compare', 'random,knapsack', '--when-short', 'drop');
    expect(both.out).toMatch(/requested +completed$/m);
    expect(both.out).toContain('✗ knapsack is starved');
  });
});

describe('refused commands', () => {
  it('are printed by code, with a warning above 5 %', async () => {
    const file = fresh();
    const wallet = 'wallet: { faults: [{ staleInputs: 10m }] }, payments';
    const faulty = scenario({ coins: '100000' }).replaceAll('payments: {', `${wallet}: {`);
    const { out } = await coinlab('run', file('a.yaml', faulty));
    expect(out).toMatch(/^refused commands: CONTRACT_NOT_FOUND [\d,]+$/m);
    expect(out).toMatch(/^warning: refused commands are [\d.]+ % of the requested payments, more than 5 %$/m);
    expect((await coinlab('run', file('b.yaml', scenario({ coins: '100000' })))).out).not.toContain('refused commands');
  });
});

describe('identical replicates', () => {
  /** Recorded payments have no random draws. */
  const RECORDED = `
name: recorded
duration: { rounds: 40 }
parties:
  - { name: wallet, count: 1, opening: { coins: 0, amount: { constant: '1' } }, wallet: { select: largest-first }, payments: { arrivals: { trace: { file: rows.csv, unit: '1', rowsPerRound: 1 } }, to: { groups: [outside] }, whenShort: wait } }
  - { name: outside, count: 1, payments: null }
`;
  const rows = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? '-3' : '4')).join('\n');

  it('have no interval, and the output says how to resample them', async () => {
    const file = fresh();
    file('rows.csv', rows);
    const { out } = await coinlab('run', file('a.yaml', RECORDED), '--replicates', '3');
    expect(out).toContain('All replicates of wallet are identical: there is one history');
    expect(out).not.toContain('± 0\n');
    expect(out).not.toMatch(/± 0 /);
    // The trend is that of the single history.
    expect(out).toMatch(/UTXOs of wallet undecided: [\d.]+ per party and day \(.*; add replicates/);
    const compared = await coinlab('compare', file('a.yaml'), '--policy', 'largest-first,oldest-first');
    expect(compared.out).toContain('All replicates of wallet are identical');
    expect(compared.out).not.toContain('±  0');
  });

  it('are not assumed when the resampled payments of replicates differ', async () => {
    const file = fresh();
    file('rows.csv', rows);
    const drawn = RECORDED.replace('rowsPerRound: 1', 'rowsPerRound: 1, operators: [{ bootstrap: { block: 4 } }]');
    const { out } = await coinlab('run', file('a.yaml', drawn), '--replicates', '3');
    expect(out).not.toContain('identical');
  });
});

describe('a sweep with failed runs', () => {
  it('exits with 1 and shows the number of runs that succeeded', async () => {
    const file = fresh();
    file(
      'policies.mjs',
      'export default { selection: { picky: (wallet) => { if (wallet.count > 1) throw new Error("too many coins"); return wallet.oldest(); } } };',
    );
    file('a.yaml', `policies: policies.mjs\n${scenario({ coins: '100000' })}`);
    const sweep = file(
      'sweep.yaml',
      `
name: failing
scenario: a.yaml
parameters: [{ name: select, path: parties.rich.wallet.select, values: [picky, oldest-first] }]
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.bytes]
`,
    );
    const { code, out, err } = await coinlab('sweep', sweep, '--out', file('results'), '--workers', '1');
    expect(code).toBe(EXIT.failed);
    expect(err).toContain('coinlab: 2 of 4 runs failed; their rows have the error');
    expect(out).toMatch(/^ +1 +picky .*0 of 2/m);
    expect(out).toMatch(/^ +2 +oldest-first .*2 of 2/m);
  });
});
