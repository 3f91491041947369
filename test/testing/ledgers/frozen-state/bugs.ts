import type { Specimen } from '../specimen.ts';

export const frozenState: Specimen = {
  folder: 'frozen-state',
  style: 'pure function over frozen states',
  draws: ['inputs', 'merge'],
  rules: { maxInputs: 100 },
  bugs: [
    {
      kind: 'double spend',
      detail: 'the change is added to the old state',
      find: 'withCoins(rest, [[giver, change]])',
      replace: 'withCoins(state, [[giver, change]])',
    },
    {
      kind: 'double accept',
      find: 'Object.freeze({ ...state, promises, coins:',
      replace:
        "Object.freeze({ ...state, promises: how === 'take' ? { ...promises, [id]: { ...promise, giver: 'done' } } : promises, coins:",
    },
    {
      kind: 'change rounded up',
      find: 'const change = total(coins) - cents;',
      replace: 'const change = BigInt(Math.ceil(Number(total(coins) - cents) / 3) * 3);',
    },
    {
      kind: 'lock kept after withdrawal',
      find: 'promises, coins: [...state.coins, { ...promise.coin, holder }] });',
      replace: "...(how === 'recall' ? {} : { promises, coins: [...state.coins, { ...promise.coin, holder }] }) });",
    },
    { kind: 'deadline off by one', find: 'time >= promise.until', replace: 'time > promise.until' },
    { kind: 'too many inputs', find: 'used.length > 100', replace: 'used.length > 101' },
    {
      kind: 'withdrawal by a non-owner',
      find: "if (signer !== (how === 'recall' ? promise.giver : promise.taker))",
      replace: "if (how !== 'recall' && signer !== promise.taker)",
    },
    {
      kind: 'wrong receiver',
      find: "how === 'take' ? promise.taker : promise.giver;",
      replace: "how === 'take' ? signer : promise.taker;",
    },
    { kind: 'payment without funds', find: "if (total(coins) < cents) return 'too few coins';", replace: '' },
    {
      kind: 'total not conserved',
      find: 'withCoins(spent, [[taker, cents]])',
      replace: 'withCoins(spent, [[taker, cents]].slice(giver === taker ? 1 : 0) as [string, bigint][])',
    },
  ],
};
