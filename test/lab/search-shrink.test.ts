import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, holdingsOf, LAWS, PartyId, updateOf, type Law, type Update } from '@coinlab/core';
import {
  breachIn,
  breaking,
  ddmin,
  LawWatch,
  networkText,
  PaymentRows,
  setupOf,
  scenarioOfStream,
  scenarioToBreak,
  shrinkRows,
  shrunkFiles,
  type Demand,
  type PaymentRow,
} from '@coinlab/lab';
import { checkedPolicies, parseNetwork, runScenario, World } from '@coinlab/sim';
import { filesOf, readScenario } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from '../sim/lab/lab-fixture.ts';

const NETWORK = `
name: network
duration: { rounds: 8 }
parties:
  - { name: payers, count: 12, payments: { arrivals: { poisson: { perDay: 120 } } }, wallet: { merge: { never: true } } }
`;

function logOf(text: string): readonly Update[] {
  const updates: Update[] = [];
  const world = new World(scenarioOf(text), { onEntry: (entry) => updates.push(updateOf(entry)) });
  while (!world.isOver) world.playRound();
  return updates;
}

function rowsOf(updates: readonly Update[]): readonly PaymentRow[] {
  const found = new PaymentRows();
  for (const update of updates) found.take(update);
  return found.rows;
}

describe('ddmin', () => {
  it.each([
    [[7], 1],
    [[3, 50], 2],
    [[0, 31, 99], 3],
    [[10, 11, 12, 13, 60, 61], 6],
  ])('finds the smallest set of items that fails: %o', (culprits, count) => {
    const asked: number[] = [];
    const breaks = (items: readonly number[]): boolean => {
      asked.push(items.length);
      return culprits.every((item) => items.includes(item));
    };
    const items = Array.from({ length: 100 }, (_, i) => i);
    expect(ddmin(items, breaks, { mayAsk: () => true })).toEqual(culprits);
    expect(culprits).toHaveLength(count);
    expect(asked.length).toBeLessThan(300);
  });

  it('stops when the budget ends and returns the smallest failing list so far', () => {
    let left = 5;
    const breaks = (items: readonly number[]): boolean => items.includes(99) && left-- > 0;
    const kept = ddmin(
      Array.from({ length: 100 }, (_, i) => i),
      breaks,
      { mayAsk: () => left > 0 },
    );
    expect(kept).toContain(99);
    expect(kept.length).toBeLessThan(100);
  });
});

describe('the payments extracted from a log', () => {
  it('are the mints and transfers, and form a valid network file', () => {
    const updates = logOf(NETWORK);
    const rows = rowsOf(updates);
    const count = (kind: Update['kind']): number => updates.filter((update) => update.kind === kind).length;
    expect(rows.filter(({ from }) => from === null)).toHaveLength(count('Minted'));
    expect(rows.filter(({ from }) => from !== null)).toHaveLength(count('TransferCompleted'));
    expect(rows.at(-1)?.round).toBe(7);
    const network = parseNetwork(networkText(rows), 'rows.csv');
    if (!network.ok) throw new Error(network.error.reason);
    expect(network.value.rows.map(({ amount }) => amount)).toEqual(rows.map(({ amount }) => amount));
  });
});

describe('a network file of payments', () => {
  it('has the full names of parties with equal hints', () => {
    const one = PartyId.of('a');
    const other = PartyId.parse(`a::1220${'0'.repeat(64)}`);
    if (!other.ok) return expect.unreachable();
    const row = { round: 0, from: one, to: other.value, amount: Amount.of('2') };
    for (const party of [one, other.value]) expect(networkText([row])).toContain(party);
    expect(networkText([{ ...row, to: PartyId.of('b') }])).not.toContain('::');
  });
});

describe('shrinking a run that missed a threshold', () => {
  const demand: Demand = { what: 'threshold', metric: 'utxosPerParty.max', demand: '<= 6' };

  it('finds a minimal set of payments whose files still miss the threshold', async () => {
    const setup = setupOf(scenarioOf(NETWORK), null);
    const rows = rowsOf(logOf(NETWORK));
    const shrunk = shrinkRows(rows, breaking(setup, {}, demand), { budget: 400 });
    // Each row gives a party at most one UTXO.
    expect(shrunk).toMatchObject({ isMinimal: true });
    expect(shrunk?.rows).toHaveLength(7);
    expect(new Set(shrunk?.rows.map(({ round }) => round)).size).toBe(1);

    const folder = mkdtempSync(join(tmpdir(), 'shrunk-'));
    for (const [name, text] of shrunkFiles(scenarioToBreak(setup, shrunk?.rows ?? [], demand), demand))
      writeFileSync(join(folder, name), text);
    const read = readScenario(join(folder, 'scenario.yaml'));
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const files = filesOf(read.value, folder);
    if (!files.ok) throw new Error(JSON.stringify(files.error));
    expect(runScenario(read.value, { files: files.value }).thresholds).toMatchObject([{ found: 7, holds: false }]);
  });

  it('finds the payments that trigger a defect of a policy', () => {
    // Correctly merges above three coins, but skips all coins of more than a hundred.
    const policies = checkedPolicies({
      merging: {
        timid: (wallet, most) =>
          wallet.count > 3
            ? [...wallet.smallest()].filter(({ amount }) => amount <= Amount.of('100')).slice(0, most)
            : [],
      },
    });
    const text = NETWORK.replace('{ never: true }', '{ custom: timid }');
    const setup = setupOf(scenarioOf(text), 'payers');
    const [a, b] = [PartyId.of('a'), PartyId.of('b')];
    const mint = (to: PartyId, coin: string, round: number): PaymentRow => ({
      round,
      from: null,
      to,
      amount: Amount.of(coin),
    });
    const rows = Array.from({ length: 40 }, (_, i) => mint(i % 3 === 0 ? a : b, i % 6 === 0 ? '150' : '5', i));
    const cut = (owned: typeof policies): ReturnType<typeof shrinkRows> =>
      shrinkRows(rows, breaking(setup, owned, { ...demand, demand: '<= 4' } as Demand), { budget: 300 });
    const shrunk = cut(policies);
    // A single small coin cannot be merged either.
    expect(shrunk?.rows.map(({ to }) => to)).toEqual(Array(5).fill(a));
    expect(shrunk?.rows.filter(({ amount }) => amount === Amount.of('150')).length).toBeGreaterThanOrEqual(4);
    // The correct policy keeps the threshold, so there is nothing to shrink.
    expect(
      cut(checkedPolicies({ merging: { timid: (wallet) => (wallet.count > 3 ? wallet.smallest() : []) } })),
    ).toBeNull();
  });
});

describe('the number of simulations of a minimisation', () => {
  const rowsOfOne = Array.from({ length: 64 }, (_, i): PaymentRow => ({
    round: i,
    from: null,
    to: PartyId.of('a'),
    amount: Amount.of(String(i + 1)),
  }));
  const has = (amount: string) => (rows: readonly PaymentRow[]) => rows.some((row) => row.amount === Amount.of(amount));

  it('is the binary logarithm of the rows for the tail after the first culprit', () => {
    // All rows, six halvings of 64, and the row in one round and from outside.
    expect(shrinkRows(rowsOfOne, has('1'), { budget: 100 })).toMatchObject({ asked: 9, isMinimal: true });
  });

  it('is reported with the smallest number of rows so far, and never exceeds the budget', () => {
    const told: (readonly [number, number])[] = [];
    const onProgress = (asked: number, rows: number): void => void told.push([asked, rows]);
    const shrunk = shrinkRows(rowsOfOne, has('40'), { budget: 12, onProgress });
    expect(shrunk).toMatchObject({ asked: 12, isMinimal: false });
    expect(told.map(([asked]) => asked)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(told[0]).toEqual([1, 64]);
    // Halves of 64 rows: 48 keep the 40th, then 40 do.
    expect(told.slice(1, 7).map(([, rows]) => rows)).toEqual([64, 48, 40, 40, 40, 40]);
    expect(told.every(([, rows], i) => rows <= (told[i - 1]?.[1] ?? rows))).toBe(true);
    expect(shrinkRows(rowsOfOne, has('65'), { budget: 12 })).toBeNull();
  });
});

describe('the scenario of a payment stream', () => {
  it('has ten rows per round and one wallet, whose payments wait', () => {
    const setup = setupOf(scenarioOf(NETWORK), null);
    const roundsFor = (rows: number): unknown => {
      const text = Array.from({ length: rows }, () => '5\n').join('');
      return scenarioOfStream(setup, text, rows, '0.5').scenario.duration.rounds;
    };
    expect([1, 10, 11, 20, 21].map(roundsFor)).toEqual([1, 1, 2, 2, 3]);
    const { scenario, files } = scenarioOfStream(setup, '5\n-4\n-3\n8\n', 4, '0.5');
    const { summary } = runScenario(scenario, { files });
    expect(summary.get('payments.made')).toBe(2);
    expect(summary.get('payee/utxos.final')).toBe(2);
    // 2.5 − 2 and 4 − 1.5 coin: the wallet merges never.
    expect(summary.get('supply')).toBe(Amount.of('6.5'));
  });
});

describe('shrinking a run that broke a law', () => {
  /** A deliberately wrong law: a party may hold two coins of equal amount. */
  const planted: Law = {
    name: 'no party has two coins of one amount',
    invariant: 0,
    holds({ update, after }) {
      return update.created.every(
        (made) =>
          made.template !== 'Holding' ||
          ![...holdingsOf(after, made.owner, 'oldest')].some(
            ({ id, amount }) => id !== made.id && amount === made.amount,
          ),
      );
    },
  };

  it('finds the two rows that are needed to break it', () => {
    const setup = setupOf(scenarioOf(NETWORK), null);
    const [a, b] = [PartyId.of('a'), PartyId.of('b')];
    const rows = Array.from({ length: 60 }, (_, i): PaymentRow => ({
      round: i,
      from: null,
      to: i % 2 ? a : b,
      amount: Amount.of(String(i === 53 ? 18 : i + 1)),
    }));
    const breaks = breaking(setup, {}, { what: 'law', laws: [planted] });
    const shrunk = shrinkRows(rows, breaks, { budget: 200 });
    expect(shrunk?.rows.map(({ to, amount }) => [to, amount])).toEqual(Array(2).fill([a, Amount.of('18')]));
    const { scenario: small, files } = scenarioToBreak(setup, shrunk?.rows ?? [], {
      what: 'law',
      laws: [planted],
    });
    expect(breachIn(small, { files }, [planted])).toMatchObject({ law: planted.name, kind: 'Minted' });
    expect(breachIn(small, { files }, LAWS)).toBeNull();
    const demand: Demand = { what: 'law', laws: [planted] };
    const texts = [...shrunkFiles(scenarioToBreak(setup, shrunk?.rows ?? [], demand), demand).values()];
    expect(texts.join('')).toContain(
      "const names: readonly string[] = [\n  'no party has two coins of one amount',\n];",
    );
  });

  it('names the update of the log that breaks it', () => {
    const watch = new LawWatch([planted]);
    const updates = logOf(NETWORK.replace('count: 12', 'count: 12, opening: { coins: 2, amount: { constant: "7" } }'));
    for (const update of updates) watch.take(update);
    const second = updates.filter(({ kind }) => kind === 'Minted')[1];
    expect(watch.first).toEqual({ law: planted.name, offset: second?.offset, kind: 'Minted' });
  });
});
