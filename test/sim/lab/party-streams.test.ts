import { DEFAULT_SETTINGS, parseNetwork, replayNetwork, type NetworkFile, type SelectionName } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { ofKind, play } from './lab-fixture.ts';

interface World {
  readonly payers?: string;
  readonly before?: string;
  readonly after?: string;
}

/** Wallets are rich and never wait, so all requested payments are made. */
function scenario({ payers = 'count: 8', before = '', after = '' }: World = {}): string {
  const arrivals = payers.includes('arrivals') ? '' : 'arrivals: { poisson: { perDay: 30 } }, ';
  const [count = '', ...more] = payers.split('; ');
  return `
name: streams
duration: { rounds: 144 }
parties:
${before}  - name: payers
    ${count}
    opening: { coins: 40, amount: { uniform: { least: '900', most: '1000' } } }
    payments: { ${more.map((field) => `${field}, `).join('')}${arrivals}amount: { uniform: { least: '1', most: '9' } }, to: { groups: [payers, shops] } }
    wallet: { select: random, merge: { never: true } }
  - { name: shops, count: 3, payments: null }
${after}`;
}

interface Payment {
  readonly receiver: string;
  readonly amount: string;
  readonly time: string;
}

/** Returns the payments of each payer in order of time. */
function paymentsOf(text: string): ReadonlyMap<string, readonly Payment[]> {
  const made = new Map<string, Payment[]>();
  for (const { detail, recordTime } of ofKind(play(text).updates, 'TransferCompleted')) {
    const [sender = '', receiver = ''] = [detail.sender, detail.receiver].map((party) => party.split('::')[0] ?? '');
    const payments = made.get(sender) ?? [];
    payments.push({ receiver, amount: String(detail.amount), time: String(recordTime) });
    made.set(sender, payments);
  }
  return made;
}

const EXTRA = `  - { name: others, count: 2, opening: { coins: 9, amount: { constant: '100' } }, payments: { arrivals: { poisson: { perDay: 30 } }, to: { groups: [others] } }, wallet: { select: random }, income: { every: 5, amount: { constant: '1' } } }\n`;

describe('the random numbers of a party', () => {
  const base = paymentsOf(scenario());

  it.each([
    ['before', { before: EXTRA }],
    ['after', { after: EXTRA }],
  ])('stay the same when unrelated parties are added %s the group of the party', (_, world) => {
    const found = paymentsOf(scenario(world));
    for (const [payer, payments] of base) expect(found.get(payer)).toEqual(payments);
    expect(found.get('others-0')?.length).toBeGreaterThan(0);
  });

  it('stay the same when its group grows: payments keep times and amounts, and most of them the receiver', () => {
    const found = paymentsOf(scenario({ payers: 'count: 10' }));
    let kept = 0;
    let all = 0;
    for (const [payer, payments] of base) {
      expect(found.get(payer)?.map(({ time, amount }) => ({ time, amount }))).toEqual(
        payments.map(({ time, amount }) => ({ time, amount })),
      );
      payments.forEach(({ receiver }, i) => {
        const other = found.get(payer)?.[i]?.receiver ?? '';
        all += 1;
        if (other === receiver) kept += 1;
      });
    }
    // Two of 12 receivers are new.
    expect(kept / all).toBeGreaterThan(0.65);
    expect(kept).toBeLessThan(all);
  });

  it('stay the same at another rate: a payer makes the same payments, sooner', () => {
    const found = paymentsOf(scenario({ payers: 'count: 8; arrivals: { poisson: { perDay: 45 } }' }));
    for (const [payer, payments] of base) {
      const amounts = payments.map(({ amount }) => amount).sort();
      const sooner = (found.get(payer) ?? []).slice(0, payments.length + 5);
      expect(found.get(payer)?.length ?? 0).toBeGreaterThan(payments.length);
      // Payments of one round have random times within it, so neighbours may change places.
      const others = new Set(sooner.map(({ amount, receiver }) => `${amount} ${receiver}`));
      expect(amounts.length).toBeGreaterThan(10);
      for (const { amount, receiver } of payments) expect(others).toContain(`${amount} ${receiver}`);
    }
  });

  it('stay the same when payments come in bursts of another size', () => {
    const bursts = (size: number): ReadonlyMap<string, readonly Payment[]> =>
      paymentsOf(scenario({ payers: `count: 8; arrivals: { bursts: { perDay: 6, size: ${size} } }` }));
    const [small, large] = [bursts(2), bursts(4)];
    for (const [payer, payments] of small) {
      const others = new Set(large.get(payer)?.map(({ amount }) => amount));
      for (const { amount } of payments) expect(others).toContain(amount);
    }
  });

  it.each<SelectionName>(['random', 'random-improve'])(
    'stay the same in a replay with %s when unrelated parties are added',
    (policy) => {
      const parties = ['alice', 'bob', 'carol'];
      const rows = Array.from({ length: 60 }, (_, i): readonly [round: number, fields: string] => [
        i + 1,
        i < 30
          ? `mint,,${parties[i % 3]},${(i % 7) + 1}.5`
          : `transfer,${parties[i % 3]},${parties[(i + 1) % 3]},${(i % 4) + 1}.25`,
      ]);
      const others = Array.from({ length: 40 }, (_, i): readonly [round: number, fields: string] => [
        i + 1,
        i < 20 ? `mint,,${i % 2 ? 'yves' : 'zoe'},3.0` : `transfer,yves,zoe,1.0`,
      ]);
      const alone = replayNetwork(fileOf(rows), { ...DEFAULT_SETTINGS, policy }, null);
      const together = replayNetwork(fileOf([...others, ...rows]), { ...DEFAULT_SETTINGS, policy }, null);
      for (const line of alone.parties) expect(together.parties).toContainEqual(line);
    },
  );
});

function fileOf(rows: readonly (readonly [round: number, fields: string])[]): NetworkFile {
  const lines = rows.toSorted(([a], [b]) => a - b).map(([round, fields], i) => `${i + 1},${round},${fields}`);
  const parsed = parseNetwork(`seq,round,kind,from,to,amount\n${lines.join('\n')}\n`, 'test.csv');
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}
