import { openFiles, parseScenario, roundsOf, withOtherWallets, type Scenario, type WalletChange } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

/** A scenario of one group; `fields` and `group` are flow mappings without their braces. */
function text(fields: string, group: string = '', more: string = ''): string {
  const duration = fields.includes('duration') ? '' : 'duration: { rounds: 3 }, ';
  return `{ name: limits, ${duration}${fields === '' ? '' : `${fields}, `}parties: [
{ name: a, count: 2${group === '' ? '' : `, ${group}`} }${more === '' ? '' : `,\n${more}`}
] }`;
}

function scenarioOf(...given: Parameters<typeof text>): Scenario {
  const parsed = parseScenario(text(...given), 'x.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

/** Returns line and reason of the first fault; null when the scenario is valid. */
function faultOf(...given: Parameters<typeof text>): string | null {
  const parsed = parseScenario(text(...given), 'x.yaml');
  return parsed.ok ? null : `${parsed.error[0]?.line}: ${parsed.error[0]?.reason}`;
}

const payments = (field: string): string => `payments: { arrivals: { poisson: { perDay: 1 } }, ${field} }`;
const arrivals = (kind: string): string => `payments: { arrivals: { ${kind} } }`;
const merge = (kind: string): string => `wallet: { merge: { ${kind} } }`;

describe('a scenario', () => {
  it.each([
    ['seed: 0', 'seed: -1'],
    ['seed: 4294967295', 'seed: 4294967296'],
    ['warmup: 0', 'warmup: -1'],
    ['warmup: 5', 'warmup: 0.5'],
    ['duration: { rounds: 1 }', 'duration: { rounds: 0 }'],
    ['duration: { rounds: 10000000 }', 'duration: { rounds: 10000001 }'],
    ['duration: { days: 0.001 }', 'duration: { days: 0 }'],
    ['duration: { days: 36500 }', 'duration: { days: 36501 }'],
    ['duration: { updates: 1 }', 'duration: { updates: 0 }'],
    ['duration: { updates: 1 }', 'duration: { updates: 1, rounds: 1 }'],
    ['network: { maxInputs: 2 }', 'network: { maxInputs: 1 }'],
    ['network: { maxInputs: 10000 }', 'network: { maxInputs: 10001 }'],
    ['network: { fees: { network: true } }', 'network: { fees: { network: false } }'],
    ['network: { fees: { perByte: { price: "1", base: 0, input: 0, output: 0 } } }', 'network: { fees: {} }'],
    [
      'network: { fees: { perByte: { price: "1", base: 90 } } }',
      'network: { fees: { perByte: { price: "1", base: -1 } } }',
    ],
    [
      'network: { fees: { perByte: { price: "1", input: 90 } } }',
      'network: { fees: { perByte: { price: "1", input: -1 } } }',
    ],
    [
      'network: { fees: { perByte: { price: "1", output: 90 } } }',
      'network: { fees: { perByte: { price: "1", output: -1 } } }',
    ],
    ['network: { changes: [{ atRound: 1, amuletPrice: "1" }] }', 'network: { changes: [{ atRound: 0 }] }'],
    ['network: { rewards: false }', 'network: { rewards: 0 }'],
    ['network: { amuletPrice: "0.5" }', 'network: { amuletPrice: 0.5 }'],
    ['network: { trafficPrice: "0.0000000001" }', 'network: { trafficPrice: "0.00000000001" }'],
    ['metrics: { every: 1 }', 'metrics: { every: 0 }'],
    ['metrics: { perParty: true }', 'metrics: { perParty: 1 }'],
    ['thresholds: { merges: "<= 10" }', 'thresholds: { merges: "10" }'],
    ['thresholds: { merges: "==-0.5" }', 'thresholds: { merges: "=> 1" }'],
  ])('is valid with %s and refused with %s', (valid, invalid) => {
    expect(faultOf(valid)).toBeNull();
    const fault = faultOf(invalid);
    expect(fault).toMatch(/^1: /);
    expect(fault).toContain(/^\w+/.exec(invalid)?.[0]);
  });

  it.each([
    [arrivals('poisson: { perDay: 0 }'), arrivals('poisson: { perDay: -1 }')],
    [arrivals('poisson: { perDay: 1000000 }'), arrivals('poisson: { perDay: 1000001 }')],
    [arrivals('bursts: { perDay: 1, size: 1 }'), arrivals('bursts: { perDay: 1, size: 0.9 }')],
    [arrivals('bursts: { perDay: 1, size: 10000 }'), arrivals('bursts: { perDay: 1, size: 10001 }')],
    [arrivals('every: { rounds: 1 }'), arrivals('every: { rounds: 0 }')],
    [arrivals('every: { rounds: 1, count: 10000 }'), arrivals('every: { rounds: 1, count: 10001 }')],
    [arrivals('every: { rounds: 1, count: 1 }'), arrivals('every: { rounds: 1, count: 0 }')],
    [arrivals('every: { rounds: 1 }'), arrivals('every: { rounds: 1 }, poisson: { perDay: 1 }')],
    [arrivals('trace: { file: x, rowsPerRound: 1 }'), arrivals('trace: { file: x, rowsPerRound: 0 }')],
    [arrivals('trace: { file: x }'), arrivals('trace: { file: "" }')],
    [
      arrivals('trace: { file: x, operators: [{ fold: 2 }, { negate: true }] }'),
      arrivals('trace: { file: x, operators: [{ fold: 1 }] }'),
    ],
    [
      arrivals('trace: { file: x, operators: [{ compress: 2 }] }'),
      arrivals('trace: { file: x, operators: [{ compress: 1 }] }'),
    ],
    [
      arrivals('trace: { file: x, operators: [{ bootstrap: { block: 1, rows: 1 } }] }'),
      arrivals('trace: { file: x, operators: [{ bootstrap: { block: 0 } }] }'),
    ],
    [
      arrivals('trace: { file: x, operators: [{ scale: "2" }] }'),
      arrivals('trace: { file: x, operators: [{ negate: false }] }'),
    ],
    [
      arrivals('trace: { file: x, operators: [{ negate: true }] }'),
      arrivals('trace: { file: x, operators: [{ negate: true, fold: 2 }] }'),
    ],
    [payments('to: { groups: [a] }'), payments('to: { groups: [] }')],
    [payments('to: { choice: { uniform: true } }'), payments('to: { choice: { uniform: false } }')],
    [payments('to: { choice: { zipf: 0 } }'), payments('to: { choice: { zipf: -0.1 } }')],
    [payments('to: { choice: { zipf: 5 } }'), payments('to: { choice: { zipf: 5.1 } }')],
    [
      payments('to: { choice: { communities: { size: 2, stay: 1 } } }'),
      payments('to: { choice: { communities: { size: 1, stay: 1 } } }'),
    ],
    [
      payments('to: { choice: { communities: { size: 2, stay: 0 } } }'),
      payments('to: { choice: { communities: { size: 2, stay: 1.1 } } }'),
    ],
    [payments('rhythm: { days: [1, 0, 0, 0, 0, 0, 2] }'), payments('rhythm: { days: [1, 0, 0, 0, 0, 0] }')],
    [payments('rhythm: { days: [1, 0, 0, 0, 0, 0, 2] }'), payments('rhythm: { days: [-1, 0, 0, 0, 0, 0, 2] }')],
    [payments(`rhythm: { hours: [${'1, '.repeat(24)}] }`), payments(`rhythm: { hours: [${'1, '.repeat(25)}] }`)],
    [payments('whenShort: wait'), payments('whenShort: never')],
    ['receives: { preapproved: true }', 'receives: { preapproved: false }'],
    ['receives: { offers: { accepts: 0 } }', 'receives: { offers: { accepts: 1.1 } }'],
    ['receives: { offers: {} }', 'receives: { offers: {}, preapproved: true }'],
    ['receives: { offers: { expiresAfter: 90s } }', 'receives: { offers: { expiresAfter: 90 } }'],
    [
      'receives: { offers: { accepts: 0.5, rejects: 0.25, withdraws: 0.25 } }',
      'receives: { offers: { accepts: 0.5, rejects: 0.25, withdraws: 0.26 } }',
    ],
    [merge('threshold: 1'), merge('threshold: 0')],
    [merge('never: true'), merge('never: false')],
    [merge('never: true'), merge('never: true, threshold: 3')],
    [merge('period: { every: 1h, above: 1 }'), merge('period: { every: 1h, above: 0 }')],
    [merge('keepLargest: { keep: 1, above: 1 }'), merge('keepLargest: { keep: 0, above: 1 }')],
    [merge('keepLargest: { keep: 1, above: 1 }'), merge('keepLargest: { keep: 1, above: 0 }')],
    [merge('dustFirst: { below: "1", above: 1 }'), merge('dustFirst: { below: "1", above: 0 }')],
    [merge('delegated: { operator: a, above: 1 }'), merge('delegated: { operator: a, above: 0 }')],
    [merge('delegated: { operator: a }'), merge('delegated: { operator: b }')],
    [merge('custom: own'), merge('custom: ""')],
    ['wallet: { faults: [{ floatAmounts: true }] }', 'wallet: { faults: [{ floatAmounts: false }] }'],
    ['wallet: { faults: [{ staleInputs: 1h }] }', 'wallet: { faults: [{ staleInputs: 1h, floatAmounts: true }] }'],
    ['wallet: { sweep: { to: a, above: "1", keep: "0" } }', 'wallet: { sweep: { to: c, above: "1", keep: "0" } }'],
    ['income: { every: 1, amount: { constant: "1" } }', 'income: { every: 0, amount: { constant: "1" } }'],
    ['opening: { coins: 0, amount: { constant: "1" } }', 'opening: { coins: -1, amount: { constant: "1" } }'],
    ['opening: { coins: 10000, amount: { constant: "1" } }', 'opening: { coins: 10001, amount: { constant: "1" } }'],
    [
      'opening: { amount: { constant: "1" } }',
      'opening: { amount: { constant: "1", uniform: { least: "1", most: "2" } } }',
    ],
    ['opening: { amount: { empirical: { values: ["1"] } } }', 'opening: { amount: { empirical: { values: [] } } }'],
    [
      'opening: { amount: { empirical: { file: x } } }',
      'opening: { amount: { empirical: { file: x, values: ["1"] } } }',
    ],
    ['automation: { topUp: { bytesPerSecond: 1 } }', 'automation: { topUp: { bytesPerSecond: 0 } }'],
    ['automation: { topUp: { bytesPerSecond: 1000000000 } }', 'automation: { topUp: { bytesPerSecond: 1000000001 } }'],
    ['automation: { accepts: { from: [a] } }', 'automation: { accepts: { from: [] } }'],
    ['automation: { accepts: { from: [a], instructions: wallet } }', 'automation: { accepts: { from: [b] } }'],
    ['validator: null', 'validator: a'],
    ['validator: null', 'validator: b'],
    ['featured: true', 'featured: 1'],
  ])('has a group that is valid with %s and refused with %s', (valid, invalid) => {
    expect(faultOf('', valid)).toBeNull();
    expect(faultOf('', invalid)).toMatch(/^2: parties\.0\./);
  });

  it.each([
    ['a group of a taken name', '', '{ name: a, count: 1 }'],
    ['no party', '', '{ name: b, count: 0 }'],
    ['too many parties', '', '{ name: b, count: 16000001 }'],
    ['payments to an unknown group', '', `{ name: b, count: 1, ${payments('to: { groups: [a, c] }')} }`],
    ['an unknown group of validators', '', '{ name: b, count: 1, validator: c }'],
    [
      'a sweep of the automation to an unknown group',
      '',
      '{ name: b, count: 1, automation: { sweep: { to: c, maxBalanceUsd: "1", minBalanceUsd: "0" } } }',
    ],
    ['a minting delegation without a validator', '', '{ name: b, count: 1, automation: { mints: {} } }'],
    [
      'another threshold for users of a provider',
      merge('delegated: { operator: a, above: 4 }'),
      `{ name: b, count: 1, ${merge('delegated: { operator: a, above: 5 }')} }`,
    ],
    [
      'another interval for users of a provider',
      merge('delegated: { operator: a, every: 2h }'),
      `{ name: b, count: 1, ${merge('delegated: { operator: a, every: 1h }')} }`,
    ],
    ['a hundred and one accepted senders', '', '{ name: b, count: 99, automation: { accepts: { from: [a, b] } } }'],
  ])('is refused with %s, and the fault names the line of the second group', (_, first, second) => {
    expect(faultOf('', first, second)).toMatch(/^3: parties\.1\./);
  });

  it('may have equal settings for users of a provider, and a hundred accepted senders', () => {
    const delegated = merge('delegated: { operator: a, above: 4, every: 2h }');
    expect(faultOf('', delegated, `{ name: b, count: 1, ${delegated} }`)).toBeNull();
    expect(faultOf('', '', '{ name: b, count: 98, automation: { accepts: { from: [a, b] } } }')).toBeNull();
    expect(faultOf('', '', '{ name: b, count: 1, validator: a, automation: { mints: {} } }')).toBeNull();
  });

  it('lasts as many rounds as stated, 144 for each day and at least one, or without end', () => {
    const rounds = (duration: string): number => roundsOf(scenarioOf(`duration: { ${duration} }`).duration);
    expect(rounds('rounds: 7')).toBe(7);
    expect(rounds('days: 2')).toBe(288);
    expect(rounds('days: 0.0001')).toBe(1);
    expect(rounds('days: 0.5104')).toBe(73);
    expect(rounds('updates: 9')).toBe(Infinity);
  });

  it('has defaults: no warm-up, a sample per round, the fees of the network and uniform receivers', () => {
    const scenario = scenarioOf('', arrivals('every: { rounds: 1 }'));
    expect(scenario).toMatchObject({
      seed: 1,
      warmup: 0,
      metrics: { every: 1, perParty: false },
      network: { maxInputs: 100, rewards: true, expiresDust: true, fees: { network: true }, changes: [] },
      thresholds: {},
      policies: null,
    });
    expect(scenario.groups[0]).toMatchObject({
      payments: { arrivals: { every: { count: 1 } }, to: { choice: { uniform: true } }, whenShort: 'drop' },
      receives: { preapproved: true },
      wallet: { select: 'smallest-first', merge: { threshold: 10 }, sweep: null, faults: [] },
      income: null,
      validator: null,
      featured: false,
      automation: { collects: false, completesOffers: false },
    });
    expect(scenarioOf('network: { fees: { perByte: { price: "1" } } }').network.fees).toEqual({
      perByte: { base: 10, input: 148, output: 34, price: '1' },
    });
  });
});

describe('other wallets of a scenario', () => {
  const scenario = scenarioOf('', 'wallet: { select: random }', '{ name: b, count: 1 }');
  const changed = (change: WalletChange, names: readonly string[] | null): readonly unknown[] => {
    const other = withOtherWallets(scenario, change, names);
    return other.ok
      ? other.value.groups.map(({ wallet }) => [wallet.select, wallet.merge.threshold ?? 'other'])
      : other.error.map(({ path, reason }) => `${path.join('.')}: ${reason}`);
  };

  it('have the changed fields only, in the named groups or in all', () => {
    expect(changed({ select: 'largest-first' }, null)).toEqual([
      ['largest-first', 10],
      ['largest-first', 10],
    ]);
    expect(changed({ merge: { threshold: 3 } }, ['b'])).toEqual([
      ['random', 10],
      ['smallest-first', 3],
    ]);
    expect(changed({}, ['a', 'b'])).toEqual([
      ['random', 10],
      ['smallest-first', 10],
    ]);
  });

  it('are refused for unknown groups, wrong values and unknown operators', () => {
    expect(changed({ select: 'random' }, ['b', 'c'])).toEqual([
      'group: got "c", expected one of a, b; the nearest is a',
    ]);
    expect(String(changed({ select: 5 }, null)[0])).toMatch(/^select: /);
    expect(String(changed({ merge: { threshold: 0 } }, null)[0])).toMatch(/^merge\.threshold: got 0/);
    expect(String(changed({ merge: { delegated: { operator: 'c' } } }, ['a'])[0])).toContain(
      'got "c", expected one of the groups',
    );
  });
});

describe('the files of a scenario', () => {
  const EMPIRICAL = 'amount: { empirical: { file: coins } }';
  const scenario = scenarioOf(
    '',
    `opening: { ${EMPIRICAL} }, payments: { arrivals: { trace: { file: rows } }, ${EMPIRICAL} }`,
    '{ name: b, count: 1, openingFile: coins, income: { every: 1, amount: { empirical: { file: income } } } }',
  );
  const open = (texts: Readonly<Record<string, string>>): readonly string[] => {
    const reads: string[] = [];
    const opened = openFiles(
      scenario,
      (path) => {
        reads.push(path);
        const found = texts[path];
        return found === undefined
          ? { ok: false, error: { file: path, line: null, column: null, reason: 'is missing' } }
          : { ok: true, value: new TextEncoder().encode(found) };
      },
      (name) => `in/${name}`,
    );
    return opened.ok ? [...opened.value.keys(), ...reads] : opened.error.map(({ file, line }) => `${file}:${line}`);
  };
  const good = { 'in/rows': '5\n-3\n', 'in/coins': '7\n', 'in/income': '1\n2\n' };

  it('are read once each, however often they are named', () => {
    expect(open(good)).toEqual(['rows', 'coins', 'income', 'in/rows', 'in/coins', 'in/income']);
  });

  it('are refused when they are missing, have a bad line, or more parties than the group', () => {
    const { 'in/income': _, ...without } = good;
    expect(open(without)).toEqual(['in/income:null']);
    expect(open({ ...good, 'in/income': '1\n0\n' })).toEqual(['in/income:2']);
    // Three uses of the file.
    expect(open({ ...good, 'in/coins': '-7\n' })).toEqual(['in/coins:1', 'in/coins:1', 'in/coins:1']);
    const network = (names: readonly string[]): string =>
      `seq,round,kind,from,to,amount\n${names.map((name, i) => `${i + 1},1,mint,,${name},5.0\n`).join('')}`;
    expect(open({ ...good, 'in/rows': network(['x', 'y', 'z']) })).toEqual(['in/rows:null']);
    expect(open({ ...good, 'in/rows': network(['x', 'y']) })).toHaveLength(6);
  });
});
