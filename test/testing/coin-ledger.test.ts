import {
  checkCoinLedger,
  CoinLedgerFailure,
  exploreCoinLedger,
  type CoinLedger,
  type CoinLedgerCheck,
} from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { coinLedger as accountTokenLedger } from './ledgers/account-token/adapter.ts';
import { coinLedger as mapTokenLedger } from './ledgers/map-token/adapter.ts';
import { mapToken } from './ledgers/map-token/bugs.ts';
import { plantedLedger } from './ledgers/planted.ts';
import { bugName, type BugKind } from './ledgers/specimen.ts';

const draws = ['inputs', 'merge'] as const;

async function failureOf(check: CoinLedgerCheck): Promise<CoinLedgerFailure> {
  const failure: unknown = await checkCoinLedger(check).catch((error: unknown) => error);
  if (failure instanceof CoinLedgerFailure) return failure;
  throw new Error(`no failure of ${check.ledger.name}`, { cause: failure });
}

function mapTokenWith(kind: BugKind): Promise<CoinLedger> {
  const bug = mapToken.bugs.find((one) => one.kind === kind);
  if (!bug) throw new Error(`no bug of the kind ${kind}`);
  return plantedLedger(mapToken, bug, bugName(bug));
}

function changed(change: (session: Awaited<ReturnType<CoinLedger['open']>>) => object): CoinLedger {
  const sound = mapTokenLedger();
  return {
    name: 'changed',
    async open() {
      const session = await sound.open();
      return { ...session, ...change(session) };
    },
  };
}

describe('checkCoinLedger', () => {
  it('accepts a correct ledger and submits commands of every type', async () => {
    const report = await checkCoinLedger({ ledger: mapTokenLedger(), draws, runs: 300, seed: 1 });
    expect(report).toMatchObject({ ledger: 'map token', runs: 300, seed: 1, skipped: [] });
    expect(report.commands).toBeGreaterThan(3000);
    expect(report.accepted).toBeGreaterThan(report.commands / 4);
    expect(report.accepted).toBeLessThan(report.commands * 0.9);
  });

  it('accepts a correct ledger that has accounts instead of coins and answers asynchronously', async () => {
    const report = await checkCoinLedger({ ledger: accountTokenLedger(), draws: ['merge'], runs: 300, seed: 1 });
    expect(report).toMatchObject({ runs: 300, skipped: ['merge'] });
  });

  it('finds a ledger that changes its state when it refuses a command', async () => {
    let fees = 0n;
    const ledger = changed((session) => ({
      submit(...args: Parameters<typeof session.submit>) {
        const answer = session.submit(...args);
        if ('reason' in answer) fees += 1n;
        return answer;
      },
      balanceOf: async (party: string) => {
        const { total, locked } = await session.balanceOf(party);
        return { total: party === 'alice' ? total - fees : total, locked };
      },
    }));
    const { broken, steps } = await failureOf({ ledger, seed: 1 });
    expect(broken).toBe('a refused command changes no balance and no coin');
    expect(steps.length).toBeLessThanOrEqual(2);
  });

  it('skips and reports commands that the ledger does not support', async () => {
    const ledger = changed((session) => ({
      submit: (...args: Parameters<typeof session.submit>) =>
        args[0].type === 'withdraw' ? { skipped: true } : session.submit(...args),
    }));
    expect(await checkCoinLedger({ ledger, runs: 100, seed: 1 })).toMatchObject({ skipped: ['withdraw'] });
  });

  it('generates inputs and merges only for a ledger that supports them', async () => {
    const seen = new Set<string>();
    const ledger = changed((session) => ({
      submit(...args: Parameters<typeof session.submit>) {
        seen.add('inputs' in args[0] ? 'inputs' : args[0].type);
        return session.submit(...args);
      },
    }));
    await checkCoinLedger({ ledger, runs: 100, seed: 1 });
    expect([...seen].sort()).toEqual(['accept', 'mint', 'offer', 'pay', 'reject', 'withdraw']);
  });

  it('refuses a token of a run whose settings differ from those of the check', async () => {
    const ledger = await mapTokenWith('double spend');
    const { again } = await failureOf({ ledger, draws, seed: 1 });
    const token = /token: '(.*)'/.exec(again)?.[1] ?? '';
    expect(again).toBe(`await checkCoinLedger({ ledger, draws: ["inputs","merge"], token: '${token}' })`);
    await expect(checkCoinLedger({ ledger, token })).rejects.toThrow('but the check has [40,[],');
    await expect(checkCoinLedger({ ledger, draws, token: token.slice(0, -1) })).rejects.toThrow('is no token');
    const other = { ...ledger, name: 'another' };
    await expect(checkCoinLedger({ ledger: other, draws, token })).rejects.toThrow('of the ledger map token');
  });
});

describe('exploreCoinLedger', () => {
  it('finds no broken law in correct ledgers on any path of three commands', async () => {
    for (const ledger of [mapTokenLedger(), accountTokenLedger()]) {
      const { counterexample, states, commands, refused } = await exploreCoinLedger({ ledger, depth: 3 });
      expect(counterexample).toBeNull();
      expect(states).toBeGreaterThan(100);
      expect(refused).toBeGreaterThan(commands / 3);
      expect(refused).toBeLessThan(commands);
    }
  });

  it.each([
    ['double accept', 'an offer ends once', 3],
    ['deadline off by one', 'an offer is accepted before its deadline', 3],
    [
      'lock kept after withdrawal',
      'the locked coin of a party covers its open offers until their deadlines, and is none without them',
      2,
    ],
  ] as const)('finds the planted bug "%s" by a shortest path', async (name, law, length) => {
    const { counterexample } = await exploreCoinLedger({ ledger: await mapTokenWith(name), depth: 3 });
    expect(counterexample?.broken).toBe(law);
    expect(counterexample?.steps).toHaveLength(length);
  });
});
