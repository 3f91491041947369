import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, countOf, holdingsOf, PartyId, type Holding } from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import { checkedPolicies, definePolicies, PolicyFault, type OwnSelection, type PolicyFile } from '@coinlab/sim';
import { loadPolicies, PolicyFileFault } from '@coinlab/sim/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofKind, play } from './lab-fixture.ts';

/** The file shown in the guide. */
const EXAMPLE = 'packages/sim/examples/my-policy.ts';

function scenario(wallet: string, count = 2): string {
  return `
name: own
duration: { rounds: 12 }
network: { rewards: false, expiresDust: false }
parties:
  - name: payers
    count: ${count}
    payments: { arrivals: { every: { rounds: 2 } }, amount: { constant: '5' } }
    opening: { coins: 12, amount: { uniform: { least: '1', most: '9' } } }
    wallet: ${wallet}`;
}

/** Returns the fault that ends a run with a policy. */
function faultOf(file: PolicyFile, wallet = '{ select: bad, merge: { never: true } }'): PolicyFault {
  try {
    play(scenario(wallet), { policies: checkedPolicies(file) });
  } catch (error) {
    if (error instanceof PolicyFault) return error;
    throw error;
  }
  throw new Error('no fault was found');
}

describe('a user’s policy', () => {
  it('selects the inputs of the payments of a wallet', async () => {
    const { updates } = play(scenario('{ select: spare-the-largest, merge: { never: true } }'), {
      policies: await loadPolicies(EXAMPLE),
    });
    const first = ofKind(updates, 'TransferCompleted')[0];
    expect(first?.detail.inputs).toBe(1);
  });

  it('gives the same log as an equivalent built-in policy', () => {
    const copy = definePolicies({
      selection: {
        copy(wallet, { amount, most }) {
          const taken: Holding[] = [];
          let sum = 0n;
          for (const coin of wallet.smallest()) {
            taken.push(coin);
            sum += coin.amount;
            if (sum >= amount || taken.length > most) break;
          }
          return taken;
        },
      },
      merging: { same: (wallet, most) => (wallet.count > 8 ? [...wallet.smallest()].slice(0, most) : []) },
    });
    const own = play(scenario('{ select: copy, merge: { custom: same } }'), { policies: checkedPolicies(copy) });
    const ours = play(scenario('{ select: smallest-first, merge: { threshold: 8 } }'));
    expect(own.world.hash()).toBe(ours.world.hash());
  });

  it('merges after every change, or once per period', async () => {
    const policies = await loadPolicies(EXAMPLE);
    const fives = play(scenario('{ merge: { custom: tidy-in-fives } }'), { policies });
    expect(new Set(ofKind(fives.updates, 'HoldingsMerged').map(({ detail }) => detail.inputs))).toEqual(new Set([5]));
    const nightly = scenario('{ merge: { custom: three-by-night } }').replace('rounds: 12 }', 'rounds: 144 }');
    const { updates, world } = play(nightly, { policies });
    expect(ofKind(updates, 'HoldingsMerged')).toHaveLength(2);
    expect(countOf(world.state, PartyId.of('payers-0'))).toBe(4);
  });

  it('can read the coins of a wallet in every order', () => {
    let seen = 0;
    const look: OwnSelection = (wallet, { amount }) => {
      const largest = [...wallet.largest()];
      const amounts = largest.map((coin) => coin.amount);
      expect(wallet.count).toBe(largest.length);
      expect(wallet.balance).toBe(amounts.reduce<bigint>((sum, one) => sum + one, 0n));
      expect(amounts).toEqual(amounts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      expect(Array.from(wallet.smallest(), (coin) => coin.amount)).toEqual(amounts.toReversed());
      expect(Array.from(wallet.newest(), ({ id }) => id)).toEqual(
        Array.from(wallet.oldest(), ({ id }) => id).toReversed(),
      );
      expect(Array.from(wallet.below(amount), (coin) => coin.amount)).toEqual(amounts.filter((one) => one < amount));
      expect(wallet.exactly(amounts[0] ?? 0n)?.amount).toBe(amounts[0]);
      expect(wallet.at(0)?.id).toBe([...wallet.oldest()][0]?.id);
      expect(wallet.at(wallet.count)).toBeNull();
      seen += 1;
      return largest;
    };
    play(scenario('{ select: look, merge: { never: true } }'), { policies: checkedPolicies({ selection: { look } }) });
    expect(seen).toBeGreaterThan(0);
  });

  const bad: readonly (readonly [string, PolicyFile, RegExp])[] = [
    [
      'covers too little',
      { selection: { bad: (wallet) => [...wallet.smallest()].slice(0, 1) } },
      /1 coins of .*, expected at least 5/,
    ],
    [
      'names a coin twice',
      { selection: { bad: (wallet) => [...wallet.largest(), ...wallet.largest()] } },
      /coin \d+ twice/,
    ],
    [
      'never ends',
      {
        selection: {
          bad: function* (wallet) {
            for (;;) yield* wallet.largest();
          },
        },
      },
      /coin \d+ twice/,
    ],
    [
      'names what is no coin',
      { selection: { bad: () => [{ id: 0 } as unknown as Holding] } },
      /coin 0, which is not a coin of the ledger/,
    ],
    ['returns no coins', { selection: { bad: () => 7 as unknown as Holding[] } }, /returned 7, expected coins/],
    [
      'throws',
      {
        selection: {
          bad: () => {
            throw new TypeError('oh no');
          },
        },
      },
      /threw TypeError: oh no \(at .*own-policies/,
    ],
    [
      'throws while its coins are taken',
      {
        selection: {
          bad: function* () {
            yield* [];
            throw new TypeError('late');
          },
        },
      },
      /threw TypeError: late/,
    ],
  ];
  it.each(bad)('that %s ends the run, with policy, party, round and fault', (_, file, reason) => {
    const fault = faultOf(file);
    expect(fault.policy).toBe('bad');
    expect(PartyId.hint(fault.party)).toMatch(/^payers-/);
    expect(fault.round).toBe(0);
    expect(fault.reason).toMatch(reason);
  });

  it('that returns locked coins or coins of another party ends the run', () => {
    const offering = scenario('{ merge: { never: true } }').replace(
      'opening:',
      'receives: { offers: { accepts: 0 } }\n    opening:',
    );
    const { state } = play(offering).world;
    const [alice, bob] = [PartyId.of('payers-0'), PartyId.of('payers-1')];
    const [coin] = holdingsOf(state, bob, 'largest');
    const [locked] = lockedHoldingsOf(state, alice);
    const reasonOf = (given: Holding | undefined): string => {
      const { bad: policy } = checkedPolicies({ selection: { bad: () => (given ? [given] : []) } }).selection;
      try {
        policy?.(state, alice, { amount: Amount.zero, most: 100, draw: () => 0 });
      } catch (error) {
        return (error as Error).message;
      }
      return 'nothing';
    };
    expect(reasonOf(coin)).toMatch(
      /^policy bad, party payers-0::.*: returned coin \d+, which belongs to payers-1::.*$/,
    );
    expect(reasonOf(locked)).toMatch(/which is locked$/);
  });

  it('that selects coins to merge gets the same checks as a policy that selects inputs', () => {
    const wallet = '{ merge: { custom: bad } }';
    const twice = (file: PolicyFile): string => faultOf(file, wallet).reason;
    expect(twice({ merging: { bad: (own) => [...own.smallest(), ...own.smallest()] } })).toMatch(/twice/);
    const few = scenario(wallet).replace('network: {', 'network: { maxInputs: 5,');
    expect(() => play(few, { policies: checkedPolicies({ merging: { bad: (own) => own.smallest() } }) })).toThrow(
      /expected at most 5/,
    );
  });

  it('that no file defines is refused, with the list of known policies', () => {
    expect(() => play(scenario('{ select: nowhere }'))).toThrow(
      /wallet.select: got "nowhere", expected one of largest-first/,
    );
    expect(() => play(scenario('{ merge: { custom: nowhere } }'))).toThrow(/wallet.merge.custom: got "nowhere"/);
  });
});

describe('a policy file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'policies-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (name: string, text: string): ReturnType<typeof loadPolicies> => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return loadPolicies(path);
  };

  it('exports policies by name or as the default export', async () => {
    const named = await load('named.mjs', 'export const selection = { a: (w) => w.largest() };');
    const byDefault = await load('default.mjs', 'export default { merging: { b: { every: "1h", coins: () => [] } } };');
    const common = await load('common.cjs', 'module.exports = { selection: { c: (w) => w.largest() } };');
    expect(Object.keys(named.selection)).toEqual(['a']);
    expect(byDefault.merging['b']?.every).toBe('1h');
    expect(Object.keys(common.selection)).toEqual(['c']);
  });

  it('may be TypeScript', async () => {
    const { selection, merging } = await loadPolicies(EXAMPLE);
    expect(Object.keys(selection)).toEqual(['spare-the-largest']);
    expect(Object.keys(merging)).toEqual(['tidy-in-fives', 'three-by-night']);
  });

  it.each([
    ['does not exist', null, /does not exist/],
    ['does not parse', 'export const selection = {', /broken-does-not-parse\.mjs: /],
    ['throws', 'throw new Error("early")', /early/],
    ['has no policies', 'export const other = 1;', /got no policies/],
    ['has a policy that is not a function', 'export const selection = { a: 1 };', /selection\.a: got number/],
    ['has a bad period', 'export const merging = { a: { every: "soon", coins: () => [] } };', /merging\.a/],
    ['reuses a built-in name', 'export const selection = { blackjack: () => [] };', /selection\.blackjack/],
  ])('that %s is refused with the reason', async (what, text, reason) => {
    const name = `broken-${what.replaceAll(' ', '-')}.mjs`;
    const loaded = text === null ? loadPolicies(join(folder, name)) : load(name, text);
    await expect(loaded).rejects.toThrow(PolicyFileFault);
    await expect(text === null ? loadPolicies(join(folder, name)) : load(name, text)).rejects.toThrow(reason);
  });
});
