import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, type Ended } from './coinlab.ts';

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-policy-'));
  file = join(folder, 'scenario.yaml');
  writeFileSync(
    file,
    `
name: policies
duration: { rounds: 6 }
network: { rewards: false, expiresDust: false }
parties:
  - name: payers
    count: 3
    payments: { arrivals: { every: { rounds: 1 } }, amount: { constant: '5' } }
    opening: { coins: 8, amount: { uniform: { least: '1', most: '9' } } }
`,
  );
  writeFileSync(
    join(folder, 'mine.mjs'),
    `export const selection = {
      copy(wallet, { amount, most }) {
        const taken = [];
        let sum = 0n;
        for (const coin of wallet.largest()) {
          taken.push(coin);
          sum += coin.amount;
          if (sum >= amount || taken.length > most) break;
        }
        return taken;
      },
      greedy: (wallet) => [...wallet.smallest()].slice(0, 1),
    };`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runFile = (...args: readonly string[]): Promise<Ended> =>
  coinlab('run', file, '--json', '--replicates', '1', ...args);

describe('coinlab run --policy', () => {
  it('replaces the policy of every wallet by a built-in policy or a policy from a file', async () => {
    const state = async (policy: string): Promise<string> =>
      (JSON.parse((await runFile('--policy', policy)).out) as { readonly stateHash: string }).stateHash;
    const largest = await state('largest-first');
    expect(await state(`${join(folder, 'mine.mjs')}#copy`)).toBe(largest);
    expect(await state('oldest-first')).not.toBe(largest);
  });

  it('fails with the fault that a policy from a file causes', async () => {
    const { code, err } = await runFile('--policy', `${join(folder, 'mine.mjs')}#greedy`);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^coinlab: policy greedy, party payers-\d::.*, round \d: returned 1 coins of .*, expected at least 5/,
    );
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['is unknown', 'nowhere', /wallet\.select: got "nowhere"/],
    ['is a missing file', './nowhere.mjs', /nowhere\.mjs: the file does not exist/],
    ['is a file that no wallet uses', 'mine.mjs', /no wallet of the scenario names a policy .*mine\.mjs#copy/],
    ['is not in its file', 'mine.mjs#other', /got "other", expected one of .*copy, greedy/],
  ])('refuses a policy that %s, before running', async (_, policy, reason) => {
    const { code, err } = await runFile('--policy', policy.startsWith('mine') ? join(folder, policy) : policy);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });
});
