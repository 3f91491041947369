import { EditToken, leafNumberOf, OnceTrie } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Mostly the next key, as contract ids ascend; else one of the same leaf, of another one, or above 2³¹. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), skip: fc.nat({ max: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('set' as const), skip: fc.nat({ max: 2_000 }) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('set' as const), skip: fc.integer({ min: -70, max: 0 }) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('fork' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('prune' as const), divisor: fc.integer({ min: 2, max: 5 }) }),
    },
  ),
  { maxLength: 150 },
);

/** Values are the number of the branch, so that branches that set the same key set different values. */
interface Branch {
  readonly trie: OnceTrie<number>;
  token: EditToken;
  readonly set: Map<number, number>;
  next: number;
}

function forked(branch: Branch): Branch {
  branch.token = new EditToken();
  const { trie, set, next } = branch;
  return { trie: trie.fork(), token: new EditToken(), set: new Map(set), next };
}

describe('a trie of values that are set once', () => {
  it('gives each branch the values that it has set, whatever other branches set', () => {
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), fc.constantFrom(0, 2 ** 31 - 40), (all, choices, first) => {
        const branches: Branch[] = [{ trie: new OnceTrie(), token: new EditToken(), set: new Map(), next: first }];
        for (const step of all) {
          const number = (choices.next().value as number) % branches.length;
          const branch = branches[number] as Branch;
          if (step.type === 'fork') branches.push(forked(branch));
          else if (step.type === 'prune') {
            const keeps = (leaf: number): boolean => leaf % step.divisor !== 0;
            branch.trie.prune(keeps, branch.token);
            for (const key of branch.set.keys()) if (!keeps(leafNumberOf(key))) branch.set.delete(key);
          } else {
            const key = Math.max(0, branch.next + step.skip);
            branch.next = Math.max(branch.next, key + 1);
            if (branch.set.has(key)) continue;
            branch.trie.set(key, number, branch.token);
            branch.set.set(key, number);
          }
        }
        for (const { trie, set } of branches) {
          for (const [key, value] of set) expect(trie.get(key)).toBe(value);
          const seen = [...trie.entries(first)].filter(({ key }) => set.has(key));
          expect(seen).toEqual(
            [...set]
              .sort(([a], [b]) => a - b)
              .filter(([key]) => key >= first)
              .map(([key, value]) => ({ key, value })),
          );
          const visited: { key: number; value: number }[] = [];
          trie.visit(first, (value, key) => void (set.has(key) && visited.push({ key, value })));
          expect(visited).toEqual(seen);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('lets a fork see what is set in a leaf that both have', () => {
    const one = new OnceTrie<string>();
    one.set(1, 'a', new EditToken());
    const other = one.fork();
    one.set(2, 'b', new EditToken());
    expect(other.get(2)).toBe('b');
    other.set(2, 'c', new EditToken());
    expect([one.get(2), other.get(2), other.get(1)]).toEqual(['b', 'c', 'a']);
  });

  it('loses whole leaves when it is pruned, sets values in them again, and a fork keeps them', () => {
    const token = new EditToken();
    const trie = new OnceTrie<number>();
    for (let key = 0; key < 2_000; key++) trie.set(key, key, token);
    const fork = trie.fork();
    trie.prune((leaf) => leaf % 2 === 1, new EditToken());
    const odd = Array.from({ length: 2_000 }, (_, key) => key).filter((key) => leafNumberOf(key) % 2 === 1);
    expect([...trie.entries(0)].map(({ key }) => key)).toEqual(odd);
    expect([...fork.entries(0)]).toHaveLength(2_000);
    trie.set(1_999, -1, new EditToken());
    expect([trie.get(1_999), fork.get(1_999)]).toEqual([-1, 1_999]);
  });

  it('keeps or loses its only leaf when it is pruned', () => {
    const token = new EditToken();
    const trie = new OnceTrie<string>();
    trie.prune(() => false, token);
    for (const key of [0, 7, 31]) trie.set(key, `value ${key}`, token);
    trie.prune((leaf) => leaf === 0, token);
    expect([...trie.entries(0)].map(({ key }) => key)).toEqual([0, 7, 31]);
    trie.prune((leaf) => leaf !== 0, token);
    expect([...trie.entries(0)]).toEqual([]);
    trie.set(7, 'again', token);
    expect([...trie.entries(0)]).toEqual([{ key: 7, value: 'again' }]);
  });
});
